/** How many may be under way at the same time, of all and of each owner. */
export interface PlaceLimits {
  readonly countMax: number
  readonly perOwnerMax: number
}

/**
 * Places of a process for what merchants ask for and wait for: what one merchant's receivers or connections hold up must not take the
 * places of others. Work without an owner is bound by the places of all alone.
 */
export interface Places {
  readonly isFree: (owner: string | undefined) => boolean
  /** Takes a place, whether or not one is free; what it gives is to be called once and gives the place back. */
  readonly take: (owner: string | undefined) => () => void
  /** Runs with a place of the owner. */
  readonly within: <Value>(owner: string | undefined, run: () => Promise<Value>) => Promise<Value>
}

/** All {@link Places} are free. */
export const createPlaces = ({ countMax, perOwnerMax }: PlaceLimits): Places => {
  const taken = new Map<string, number>()
  let count = 0
  const takenBy = (owner: string | undefined): number => (owner === undefined ? 0 : (taken.get(owner) ?? 0))
  const change = (owner: string | undefined, by: 1 | -1): void => {
    count += by
    if (owner === undefined) return
    const own = takenBy(owner) + by
    if (own === 0) taken.delete(owner)
    else taken.set(owner, own)
  }
  const take = (owner: string | undefined): (() => void) => {
    change(owner, 1)
    return () => change(owner, -1)
  }
  return {
    isFree: (owner) => count < countMax && takenBy(owner) < perOwnerMax,
    take,
    within: async (owner, run) => {
      const giveBack = take(owner)
      try {
        return await run()
      } finally {
        giveBack()
      }
    },
  }
}
