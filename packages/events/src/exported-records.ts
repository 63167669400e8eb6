import {
  BEFORE_FIRST,
  type LogRecord,
  OperatingError,
  type Positions,
  type RecordHeaders,
  TOPICS,
  type Topic,
  wellFormedTrace,
} from '@switchyard/kernel'
import type { RecordSource } from './read-events.ts'

/** Longest line of an export, in characters: a record of the largest size that a broker takes, as base64. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024

/** Records of a file that are handed over together. */
const BATCH_COUNT = 500

const unreadable = (number: number, why: string): OperatingError =>
  new OperatingError('RECORD_UNREADABLE', `line ${number} of the export ${why}`, { retryable: false })

/** One record as a line of an export: topic, key, headers, position, and the framed Avro bytes in base64. */
export const exportedLine = (topic: Topic, { key, headers, position, value }: LogRecord): string =>
  JSON.stringify({ topic, key, headers, position, value: Buffer.from(value).toString('base64') })

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const headersOf = (found: Readonly<Record<string, unknown>>): RecordHeaders | undefined => {
  const { id, type, correlation, actor, expectedVersion } = found
  if (!isText(id) || !isText(type)) return undefined
  return {
    id,
    type,
    ...(isText(correlation) ? { correlation } : {}),
    ...(isText(actor) ? { actor } : {}),
    ...(isCount(expectedVersion) ? { expectedVersion } : {}),
    ...wellFormedTrace(found),
  }
}

interface ExportedRecord {
  readonly topic: Topic
  readonly record: LogRecord
}

const parsedJson = (text: string, number: number): unknown => {
  if (text.length > LINE_LENGTH_MAX) throw unreadable(number, `is longer than ${LINE_LENGTH_MAX} characters`)
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(number, 'is not JSON')
  }
}

const parseLine = (text: string, number: number): ExportedRecord => {
  const { topic: name, key, headers: given, position, value } = Object(parsedJson(text, number))
  const topic = TOPICS.find((known) => known === name)
  const headers = headersOf(Object(given))
  const { partition, offset } = Object(position)
  if (topic === undefined) throw unreadable(number, 'names no topic')
  if (!isText(key) || headers === undefined) throw unreadable(number, 'has no key or headers')
  if (!isCount(partition) || !isCount(offset)) throw unreadable(number, 'has no position')
  if (!isText(value)) throw unreadable(number, 'has no value: was it written with --format records?')
  return { topic, record: { key, headers, position: { partition, offset }, value: new Uint8Array(Buffer.from(value, 'base64')) } }
}

/** The record, when it is of this topic and behind these positions. */
const recordBehind = ({ topic, record }: ExportedRecord, wanted: Topic, from: Positions): LogRecord | undefined => {
  const { partition, offset } = record.position
  return topic === wanted && offset > (from.get(partition) ?? BEFORE_FIRST) ? record : undefined
}

async function* readLines(lines: AsyncIterable<string>, wanted: Topic, from: Positions): AsyncGenerator<readonly LogRecord[]> {
  let batch: LogRecord[] = []
  let number = 0
  for await (const line of lines) {
    number += 1
    const record = line.trim() === '' ? undefined : recordBehind(parseLine(line, number), wanted, from)
    if (record === undefined) continue
    const partition = batch[0]?.position.partition ?? record.position.partition
    if (batch.length >= BATCH_COUNT || partition !== record.position.partition) {
      yield batch
      batch = []
    }
    batch.push(record)
  }
  if (batch.length > 0) yield batch
}

/**
 * An export (`switchyard replay --format records`) as a source of records. `openLines` begins the file anew for every read,
 * for example `() => createInterface({ input: createReadStream(path) })`. Reading rejects with `RECORD_UNREADABLE`, which
 * names the line, when the file is something else.
 */
export const exportedRecords = (openLines: () => AsyncIterable<string>): RecordSource => ({
  read: (topic, from) => readLines(openLines(), topic, from),
})
