import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SubscribeOptions, Subscription } from '@switchyard/kernel'
import { OFFSET_LAST } from './chunk-key.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { Notices } from './notices.ts'
import { readBehind, startOffsets } from './positions.ts'
import type { RecentRecords } from './recent-records.ts'

/** What a tail reads from. */
export interface TailSource {
  readonly store: ChunkStore
  readonly partitionCount: number
  readonly notices: Notices
  readonly recent: RecentRecords
  /** Throws when the log is closed. */
  readonly assertOpen: () => void
}

/** What `assertOpen` throws. */
const refusalOf = (assertOpen: () => void): unknown => {
  try {
    assertOpen()
    return undefined
  } catch (error) {
    return error
  }
}

/** Follows a topic: one batch of one partition at a time, in turn, then waits for a notice. */
export const startTail = ({ store, partitionCount, notices, recent, assertOpen }: TailSource, options: SubscribeOptions): Subscription => {
  const { topic, from, handle, onFailure } = options
  let stopping = false

  const passOnce = async (offsets: Map<number, number>): Promise<'moved' | 'at-end'> => {
    let outcome: 'moved' | 'at-end' = 'at-end'
    for (const [partition, after] of offsets) {
      if (stopping) return outcome
      const records = recent.take({ topic, partition, after }) ?? readBehind(store, { topic, partition, after }, OFFSET_LAST)
      const last = records.at(-1)
      if (last === undefined) continue
      await handle(records)
      offsets.set(partition, last.position.offset)
      outcome = 'moved'
      await nextTurn()
    }
    return outcome
  }

  const fail = (error: unknown): void => {
    stopping = true
    onFailure(error)
  }

  /** Whether the log is open counts at the call: a log that is closed right behind it ends the tail without a failure. */
  const refusal = refusalOf(assertOpen)

  const follow = async (): Promise<void> => {
    await nextTurn()
    if (stopping) return
    if (refusal !== undefined) {
      fail(refusal)
      return
    }
    try {
      const offsets = startOffsets(store, topic, from, partitionCount)
      while (!stopping) {
        const seen = notices.count()
        if ((await passOnce(offsets)) === 'at-end' && !stopping) await notices.after(seen)
      }
    } catch (error) {
      fail(error)
    }
  }

  const ended = follow()
  return {
    stop: async () => {
      stopping = true
      notices.wake()
      await ended
    },
  }
}
