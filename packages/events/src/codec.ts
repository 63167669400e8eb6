import { assert, OperatingError, type SchemaIds } from '@switchyard/kernel'
import avro from 'avsc'
import { EVENT_CATALOGUE, type SwitchyardEvent } from './generated/catalogue.ts'
import { PUBLISHED_SCHEMAS } from './generated/published.ts'

/** Bytes before the body: a zero, then the schema id as a big-endian 32-bit number (the registry's wire format). */
const FRAME_BYTES = 5
const SCRATCH_BYTES = 64 * 1024

/** Turns events into framed Avro bytes and back. */
export interface EventCodec {
  /** Throws when the data does not fit its schema: that is a bug, not an input error. */
  readonly encode: (event: SwitchyardEvent) => Uint8Array
  /** Reads bytes of any published version; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
  readonly decode: (bytes: Uint8Array) => SwitchyardEvent
}

interface Writer {
  readonly id: number
  readonly type: avro.Type
}

interface Reader {
  readonly name: SwitchyardEvent['type']
  readonly type: avro.Type
  readonly resolver: ReturnType<avro.Type['createResolver']> | undefined
}

/** The id of the schema that these bytes were written with; undefined when they have no frame. */
export const schemaIdOf = (bytes: Uint8Array): number | undefined =>
  bytes.length < FRAME_BYTES || bytes[0] !== 0 ? undefined : new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)

const unreadable = (message: string, cause?: unknown): OperatingError =>
  new OperatingError('RECORD_UNREADABLE', message, { retryable: false, cause })

const isEventName = (name: string): name is SwitchyardEvent['type'] => Object.hasOwn(EVENT_CATALOGUE, name)

const decodeBody = (buffer: Buffer, name: string, type: avro.Type, resolver: Reader['resolver']): { value: unknown; offset: number } => {
  try {
    return type.decode(buffer, FRAME_BYTES, resolver)
  } catch (error) {
    throw unreadable(`the record of ${name} does not fit its schema`, error)
  }
}

/** How data of another version becomes data of this one; a schema that can't is what makes its records unreadable. */
const resolverOf = (name: string, type: avro.Type, schema: string): Reader['resolver'] => {
  try {
    const written = avro.Type.forSchema(JSON.parse(schema))
    return written.equals(type) ? undefined : type.createResolver(written)
  } catch (error) {
    throw unreadable(`the schema that a record of ${name} was written with can not be read as that of this release`, error)
  }
}

const currentTypes = (): Map<string, avro.Type> =>
  new Map(PUBLISHED_SCHEMAS.map(({ subject, schema }) => [subject, avro.Type.forSchema(JSON.parse(schema), { omitRecordMethods: true })]))

/** A codec whose schema numbers come from `ids`; `strict` (tests, development) refuses fields that the schema lacks. */
export const createEventCodec = (ids: SchemaIds, options: { readonly strict: boolean }): EventCodec => {
  const types = currentTypes()
  const writers = new Map<string, Writer>()
  const readers = new Map<number, Reader>()
  let scratch = Buffer.allocUnsafe(SCRATCH_BYTES)

  const writerOf = (name: SwitchyardEvent['type']): Writer => {
    const known = writers.get(name)
    if (known !== undefined) return known
    const { subject } = EVENT_CATALOGUE[name]
    const type = types.get(subject)
    assert(type !== undefined, `${subject} has no published schema`)
    const writer = { id: ids.idOf(subject), type }
    writers.set(name, writer)
    return writer
  }

  const readerOf = (id: number): Reader => {
    const known = readers.get(id)
    if (known !== undefined) return known
    const published = ids.schemaOf(id)
    if (published === undefined) throw new OperatingError('SCHEMA_UNKNOWN', `no schema is known under the id ${id}`, { retryable: true })
    const name = published.subject.slice(published.subject.lastIndexOf('.') + 1)
    const type = types.get(published.subject)
    if (type === undefined || !isEventName(name)) throw unreadable(`${published.subject} is not an event of this release`)
    const reader = { name, type, resolver: resolverOf(name, type, published.schema) }
    readers.set(id, reader)
    return reader
  }

  const encode = (event: SwitchyardEvent): Uint8Array => {
    const { id, type } = writerOf(event.type)
    if (options.strict && !type.isValid(event.data, { noUndeclaredFields: true })) {
      type.isValid(event.data, {
        noUndeclaredFields: true,
        errorHook: (path) => assert(false, `${event.type}.${path.join('.')} does not fit its schema`),
      })
    }
    let end = type.encode(event.data, scratch, FRAME_BYTES)
    if (end < 0) {
      scratch = Buffer.allocUnsafe(scratch.length - end + FRAME_BYTES)
      end = type.encode(event.data, scratch, FRAME_BYTES)
    }
    const bytes = Buffer.allocUnsafe(end)
    scratch.copy(bytes, FRAME_BYTES, FRAME_BYTES, end)
    bytes[0] = 0
    bytes.writeUInt32BE(id, 1)
    return bytes
  }

  const decode = (bytes: Uint8Array): SwitchyardEvent => {
    const id = schemaIdOf(bytes)
    if (id === undefined) throw unreadable('the record has no schema frame')
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { name, type, resolver } = readerOf(id)
    const { value, offset } = decodeBody(buffer, name, type, resolver)
    if (offset !== buffer.length) throw unreadable(`the record of ${name} is ${offset < 0 ? 'cut off' : 'longer than its schema says'}`)
    return { type: name, data: value } as SwitchyardEvent
  }

  return { encode, decode }
}
