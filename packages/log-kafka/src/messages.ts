import {
  assert,
  EXPECTED_VERSION_MAX,
  isRequestTrace,
  type LogRecord,
  type NewRecord,
  RECORD_TEXT_BYTES_MAX,
  type RecordHeaders,
  type RequestTrace,
  wellFormedTrace,
} from '@switchyard/kernel'
import type { IHeaders, Message } from 'kafkajs'
import { RECORD_BYTES_MAX } from './limits.ts'

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** Space that a message takes beside its texts and body, at most, bytes. */
const MESSAGE_OVERHEAD_BYTES = 96

/** Of UTF-8, for one unit of a text, at most. */
const BYTES_PER_UNIT_MAX = 3

const assertShort = (text: string | undefined): void => {
  if (text === undefined || text.length * BYTES_PER_UNIT_MAX <= RECORD_TEXT_BYTES_MAX) return
  const bytes = Buffer.byteLength(text)
  assert(bytes <= RECORD_TEXT_BYTES_MAX, `a key or header of ${bytes} bytes, at most ${RECORD_TEXT_BYTES_MAX} are possible`)
}

/** Refuses, before anything of an append was taken, what no log promises to keep, and what the topics do not take. */
export const assertKeepable = ({ key, value, headers }: NewRecord): void => {
  assertShort(key)
  assertShort(headers.id)
  assertShort(headers.type)
  assertShort(headers.correlation)
  assertShort(headers.actor)
  if (value.length > RECORD_BYTES_MAX) assert(false, `a record of ${value.length} bytes, at most ${RECORD_BYTES_MAX} are possible`)
  assert(isRequestTrace(headers), 'the trace of a record is a traceparent, its other ids are visible ASCII')
  const { expectedVersion = 0 } = headers
  const isVersion = Number.isInteger(expectedVersion) && expectedVersion >= 0 && expectedVersion <= EXPECTED_VERSION_MAX
  if (!isVersion) assert(false, `an expected version is a whole number up to ${EXPECTED_VERSION_MAX}`)
}

/** What the record takes in a request, roughly, bytes. */
export const messageBytes = ({ key, value, headers }: NewRecord): number => {
  const { id, type, correlation = '', actor = '', trace = '', traceId = '', globalRequestId = '' } = headers
  const traced = trace.length + traceId.length + globalRequestId.length
  return MESSAGE_OVERHEAD_BYTES + key.length + value.length + id.length + type.length + correlation.length + actor.length + traced
}

/** The record as a message for this partition. Its bytes are copied: what the caller does with its own later is no concern of the log. */
export const messageOf = ({ key, value, headers }: NewRecord, partition: number): Message => {
  const { id, type, correlation, actor, expectedVersion, trace, traceId, globalRequestId } = headers
  const texts: IHeaders = { id, type }
  if (correlation !== undefined) texts['correlation'] = correlation
  if (actor !== undefined) texts['actor'] = actor
  if (expectedVersion !== undefined) texts['expected-version'] = String(expectedVersion)
  // By its usual name, so that whoever follows traces through Kafka finds it.
  if (trace !== undefined) texts['traceparent'] = trace
  if (traceId !== undefined) texts['trace-id'] = traceId
  if (globalRequestId !== undefined) texts['global-request-id'] = globalRequestId
  return { key, value: Buffer.from(value), partition, headers: texts }
}

/** A message as a broker gave it. */
export interface FetchedMessage {
  readonly offset: string | number
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: IHeaders | undefined
  readonly isControlRecord?: boolean
  /** Part of a transaction that was given up. */
  readonly isAborted?: boolean
}

type Header = IHeaders[string]

/** The last one counts when a header comes several times. */
const textOf = (header: Header): string | undefined => {
  const value = Array.isArray(header) ? header.at(-1) : header
  return typeof value === 'string' ? value : value?.toString('utf8')
}

const traceOf = (found: IHeaders): RequestTrace =>
  wellFormedTrace({
    trace: textOf(found['traceparent']),
    traceId: textOf(found['trace-id']),
    globalRequestId: textOf(found['global-request-id']),
  })

/** A version that can't be read matches none: the event of an unknown writer has no effect rather than a wrong one. */
const versionOf = (text: string): number => {
  const version = /^\d{1,10}$/.test(text) ? Number(text) : EXPECTED_VERSION_MAX
  return Math.min(version, EXPECTED_VERSION_MAX)
}

const headersOf = (found: IHeaders): RecordHeaders => {
  const headers: Mutable<RecordHeaders> = { id: textOf(found['id']) ?? '', type: textOf(found['type']) ?? '', ...traceOf(found) }
  const correlation = textOf(found['correlation'])
  const actor = textOf(found['actor'])
  const expectedVersion = textOf(found['expected-version'])
  if (correlation !== undefined) headers.correlation = correlation
  if (actor !== undefined) headers.actor = actor
  if (expectedVersion !== undefined) headers.expectedVersion = versionOf(expectedVersion)
  const idempotencyKey = textOf(found['idempotency-key'])
  if (idempotencyKey !== undefined) headers.idempotencyKey = idempotencyKey
  return headers
}

const NOTHING = Buffer.alloc(0)

/** The record in a message. What somebody else wrote without key, headers or body comes as it is: its reader decides. */
export const recordOf = ({ offset, key, value, headers }: FetchedMessage, partition: number): LogRecord => ({
  key: key?.toString('utf8') ?? '',
  value: value ?? NOTHING,
  headers: headersOf(headers ?? {}),
  position: { partition, offset: Number(offset) },
})
