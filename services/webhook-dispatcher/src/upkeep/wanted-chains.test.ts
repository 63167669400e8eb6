import { describe, expect, test } from '@jest/globals'
import { type Chain, LIST_SCAN_COUNT_MAX, RECOVERY_EVENT_COUNT_MAX } from '@switchyard/webhooks'
import { countWanted, type Wanted } from './wanted-chains.ts'

const PAGE = 500

const chain = (status: Chain['status']): Chain => ({
  merchantId: 'm1',
  chainId: 'evt_1',
  profileId: 'default',
  objectId: 'pay_1',
  eventType: 'payment_failed',
  processorMerchantId: null,
  dedupeKey: '',
  createdAt: 0,
  status,
  version: 1,
  scheduledCount: 0,
  nextAt: null,
  attempts: [],
})
const wanted: Wanted = { merchantId: 'm1', sinceAt: 0, untilAt: 1, profileId: null, eventTypes: [], onlyUndelivered: true }

/** Full pages of chains of one status, so many chains in all. */
async function* pages(status: Chain['status'], count: number): AsyncGenerator<readonly Chain[]> {
  for (let left = count; left > 0; left -= PAGE) yield Array.from({ length: Math.min(PAGE, left) }, () => chain(status))
}

describe('what a recovery matches', () => {
  test('is counted, as many as it can send', async () => {
    expect(await countWanted(pages('EXHAUSTED', RECOVERY_EVENT_COUNT_MAX), wanted)).toBe(RECOVERY_EVENT_COUNT_MAX)
    expect(await countWanted(pages('EXHAUSTED', RECOVERY_EVENT_COUNT_MAX + 1), wanted)).toBeUndefined()
    expect(await countWanted(pages('DELIVERED', LIST_SCAN_COUNT_MAX - 1), wanted)).toBe(0)
  })

  test('is not known when there are more events than are looked through: those behind would be passed over in silence', async () => {
    expect(await countWanted(pages('DELIVERED', LIST_SCAN_COUNT_MAX), wanted)).toBeUndefined()
  })
})
