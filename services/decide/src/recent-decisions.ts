/**
 * Payments decided a moment ago, whose events the fold may not have seen yet. Bounded: two generations, the older one is
 * forgotten when the newer one is full.
 */
export interface RecentDecisions {
  readonly add: (merchantId: string, paymentId: string) => void
  readonly has: (merchantId: string, paymentId: string) => boolean
}

/** Remembers at least the newest `countMax` and at most twice as many. */
export const createRecentDecisions = (countMax: number): RecentDecisions => {
  let newer = new Set<string>()
  let older = new Set<string>()
  const keyOf = (merchantId: string, paymentId: string): string => `${merchantId.length}:${merchantId}${paymentId}`
  return {
    add: (merchantId, paymentId) => {
      if (newer.size >= countMax) {
        older = newer
        newer = new Set()
      }
      newer.add(keyOf(merchantId, paymentId))
    },
    has: (merchantId, paymentId) => {
      const key = keyOf(merchantId, paymentId)
      return newer.has(key) || older.has(key)
    },
  }
}
