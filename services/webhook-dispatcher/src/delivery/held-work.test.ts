import { expect, test } from '@jest/globals'
import type { Lane } from '@switchyard/webhooks'
import { DISPATCH_LIMITS, DUE_PAGE_COUNT, DUE_RETRY_MS } from '../limits.ts'
import { createHeldWork } from './held-work.ts'

const NOW = 1_000_000
const { waitingPerEndpointMax, waitingPerLaneMax, retriesUnderWayMax } = DISPATCH_LIMITS

const heldWork = () =>
  createHeldWork({
    now: () => NOW,
    states: { stateOf: ({ initialState }) => initialState, readIndex: async () => {}, onChange: () => {} },
  })
type Held = ReturnType<typeof heldWork>

const workOf = ({ works }: Held, merchantId: string) => works.of({ merchantId, profileId: 'default' })
const fill = (held: Held, merchantId: string, lane: Lane, count: number): void => {
  for (let number = 0; number < count; number++) held.offer(workOf(held, merchantId), { chainId: `${merchantId}_${lane}_${number}`, lane })
}

test('new events beyond those that can wait were left in the index until the retries of their endpoint were sent, too', () => {
  const held = heldWork()
  for (let number = 0; number < retriesUnderWayMax; number++) fill(held, `other${number}`, 'retry', 1)
  while (held.engine.next(NOW) !== undefined);
  fill(held, 'm1', 'retry', waitingPerEndpointMax)
  fill(held, 'm1', 'new', waitingPerEndpointMax + 1)
  const work = workOf(held, 'm1')
  for (let next = held.engine.next(NOW); next !== undefined; next = held.engine.next(NOW)) {
    expect(next.lane).toBe('new')
    held.engine.ended(next.chainId, 'succeeded', NOW)
    held.letGo(work, [next])
  }
  expect(work.lookAt).toBe(NOW)
})

test('an endpoint with more than a page looked into the index all the time while others held all there is room for', () => {
  const held = heldWork()
  for (let number = 0; held.engine.figures(NOW).waiting.retry < waitingPerLaneMax; number++)
    fill(held, `other${number}`, 'retry', waitingPerEndpointMax)
  const due = Array.from({ length: DUE_PAGE_COUNT }, (_, number) => ({ chainId: `mine_${number}`, lane: 'retry', isBegun: false }) as const)
  const work = workOf(held, 'm1')
  held.take(work, { due, full: ['retry'], nextAt: undefined }, true)
  expect(work.lookAt).toBe(NOW + DUE_RETRY_MS)
})
