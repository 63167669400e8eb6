import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperatingError, type Positions, type SubscribeOptions, type Subscription, type Topic, thrownBy } from '@switchyard/kernel'
import type { Partition } from './partition.ts'

/** Where to go on in each partition: behind `from`, or, where that says nothing, at the first record that is kept. */
export const startOffsets = (partitions: readonly Partition[], topic: Topic, from: Positions): Map<Partition, number> => {
  for (const number of from.keys()) {
    if (number < partitions.length) continue
    throw new OperatingError('LOG_TRUNCATED', `${topic}: the log has ${partitions.length} partitions, ${number} is none`, {
      retryable: false,
    })
  }
  return new Map(
    partitions.map((partition) => {
      const after = from.get(partition.number) ?? partition.firstOffset() - 1
      partition.assertReachable(after)
      return [partition, after]
    }),
  )
}

/** A tail that runs. */
export interface Tail extends Subscription {
  /** Something new may be there. */
  readonly wake: () => void
}

/** Follows the partitions of a topic: one batch of one partition at a time, in turn, then waits to be woken. */
export const startTail = (
  partitions: readonly Partition[],
  { topic, from, handle, onFailure }: SubscribeOptions,
  assertOpen: () => void,
): Tail => {
  let stopping = false
  let isStale = false
  let resume = (): void => {}
  const wake = (): void => {
    isStale = true
    resume()
  }

  const passOnce = async (offsets: Map<Partition, number>): Promise<void> => {
    isStale = false
    for (const [partition, after] of offsets) {
      if (stopping) return
      const records = partition.read(after, Number.MAX_SAFE_INTEGER)
      const last = records.at(-1)
      if (last === undefined) continue
      await handle(records)
      offsets.set(partition, last.position.offset)
      isStale = true
      await nextTurn()
    }
  }

  const fail = (error: unknown): void => {
    stopping = true
    onFailure(error)
  }

  /** Whether the log is open counts at the call: a log that is closed right behind it ends the tail without a failure. */
  const refusal = thrownBy(assertOpen)

  const follow = async (): Promise<void> => {
    await nextTurn()
    if (stopping) return
    if (refusal !== undefined) {
      fail(refusal)
      return
    }
    try {
      const offsets = startOffsets(partitions, topic, from)
      while (!stopping) {
        await passOnce(offsets)
        if (stopping || isStale) continue
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      }
    } catch (error) {
      // Not of a handler that is being stopped, or whose log was closed under it, whatever it comes to.
      if (!stopping && thrownBy(assertOpen) === undefined) fail(error)
    }
  }

  const ended = follow()
  return {
    wake,
    stop: async () => {
      stopping = true
      wake()
      await ended
    },
  }
}
