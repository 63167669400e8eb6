import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventCodec } from '@switchyard/events'
import {
  type EventLog,
  includes,
  type LogRecord,
  type Position,
  type Positions,
  type ReadStore,
  type Subscription,
} from '@switchyard/kernel'
import { recordedPartOf, unlessPoison } from './decode-event.ts'
import { pinnedGeneration } from './generations.ts'
import { FOLLOW_SLICE_COUNT, FOLLOW_SLICE_COUNT_MAX, FOLLOW_TURNS } from './limits.ts'
import { createPaymentSnapshots, type FoldOfPayments } from './payment-snapshots.ts'
import { createProgress } from './progress.ts'
import { systemTimers, type Timers } from './timers.ts'

/** Keeps a payment fold in step with the log. */
export interface PaymentFollower {
  /** Restores the snapshots, catches up to the end of the log as it is now, then tails. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Waits until the fold has included `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly waitFor: (position: Position) => Promise<void>
  /** Whether everything that stands in the topic now is folded. */
  readonly isCaughtUp: () => Promise<boolean>
  readonly positions: () => Positions
}

/** What {@link createPaymentFollower} needs. */
export interface PaymentFollowerDependencies<Effect> {
  readonly log: EventLog
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly fold: FoldOfPayments<Effect>
  /** The tail can't go on: the fold does not move any more. */
  readonly onFailure: (error: unknown) => void
  readonly timers?: Timers
}

/** Each turn of the event loop may bring as many events as there are connections: a fold that took fewer would stay behind. */
const sliceCountOf = (recordCount: number): number =>
  Math.min(Math.max(Math.ceil(recordCount / FOLLOW_TURNS), FOLLOW_SLICE_COUNT), FOLLOW_SLICE_COUNT_MAX)

/** A {@link PaymentFollower}; records that this release can't read are passed by, the projector keeps them as dead letters. */
export const createPaymentFollower = <Effect>(dependencies: PaymentFollowerDependencies<Effect>): PaymentFollower => {
  const { log, store, codec, fold, onFailure, timers = systemTimers } = dependencies
  const progress = createProgress('payments', timers)
  let tail: Subscription | undefined

  const applySlice = (records: readonly LogRecord[]): void => {
    for (const record of records) {
      const event = unlessPoison(() => recordedPartOf(codec, record))
      if (event !== undefined) fold.apply(event)
    }
    const last = records.at(-1)?.position
    if (last !== undefined) progress.advance(last.partition, last.offset)
  }

  const include = async (records: readonly LogRecord[]): Promise<void> => {
    const count = sliceCountOf(records.length)
    for (let i = 0; i < records.length; i += count) {
      if (i > 0) await nextTurn()
      applySlice(records.slice(i, i + count))
    }
  }

  return {
    start: async () => {
      const stored = await createPaymentSnapshots(await pinnedGeneration(store, 'payments'), fold).restore()
      for (const [partition, offset] of stored) progress.advance(partition, offset)
      for await (const records of log.read('payments', stored)) await include(records)
      const fail = (error: unknown): void => {
        progress.end(error)
        onFailure(error)
      }
      tail = log.subscribe({ topic: 'payments', from: new Map(progress.positions()), handle: include, onFailure: fail })
    },
    stop: async () => {
      await tail?.stop()
      progress.end()
    },
    waitFor: (position) => progress.waitFor(position),
    isCaughtUp: async () =>
      [...(await log.endPositions('payments'))].every(([partition, offset]) => includes(progress.positions(), { partition, offset })),
    positions: progress.positions,
  }
}
