import { OperatingError, type Position } from '@switchyard/kernel'
import type { RecordMetadata } from 'kafkajs'

/** A message and where it goes. */
interface Placed {
  readonly topic: string
  readonly message: { readonly partition?: number }
}

const placeOf = (topic: string, partition = -1): string => `${topic}:${partition}`

/** Those whose partition no answer names. */
const unanswered = <Each extends Placed>(batch: readonly Each[], answers: readonly RecordMetadata[]): readonly Each[] => {
  const answered = new Set(answers.map(({ topicName, partition }) => placeOf(topicName, partition)))
  return batch.filter(({ topic, message }) => !answered.has(placeOf(topic, message.partition)))
}

/** Within a partition the broker numbers messages in the order they were sent. */
const positionsOf = (batch: readonly Placed[], answers: readonly RecordMetadata[]): readonly Position[] => {
  const next = new Map(answers.map(({ topicName, partition, baseOffset }) => [placeOf(topicName, partition), Number(baseOffset ?? -1)]))
  return batch.map(({ topic, message: { partition = -1 } }) => {
    const place = placeOf(topic, partition)
    const offset = next.get(place) ?? -1
    if (offset < 0) throw new OperatingError('LOG_UNAVAILABLE', 'the broker did not say where the records stand', { retryable: true })
    next.set(place, offset + 1)
    return { partition, offset }
  })
}

/**
 * Positions in the order of the messages. When a broker fails, the driver sends its part again to whoever leads those partitions now, but to no
 * broker that has answered for its own part already, and then says nothing of them. They are sent once more, under the same sequence
 * numbers: what the broker that failed had written of them is not written again.
 */
export const sendWhole = async <Each extends Placed>(
  send: (batch: readonly Each[]) => Promise<readonly RecordMetadata[]>,
  batch: readonly Each[],
): Promise<readonly Position[]> => {
  let answers = await send(batch)
  let rest = unanswered(batch, answers)
  for (let before = batch.length; rest.length > 0 && rest.length < before; rest = unanswered(rest, answers)) {
    before = rest.length
    answers = [...answers, ...(await send(rest))]
  }
  return positionsOf(batch, answers)
}
