import { describe, expect, test } from '@jest/globals'
import type { Identity, RouteReply } from '@switchyard/http'
import type { RoutingAlgorithms } from '@switchyard/routing'
import { SIMULATIONS_IN_FLIGHT_MAX } from '../limits.ts'
import { EMPTY_TALLY } from '../simulation/tally.ts'
import { simulateRoute } from './simulate.ts'

const algorithms: RoutingAlgorithms = {
  registered: true,
  algorithms: [
    {
      id: 'draft',
      name: 'draft',
      description: '',
      purpose: 'PAYMENT',
      kind: 'PRIORITY',
      definition: '{"form":"priority","connectors":[]}',
      createdAt: 0,
      modifiedAt: 0,
    },
  ],
  active: [],
}
const identity: Identity = { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false }

describe('POST /routing/simulate', () => {
  test('so many at a time; one that a client left makes room again', async () => {
    const route = simulateRoute({
      states: { stateOf: (slice) => ({ ...slice.initialState, ...algorithms }), readIndex: () => Promise.resolve() },
      simulatePage: () => Promise.resolve({ tally: EMPTY_TALLY, next: null, isCut: false }),
      historySinceOf: () => 0,
      now: () => 1_000,
    })
    const ask = async (): Promise<RouteReply> =>
      await route.handle({
        params: {},
        query: new URLSearchParams(),
        body: { routing_algorithm_id: 'draft', range: '1h' },
        headers: {},
        identity,
        requestId: 'r_1',
        receivedAt: 0,
        remoteAddress: () => '127.0.0.1',
      })
    const begin = async (): Promise<AsyncIterator<string>> => {
      const { pieces } = await ask()
      if (pieces === undefined) throw new Error('it should stream')
      const lines = pieces[Symbol.asyncIterator]()
      expect((await lines.next()).value).toContain('"progress"')
      return lines
    }
    const running = await Promise.all(Array.from({ length: SIMULATIONS_IN_FLIGHT_MAX }, begin))
    expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    await running[0]?.return?.()
    expect(await ask()).toMatchObject({ status: 200, headers: { 'x-accel-buffering': 'no' } })
  })
})
