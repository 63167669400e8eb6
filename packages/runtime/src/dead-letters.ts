import type { DocumentKey, DocumentWrite, LogRecord, OperatingError, Topic } from '@switchyard/kernel'

/** Records that could not be read, key `[topic, partition, offset]`. */
export const DEAD_LETTERS_COLLECTION = 'dead-letters-v1'

/** A record that could not be read, as it stands in the log. */
export interface DeadLetter {
  readonly topic: Topic
  readonly partition: number
  readonly offset: number
  readonly streamKey: string
  readonly eventId: string
  /** Full name of the schema, as the header says. */
  readonly type: string
  /** `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
  readonly reason: string
  readonly message: string
  readonly bytes: Uint8Array
}

/** The document of a record that failed with `error`. */
export const deadLetterOf = (
  topic: Topic,
  { key: streamKey, position, headers, value }: LogRecord,
  error: OperatingError,
): DocumentWrite => {
  const key: DocumentKey = [topic, position.partition, position.offset]
  const body: DeadLetter = {
    topic,
    ...position,
    streamKey,
    eventId: headers.id,
    type: headers.type,
    reason: error.code,
    message: error.message,
    bytes: value,
  }
  return { collection: DEAD_LETTERS_COLLECTION, key, position, body }
}
