import { assert, type SchemaIds } from '@switchyard/kernel'
import type avro from 'avsc'
import { asBuffer, type BodySchema, decodeBody, FRAME_BYTES, framedId, knownSchema, resolverOf, unreadable } from './avro-frame.ts'
import { BodyReader } from './body-reader.ts'
import { BodyWriter } from './body-writer.ts'
import { typeOf } from './bounded-blocks.ts'
import { EVENT_CATALOGUE, type SwitchyardEvent } from './generated/catalogue.ts'
import { type BodyCode, PAYMENTS_BODIES, PAYMENTS_PARTS, type PaymentsEventPart } from './generated/payments-bodies.ts'
import { PUBLISHED_SCHEMAS } from './generated/published.ts'

const SCRATCH_BYTES = 64 * 1024

/** Turns events into framed Avro bytes and back. */
export interface EventCodec {
  /** Throws when the data does not fit its schema: that is a bug, not an input error. */
  readonly encode: (event: SwitchyardEvent) => Uint8Array
  /** Reads bytes of any published version; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
  readonly decode: (bytes: Uint8Array) => SwitchyardEvent
  /** As `decode`, and of payments no more than success rates follow from: what is left out was checked, but not made. */
  readonly decodePart: (bytes: Uint8Array) => SwitchyardEvent | PaymentsEventPart
}

interface Writer {
  readonly id: number
  readonly type: avro.Type
  readonly code: Code | undefined
}

interface Reader extends BodySchema {
  readonly name: SwitchyardEvent['type']
  /** Of bytes that the schema of this release wrote. */
  readonly code: Code | undefined
  /** Reads the part of an event, of the same bytes. */
  readonly readPart: Code['read'] | undefined
}

type Code = BodyCode<SwitchyardEvent['data']>

/** What comes with every payment is written and read by generated code, everything else as its schema is interpreted. */
const codeOf = (name: string): Code | undefined => (PAYMENTS_BODIES as unknown as Readonly<Record<string, Code | undefined>>)[name]

const partReaderOf = (name: string): Code['read'] | undefined =>
  (PAYMENTS_PARTS as unknown as Readonly<Record<string, Code['read'] | undefined>>)[name]

const isEventName = (name: string): name is SwitchyardEvent['type'] => Object.hasOwn(EVENT_CATALOGUE, name)

interface CurrentType {
  readonly schema: string
  readonly type: avro.Type
}

/** The schemas of this release, each compiled when it is first needed: all of them would make every thread start later. */
const createCurrentTypes = (): ((subject: string) => CurrentType | undefined) => {
  const schemas = new Map(PUBLISHED_SCHEMAS.map(({ subject, schema }) => [subject, schema]))
  const types = new Map<string, CurrentType>()
  return (subject) => {
    const known = types.get(subject)
    const schema = schemas.get(subject)
    if (known !== undefined || schema === undefined) return known
    const current = { schema, type: typeOf(schema, { omitRecordMethods: true }) }
    types.set(subject, current)
    return current
  }
}

/** Framed bodies, as the type gives them. */
const createInterpreter = (): ((id: number, type: avro.Type, data: unknown) => Uint8Array) => {
  let scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
  return (id, type, data) => {
    let end = type.encode(data, scratch, FRAME_BYTES)
    if (end < 0) {
      scratch = Buffer.allocUnsafe(scratch.length - end + FRAME_BYTES)
      end = type.encode(data, scratch, FRAME_BYTES)
    }
    const bytes = Buffer.allocUnsafe(end)
    scratch.copy(bytes, FRAME_BYTES, FRAME_BYTES, end)
    bytes[0] = 0
    bytes.writeUInt32BE(id, 1)
    return bytes
  }
}

const assertFits = (type: avro.Type, { type: name, data }: SwitchyardEvent): void => {
  if (type.isValid(data, { noUndeclaredFields: true })) return
  type.isValid(data, {
    noUndeclaredFields: true,
    errorHook: (path) => assert(false, `${name}.${path.join('.')} does not fit its schema`),
  })
}

/** A codec whose schema numbers come from `ids`; `strict` (tests, development) refuses fields that the schema lacks. */
export const createEventCodec = (ids: SchemaIds, options: { readonly strict: boolean }): EventCodec => {
  const currentOf = createCurrentTypes()
  const writers = new Map<string, Writer>()
  const readers = new Map<number, Reader>()
  const bodyWriter = new BodyWriter()
  const bodyReader = new BodyReader()
  const interpret = createInterpreter()

  const writerOf = (name: SwitchyardEvent['type']): Writer => {
    const known = writers.get(name)
    if (known !== undefined) return known
    const { subject } = EVENT_CATALOGUE[name]
    const current = currentOf(subject)
    assert(current !== undefined, `${subject} has no published schema`)
    const writer = { id: ids.idOf(subject), type: current.type, code: codeOf(name) }
    writers.set(name, writer)
    return writer
  }

  const readerOf = (id: number): Reader => {
    const known = readers.get(id)
    if (known !== undefined) return known
    const published = knownSchema(ids, id)
    const name = published.subject.slice(published.subject.lastIndexOf('.') + 1)
    const current = currentOf(published.subject)
    if (current === undefined || !isEventName(name)) throw unreadable(`${published.subject} is not an event of this release`)
    const { type, schema } = current
    const isCurrent = published.schema === schema
    const resolver = isCurrent ? undefined : resolverOf(name, type, published.schema)
    const code = isCurrent ? codeOf(name) : undefined
    const reader = { name, type, resolver, code, readPart: isCurrent ? partReaderOf(name) : undefined }
    readers.set(id, reader)
    return reader
  }

  const encode = (event: SwitchyardEvent): Uint8Array => {
    const { id, type, code } = writerOf(event.type)
    if (options.strict) assertFits(type, event)
    return code === undefined ? interpret(id, type, event.data) : bodyWriter.body(id, code.write, event.data)
  }

  const decoded = (bytes: Uint8Array, reader: Reader, read: Code['read'] | undefined): SwitchyardEvent => {
    const { name } = reader
    const data = read === undefined ? decodeBody(bytes, reader) : bodyReader.body(asBuffer(bytes), name, read)
    return { type: name, data } as SwitchyardEvent
  }

  const decode = (bytes: Uint8Array): SwitchyardEvent => {
    const reader = readerOf(framedId(bytes))
    return decoded(bytes, reader, reader.code?.read)
  }

  const decodePart = (bytes: Uint8Array): SwitchyardEvent | PaymentsEventPart => {
    const reader = readerOf(framedId(bytes))
    return decoded(bytes, reader, reader.readPart ?? reader.code?.read)
  }

  return { encode, decode, decodePart }
}
