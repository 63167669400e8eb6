import { OperatingError, type SchemaIds } from '@switchyard/kernel'
import type avro from 'avsc'
import { typeOf } from './bounded-blocks.ts'

/** Bytes before the body: a zero, then the schema id as a big-endian 32-bit number (the registry's wire format). */
export const FRAME_BYTES = 5

/** How bytes that one schema wrote become data of this release; undefined: it is the same schema. */
type Resolver = ReturnType<avro.Type['createResolver']> | undefined

/** How the body of a record of this name is to be read. */
export interface BodySchema {
  readonly name: string
  readonly type: avro.Type
  readonly resolver: Resolver
}

/** The id of the schema that these bytes were written with; undefined when they have no frame. */
export const schemaIdOf = (bytes: Uint8Array): number | undefined => {
  const last = bytes[4]
  if (bytes[0] !== 0 || last === undefined) return undefined
  return (((bytes[1] ?? 0) << 24) | ((bytes[2] ?? 0) << 16) | ((bytes[3] ?? 0) << 8) | last) >>> 0
}

/** `RECORD_UNREADABLE`: trying again won't help. */
export const unreadable = (message: string, cause?: unknown): OperatingError =>
  new OperatingError('RECORD_UNREADABLE', message, { retryable: false, cause })

/** The id in the frame; throws `RECORD_UNREADABLE` when there is none. */
export const framedId = (bytes: Uint8Array): number => {
  const id = schemaIdOf(bytes)
  if (id === undefined) throw unreadable('the record has no schema frame')
  return id
}

/** The schema with this id; throws `SCHEMA_UNKNOWN`. */
export const knownSchema = (ids: Pick<SchemaIds, 'schemaOf'>, id: number): NonNullable<ReturnType<SchemaIds['schemaOf']>> => {
  const known = ids.schemaOf(id)
  if (known === undefined) throw new OperatingError('SCHEMA_UNKNOWN', `no schema is known under the id ${id}`, { retryable: true })
  return known
}

/** How data of another version becomes data of this one; a schema that can't is what makes its records unreadable. */
export const resolverOf = (name: string, type: avro.Type, schema: string): Resolver => {
  try {
    const written = typeOf(schema)
    return written.equals(type) ? undefined : type.createResolver(written)
  } catch (error) {
    throw unreadable(`the schema that a record of ${name} was written with can not be read as that of this release`, error)
  }
}

/** The same bytes, as a buffer. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** What does not end where its schema says. */
export const misfit = (name: string, restBytes: number): OperatingError =>
  unreadable(`the record of ${name} is ${restBytes < 0 ? 'cut off' : 'longer than its schema says'}`)

/** The data behind the frame; throws `RECORD_UNREADABLE` unless the schema takes all bytes and no more. */
export const decodeBody = (bytes: Uint8Array, { name, type, resolver }: BodySchema): unknown => {
  const buffer = asBuffer(bytes)
  const { value, offset } = decoded(buffer, name, type, resolver)
  if (offset !== buffer.length) throw misfit(name, offset < 0 ? offset : buffer.length - offset)
  return value
}

const decoded = (buffer: Buffer, name: string, type: avro.Type, resolver: Resolver): { value: unknown; offset: number } => {
  try {
    return type.decode(buffer, FRAME_BYTES, resolver)
  } catch (error) {
    throw unreadable(`the record of ${name} does not fit its schema`, error)
  }
}
