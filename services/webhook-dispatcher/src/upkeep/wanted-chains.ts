import { type Chain, isChainDelivered, LIST_SCAN_COUNT_MAX, RECOVERY_EVENT_COUNT_MAX, type Recovery } from '@switchyard/webhooks'

/** What a recovery sends again. */
export type Wanted = Pick<Recovery, 'merchantId' | 'sinceAt' | 'untilAt' | 'profileId' | 'eventTypes' | 'onlyUndelivered'>

/** Whether a recovery sends this chain again. */
export const isWanted = (chain: Chain, { profileId, eventTypes, onlyUndelivered }: Wanted): boolean => {
  if (profileId !== null && chain.profileId !== profileId) return false
  if (eventTypes.length > 0 && !eventTypes.includes(chain.eventType)) return false
  return !onlyUndelivered || isChainDelivered(chain) !== true
}

/**
 * How many of these are wanted; undefined when that are more than one recovery sends, or when there are as many as are looked through
 * at most: what lies behind them would be passed over in silence.
 */
export const countWanted = async (pages: AsyncIterable<readonly Chain[]>, wanted: Wanted): Promise<number | undefined> => {
  let seenCount = 0
  let count = 0
  for await (const chains of pages) {
    seenCount += chains.length
    count += chains.filter((chain) => isWanted(chain, wanted)).length
    if (count > RECOVERY_EVENT_COUNT_MAX || seenCount >= LIST_SCAN_COUNT_MAX) return undefined
  }
  return count
}
