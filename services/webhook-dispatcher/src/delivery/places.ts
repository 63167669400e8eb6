/** How many may be under way at the same time. */
export interface PlaceLimits {
  readonly countMax: number
  readonly perMerchantMax: number
}

/** Places for what merchants ask for and wait for, of the process and of each merchant: an endpoint that hangs must not take those of others. */
export interface Places {
  readonly isFree: (merchantId: string) => boolean
  /** Runs with a place of the merchant. */
  readonly within: <Value>(merchantId: string, run: () => Promise<Value>) => Promise<Value>
}

/** All {@link Places} are free. */
export const createPlaces = ({ countMax, perMerchantMax }: PlaceLimits): Places => {
  const taken = new Map<string, number>()
  let count = 0
  const change = (merchantId: string, by: 1 | -1): void => {
    const own = (taken.get(merchantId) ?? 0) + by
    count += by
    if (own === 0) taken.delete(merchantId)
    else taken.set(merchantId, own)
  }
  return {
    isFree: (merchantId) => count < countMax && (taken.get(merchantId) ?? 0) < perMerchantMax,
    within: async (merchantId, run) => {
      change(merchantId, 1)
      try {
        return await run()
      } finally {
        change(merchantId, -1)
      }
    },
  }
}
