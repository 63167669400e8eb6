import type { KeySpace } from '@switchyard/kernel'
import { createPaymentFold, PAYMENT_FOLD_LIMITS, type PaymentFold } from '@switchyard/routing'
import {
  createPaymentAppender,
  createPaymentFollower,
  type Part,
  type PaymentAppender,
  type PaymentFollower,
  systemTimers,
} from '@switchyard/runtime'
import { createKeyUses, type KeyUses } from './key-uses.ts'
import { createTally } from './log-limits.ts'
import { tellingLog } from './outages.ts'
import { type Engines, newId, now, traces, type Voices } from './surroundings.ts'

/** The topic `payments` in a process: windows and open decisions in memory. */
export interface Payments {
  readonly fold: PaymentFold
  readonly waitFor: PaymentFollower['waitFor']
  /** Waits until the fold has seen what stands in the merchant's payments now. */
  readonly readPayments: (merchantId: string) => Promise<void>
  readonly part: Part
}

/** The one {@link Payments} of a process; `keys` are those of its configuration: merchants have something under both. */
export const createPayments = ({ log, store, codec }: Engines, { onFailure }: Pick<Voices, 'onFailure'>, keys: KeySpace): Payments => {
  const fold = createPaymentFold(PAYMENT_FOLD_LIMITS, keys)
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure })
  return {
    fold,
    waitFor: follower.waitFor,
    readPayments: async (merchantId) => follower.waitFor(await log.endPosition('payments', merchantId)),
    part: { name: 'windows', start: follower.start, stop: follower.stop },
  }
}

/** The way of payment events into the log, and what tells of the keys that were used. */
export interface Recorder {
  readonly appender: PaymentAppender
  readonly noteKey: KeyUses['note']
  readonly part: Part
}

/** The way of payment events into the log, with a word about those that were dropped. */
export const createRecorder = (
  { log, codec }: Pick<Engines, 'log' | 'codec'>,
  { report, metrics }: Pick<Voices, 'report' | 'metrics'>,
): Recorder => {
  const drops = createTally((count, cause) => report.failed(`${count} decisions were not recorded`, cause))
  const appender = createPaymentAppender({ log: tellingLog(log, { report }), codec, newId, traceOf: traces.of, onDropped: drops.add })
  const flush = async (): Promise<void> => {
    await appender.close()
    drops.flush()
  }
  const keyUses = createKeyUses({ appender, timers: systemTimers, now, newId })
  const stop = async (): Promise<void> => {
    // What was used last is told before the way is closed.
    await keyUses.part.stop()
    await flush()
  }
  return { appender: metrics.ofAppender(appender), noteKey: keyUses.note, part: { name: 'appender', start: keyUses.part.start, stop } }
}
