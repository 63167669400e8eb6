import { hash53 } from '@switchyard/kernel'
import { RecentNumbers } from '@switchyard/routing'

/** Payments decided a moment ago, whose events the fold may not have seen yet. Bounded. */
export interface RecentDecisions {
  readonly add: (merchantId: string, paymentId: string) => void
  readonly has: (merchantId: string, paymentId: string) => boolean
}

/** Remembers at least the newest `countMax` and at most twice as many, each as a hash of 53 bits. */
export const createRecentDecisions = (countMax: number): RecentDecisions => {
  const recent = new RecentNumbers(countMax)
  return {
    add: (merchantId, paymentId) => {
      recent.add(hash53(merchantId, paymentId))
    },
    has: (merchantId, paymentId) => recent.has(hash53(merchantId, paymentId)),
  }
}
