import { expect, test } from '@jest/globals'
import type { Lane } from '@switchyard/webhooks'
import { DISPATCH_LIMITS } from '../limits.ts'
import { createHeldWork } from './held-work.ts'

const NOW = 1_000_000
const { waitingPerEndpointMax, retriesUnderWayMax } = DISPATCH_LIMITS

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
