import { hash53 } from '@switchyard/kernel'
import { RecentNumbers } from '@switchyard/routing'

/** A payment, and which registration of the merchant's id it was decided for: the next one knows nothing of it. */
interface DecidedPayment {
  readonly merchantId: string
  readonly merchantRegistrationCount: number
  readonly paymentId: string
}

/** Payments decided a moment ago, whose events the fold may not have seen yet. Bounded. */
export interface RecentDecisions {
  readonly add: (payment: DecidedPayment) => void
  readonly has: (payment: DecidedPayment) => boolean
}

/** A payment as 53 bits. */
export const numberOf = ({ merchantId, merchantRegistrationCount, paymentId }: DecidedPayment): number =>
  hash53(merchantId, String(merchantRegistrationCount), paymentId)

/** Remembers at least the newest `countMax` and at most twice as many, each as a hash of 53 bits. */
export const createRecentDecisions = (countMax: number): RecentDecisions => {
  const recent = new RecentNumbers(countMax)
  return {
    add: (payment) => {
      recent.add(numberOf(payment))
    },
    has: (payment) => recent.has(numberOf(payment)),
  }
}
