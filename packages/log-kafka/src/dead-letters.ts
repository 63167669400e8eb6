import type { DeadRecord } from '@switchyard/kernel'
import type { IdempotentProducer, Outgoing } from './idempotent-producer.ts'
import { KAFKA_LOG_LIMITS, REASON_LENGTH_MAX } from './limits.ts'

/** Where a dead letter comes from and where it goes. */
export interface LetterRoute {
  /** Names in the cluster. */
  readonly source: string
  readonly deadLetters: string
  /** Who could not take the record. */
  readonly group: string
}

/** Space that a letter takes beside key and value, at most, bytes. */
const LETTER_OVERHEAD_BYTES = 2_048

/** A record that can't be taken, as a message: key, bytes and idempotency key as they came, what is known of it in the headers. */
const letterOf = (
  { record: { key, value, position, headers }, reason, message }: DeadRecord,
  { source, deadLetters, group }: LetterRoute,
): Outgoing => ({
  topic: deadLetters,
  message: {
    key,
    value: Buffer.from(value),
    partition: position.partition,
    headers: {
      reason,
      message: message.slice(0, REASON_LENGTH_MAX),
      'source-topic': source,
      'source-partition': String(position.partition),
      'source-offset': String(position.offset),
      'source-group': group,
      ...(headers.idempotencyKey !== undefined && { 'idempotency-key': headers.idempotencyKey.slice(0, REASON_LENGTH_MAX) }),
    },
  },
})

/** Requests that a broker takes: bounded by count and bytes. */
const requestsOf = function* (dead: readonly DeadRecord[]): Generator<readonly DeadRecord[]> {
  const { batchCountMax, batchBytesMax } = KAFKA_LOG_LIMITS
  let request: DeadRecord[] = []
  let bytes = 0
  for (const letter of dead) {
    request.push(letter)
    bytes += letter.record.value.length + letter.record.key.length + LETTER_OVERHEAD_BYTES
    if (request.length < batchCountMax && bytes < batchBytesMax) continue
    yield request
    request = []
    bytes = 0
  }
  if (request.length > 0) yield request
}

/** Writes what can't be taken of one batch into the topic of dead letters; resolves when it is durable, rejects as `send` does. */
export const setAside = async (
  { send }: Pick<IdempotentProducer, 'send'>,
  dead: readonly DeadRecord[],
  route: LetterRoute,
): Promise<void> => {
  for (const request of requestsOf(dead)) await send(request.map((letter) => letterOf(letter, route)))
}
