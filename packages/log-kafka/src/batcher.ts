import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NewRecord, Position, Topic } from '@switchyard/kernel'
import { type AppendEntry, createAppendQueue, place, refuse } from './append-queue.ts'
import type { IdempotentProducer } from './idempotent-producer.ts'
import type { KafkaLogLimits } from './limits.ts'
import { assertKeepable, messageOf } from './messages.ts'
import type { PartitionOf } from './partitioner.ts'

/** Appends of many callers, written together: the driver itself sends every call as a request of its own. */
export interface Batcher {
  readonly append: (topic: Topic, records: readonly NewRecord[]) => Promise<readonly Position[]>
  /** Resolves when nothing waits and no batch is under way. */
  readonly idle: () => Promise<void>
}

/** What {@link createBatcher} needs. */
export interface BatcherDependencies {
  readonly send: IdempotentProducer['send']
  readonly nameOf: (topic: Topic) => string
  readonly partitionOf: PartitionOf
  readonly limits: Pick<KafkaLogLimits, 'batchCountMax' | 'batchBytesMax' | 'lingerMs' | 'pendingBytesMax'>
}

/** {@link Batcher} with at most one batch under way, so that the records of a key keep the order of the calls. */
export const createBatcher = ({ send, nameOf, partitionOf, limits }: BatcherDependencies): Batcher => {
  const queue = createAppendQueue(limits)
  let running: Promise<void> | undefined
  let hurry = (): void => {}

  const linger = async (): Promise<void> => {
    if (queue.isFull()) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limits.lingerMs)
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    hurry = () => {}
  }

  const write = async (batch: readonly AppendEntry[]): Promise<void> => {
    if (batch.length === 0) return
    try {
      const positions = await send(batch.map(({ outgoing }) => outgoing))
      for (const [index, entry] of batch.entries()) {
        const position = positions[index]
        if (position !== undefined) place(entry, position)
      }
    } catch (error) {
      for (const entry of batch) refuse(entry, error)
    }
  }

  const run = async (): Promise<void> => {
    await linger()
    while (queue.count() > 0) {
      const taken = queue.take()
      await write(taken.filter(({ append }) => !append.isSettled))
      queue.release(taken)
      // Those who were answered append again: they share the next batch.
      await nextTurn()
    }
    running = undefined
  }

  return {
    append: async (topic, records) => {
      records.forEach(assertKeepable)
      if (records.length === 0) return []
      const name = nameOf(topic)
      const placed = queue.push(records, (record) => ({ topic: name, message: messageOf(record, partitionOf(record.key)) }))
      if (queue.count() > 0) running ??= run()
      // Several records of one call were gathered already.
      if (queue.isFull() || records.length > 1) hurry()
      return await placed
    },
    idle: async () => await running,
  }
}
