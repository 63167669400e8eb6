import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LogRecord, type SubscribeOptions, type Subscription, thrownBy } from '@switchyard/kernel'
import { OFFSET_LAST } from './chunk-key.ts'
import type { ChunkStore, PartitionOffset } from './chunk-store.ts'
import type { Notices } from './notices.ts'
import type { PartitionEnds } from './partition-ends.ts'
import { readBehind, startOffsets } from './positions.ts'
import type { RecentRecords } from './recent-records.ts'

/** What a tail reads from. */
export interface TailSource {
  readonly store: ChunkStore
  readonly partitionCount: number
  readonly notices: Notices
  readonly recent: RecentRecords
  /** Of the owner, who needs not read to know that there is nothing new. */
  readonly ends: PartitionEnds | undefined
  /** Throws when the log is closed. */
  readonly assertOpen: () => void
}

const NOTHING_NEW: readonly LogRecord[] = []

const nextBatch = ({ store, recent, ends }: TailSource, from: PartitionOffset): readonly LogRecord[] => {
  if (ends !== undefined && ends.of(from.topic, from.partition) === from.after) return NOTHING_NEW
  return recent.take(from) ?? readBehind(store, from, Math.min(OFFSET_LAST, recent.nextKept(from) - 1))
}

/** Where a tail stands in a partition. */
interface Place extends PartitionOffset {
  /** The count of the partition's notices at which nothing stood behind: without another one, nobody needs to look. */
  readonly emptyAt?: number
}

/** Follows a topic: one batch of one partition at a time, in turn, then waits for a notice. */
export const startTail = (source: TailSource, options: SubscribeOptions): Subscription => {
  const { store, partitionCount, notices, assertOpen } = source
  const { topic, from, handle, onFailure } = options
  let stopping = false

  const passOnce = async (places: Map<number, Place>): Promise<'moved' | 'at-end'> => {
    let outcome: 'moved' | 'at-end' = 'at-end'
    for (const [partition, place] of places) {
      if (stopping) return outcome
      const heard = notices.countIn(topic, partition)
      if (place.emptyAt === heard) continue
      const records = nextBatch(source, place)
      const last = records.at(-1)
      if (last === undefined) {
        places.set(partition, { ...place, emptyAt: heard })
        continue
      }
      await handle(records)
      // A batch is made of whole chunks.
      places.set(partition, { topic, partition, after: last.position.offset, endsChunk: true })
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
  const refusal = thrownBy(assertOpen)

  const follow = async (): Promise<void> => {
    await nextTurn()
    if (stopping) return
    if (refusal !== undefined) {
      fail(refusal)
      return
    }
    // Not of a log that is closed: nobody would end that.
    notices.listen(topic)
    try {
      const starts = startOffsets(store, topic, from, partitionCount)
      const places = new Map([...starts].map(([partition, after]): [number, Place] => [partition, { topic, partition, after }]))
      while (!stopping) {
        const seen = notices.count(topic)
        if ((await passOnce(places)) === 'at-end' && !stopping) await notices.after(topic, seen)
      }
    } catch (error) {
      // Not of a handler that is being stopped, or whose log was closed under it, whatever it comes to.
      if (!stopping && thrownBy(assertOpen) === undefined) fail(error)
    }
  }

  const ended = follow()
  return {
    stop: async () => {
      stopping = true
      notices.wake(topic)
      await ended
    },
  }
}
