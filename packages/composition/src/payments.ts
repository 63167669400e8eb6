import { createPaymentFold, type PaymentFold } from '@switchyard/routing'
import { createPaymentAppender, createPaymentFollower, type Part, type PaymentAppender, type PaymentFollower } from '@switchyard/runtime'
import { createTally } from './log-limits.ts'
import { type Engines, newId, type Voices } from './surroundings.ts'

/** The topic `payments` in a process: windows and open decisions in memory. */
export interface Payments {
  readonly fold: PaymentFold
  readonly waitFor: PaymentFollower['waitFor']
  /** Waits until the fold has seen what stands in the merchant's payments now. */
  readonly readPayments: (merchantId: string) => Promise<void>
  readonly part: Part
}

/** The one {@link Payments} of a process. */
export const createPayments = ({ log, store, codec }: Engines, { onFailure }: Pick<Voices, 'onFailure'>): Payments => {
  const fold = createPaymentFold()
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure })
  return {
    fold,
    waitFor: follower.waitFor,
    readPayments: async (merchantId) => follower.waitFor(await log.endPosition('payments', merchantId)),
    part: { name: 'windows', start: follower.start, stop: follower.stop },
  }
}

/** The way of payment events into the log, with a word about those that were dropped. */
export const createRecorder = (
  { log, codec }: Pick<Engines, 'log' | 'codec'>,
  { report }: Pick<Voices, 'report'>,
): { readonly appender: PaymentAppender; readonly part: Part } => {
  const drops = createTally((count, cause) => report.failed(`${count} decisions were not recorded`, cause))
  const appender = createPaymentAppender({ log, codec, newId, onDropped: drops.add })
  const flush = async (): Promise<void> => {
    await appender.close()
    drops.flush()
  }
  return { appender, part: { name: 'appender', start: async () => {}, stop: flush } }
}
