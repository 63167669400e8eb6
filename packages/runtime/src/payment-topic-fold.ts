import type { EventCodec, PaymentsEvent } from '@switchyard/events'
import { BEFORE_FIRST, type Positions, type ReadStore } from '@switchyard/kernel'
import { decodePaymentsEvent } from './decode-event.ts'
import { SNAPSHOT_LIMITS, type SnapshotLimits } from './limits.ts'
import { createPaymentSnapshots, type FoldOfPayments } from './payment-snapshots.ts'
import { systemTimers, type Timers } from './timers.ts'
import type { PersistWhen, TopicFold } from './topic-fold.ts'

/** What {@link createPaymentTopicFold} needs. */
export interface PaymentTopicFoldDependencies<Effect> {
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly fold: FoldOfPayments<Effect>
  readonly limits?: SnapshotLimits
  readonly timers?: Timers
}

/** Snapshots take at most this share of the time: one that took long is followed by a longer interval. */
const SNAPSHOT_TIME_SHARE = 0.1

/** The payment fold as the projector keeps it, stored as snapshots every so many events or milliseconds and at the end. */
export const createPaymentTopicFold = <Effect>(
  dependencies: PaymentTopicFoldDependencies<Effect>,
): TopicFold<PaymentsEvent, readonly Effect[]> => {
  const { store, codec, fold, limits = SNAPSHOT_LIMITS, timers = systemTimers } = dependencies
  const snapshots = createPaymentSnapshots(store, fold)
  let stored: Positions = new Map()
  let eventCount = 0
  let nextMs = timers.now() + limits.intervalMs
  let earliestMs = 0

  const isDue = (when: PersistWhen): boolean => {
    if (when === 'now') return eventCount > 0
    const isMuch = eventCount >= limits.eventCountMax
    // A process that is killed again and again reads no more than that each time.
    if (when === 'caught-up') return isMuch
    return eventCount > 0 && timers.now() >= earliestMs && (isMuch || timers.now() >= nextMs)
  }

  return {
    restore: async (isWanted) => {
      stored = await snapshots.restore(isWanted)
      return stored
    },
    decode: (value) => decodePaymentsEvent(codec, value),
    apply: ({ key, position }, event) => {
      snapshots.note(key, position.partition)
      eventCount += 1
      return fold.apply(event)
    },
    persist: async (positions, when) => {
      if (!isDue(when)) return
      const startedMs = timers.now()
      await snapshots.save(new Map([...positions].filter(([partition, offset]) => offset > (stored.get(partition) ?? BEFORE_FIRST))))
      stored = new Map(positions)
      eventCount = 0
      nextMs = timers.now() + limits.intervalMs
      earliestMs = timers.now() + (timers.now() - startedMs) / SNAPSHOT_TIME_SHARE
    },
    leftForMs: () => (eventCount > 0 ? Math.max(1, nextMs - timers.now(), earliestMs - timers.now()) : undefined),
  }
}
