import { describe, expect, test } from '@jest/globals'
import { type DispatchRun, dispatchRun } from './dispatch.fixture.ts'

const endpointsOf = (deliveries: readonly { readonly endpointId: string }[]): readonly string[] =>
  deliveries.map(({ endpointId }) => endpointId)

const offerMany = ({ offer }: DispatchRun, count: number, ...what: Parameters<DispatchRun['offer']>): void => {
  for (let index = 0; index < count; index++) offer(...what)
}

/** Ends everything that is under way. */
const endAll = (run: DispatchRun, result: 'succeeded' | 'failed' = 'succeeded'): void => {
  for (const chainId of run.underWay.keys()) run.end(chainId, result)
}

describe('turns', () => {
  test('endpoints take turns, however much waits for one of them', () => {
    const run = dispatchRun()
    offerMany(run, 5, 'a')
    offerMany(run, 2, 'b')
    run.offer('c')
    expect(endpointsOf(run.pump())).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a', 'a'])
  })

  test('within an endpoint new events and retries alternate', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 1, perSecondMax: null } })
    offerMany(run, 3, 'a', 'retry')
    offerMany(run, 3, 'a', 'new')
    for (let turn = 0; turn < 6; turn++) {
      run.pump()
      endAll(run)
    }
    expect(run.started.map(({ lane }) => lane)).toEqual(['new', 'retry', 'new', 'retry', 'new', 'retry'])
  })

  test('a lane is first in, first out', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 1, perSecondMax: null } })
    offerMany(run, 4, 'a')
    for (let turn = 0; turn < 4; turn++) {
      run.pump()
      endAll(run)
    }
    expect(run.started.map(({ chainId }) => chainId)).toEqual(['c1', 'c2', 'c3', 'c4'])
  })
})

describe('bounds of what is under way', () => {
  test('of one endpoint', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 3, perSecondMax: null } })
    offerMany(run, 10, 'a')
    expect(run.pump()).toHaveLength(3)
    run.end('c1', 'succeeded')
    expect(run.pump()).toHaveLength(1)
  })

  test('retries leave one place of their endpoint to new events', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 3, perSecondMax: null } })
    offerMany(run, 10, 'a', 'retry')
    expect(run.pump()).toHaveLength(2)
    run.offer('a')
    expect(run.pump().map(({ lane }) => lane)).toEqual(['new'])
  })

  test('of one merchant, whose endpoints then take turns', () => {
    const run = dispatchRun({ underWayPerMerchantMax: 2 })
    for (const endpoint of ['a', 'b', 'c']) offerMany(run, 2, endpoint, 'new', 'm')
    offerMany(run, 1, 'd', 'new', 'other')
    expect(endpointsOf(run.pump())).toEqual(['a', 'b', 'd'])
    run.end('c1', 'succeeded')
    expect(endpointsOf(run.pump())).toEqual(['c'])
    run.end('c3', 'succeeded')
    expect(endpointsOf(run.pump())).toEqual(['a'])
  })

  test('of the process: retries have a share, and the last places are for endpoints that have none', () => {
    const run = dispatchRun({ underWayMax: 8, reservedCount: 2, retriesUnderWayMax: 3 })
    offerMany(run, 20, 'a', 'retry')
    expect(run.pump()).toHaveLength(3)
    offerMany(run, 20, 'b')
    expect(endpointsOf(run.pump())).toEqual(['b', 'b', 'b'])
    run.offer('c')
    offerMany(run, 2, 'd')
    expect(endpointsOf(run.pump())).toEqual(['c', 'd'])
    run.offer('e')
    expect(run.pump()).toEqual([])
    const [first = ''] = [...run.underWay].filter(([, { endpointId }]) => endpointId === 'c').map(([chainId]) => chainId)
    run.end(first, 'succeeded')
    expect(endpointsOf(run.pump())).toEqual(['e'])
  })
})

describe('the rate of an endpoint', () => {
  test('is kept over time, and nothing else waits for it', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 64, perSecondMax: 10 } })
    offerMany(run, 30, 'a')
    run.offer('b')
    expect(endpointsOf(run.pump())).toContain('b')
    for (let step = 0; step < 1000; step += 10) {
      run.advance(10)
      run.pump()
    }
    const times = run.started.filter(({ endpointId }) => endpointId === 'a').map(({ atMs }) => atMs)
    expect(times).toHaveLength(11)
    for (const [index, atMs] of times.slice(1).entries()) expect(atMs - (times[index] ?? 0)).toBeGreaterThanOrEqual(50)
  })

  test('wakes the driver', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 64, perSecondMax: 4 } })
    offerMany(run, 2, 'a')
    expect(run.pump()).toHaveLength(1)
    expect(run.engine.wakeAtMs()).toBe(run.now() + 200)
  })
})

describe('an endpoint that fails', () => {
  const failing = (count: number): DispatchRun => {
    const run = dispatchRun({}, { a: { concurrencyMax: 1, perSecondMax: null } })
    offerMany(run, 100, 'a')
    for (let turn = 0; turn < count; turn++) {
      run.pump()
      endAll(run, 'failed')
    }
    return run
  }

  test('is left alone for 30 s after ten failures', () => {
    expect(failing(9).pump()).toHaveLength(1)
    const run = failing(10)
    expect(run.engine.breakerOf('a', run.now())).toBe('open')
    expect(run.pump()).toEqual([])
    expect(run.engine.wakeAtMs()).toBe(run.now() + 30_000)
    run.advance(29_999)
    expect(run.pump()).toEqual([])
  })

  test('then has one probe; each that fails doubles the pause, up to ten minutes', () => {
    const run = failing(10)
    for (const pauseMs of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      run.advance(pauseMs - 1)
      expect(run.pump()).toEqual([])
      run.advance(1)
      expect(run.pump()).toHaveLength(1)
      expect(run.pump()).toEqual([])
      endAll(run, 'failed')
    }
  })

  test('is asked freely again after a probe that succeeds', () => {
    const run = failing(10)
    run.advance(30_000)
    run.pump()
    endAll(run)
    expect(run.engine.breakerOf('a', run.now())).toBe('closed')
    for (let turn = 0; turn < 9; turn++) {
      expect(run.pump()).toHaveLength(1)
      endAll(run, 'failed')
    }
    expect(run.pump()).toHaveLength(1)
  })

  test('a probe that was never sent leaves the way free for another', () => {
    const run = failing(10)
    run.advance(30_000)
    const [probe] = run.pump()
    run.end(probe?.chainId ?? '', 'unsent')
    expect(run.pump()).toHaveLength(1)
  })

  test('uses nothing up while it is left alone, and the others do not notice', () => {
    const run = failing(10)
    run.offer('b')
    expect(endpointsOf(run.pump())).toEqual(['b'])
    expect(run.waiting.size).toBe(90)
  })

  test('is trusted again when it was configured anew', () => {
    const run = failing(10)
    run.engine.trust('a')
    expect(run.pump()).toHaveLength(1)
  })

  test('is trusted again while its probe is under way, whose end then tells nothing', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 2, perSecondMax: null } })
    offerMany(run, 100, 'a')
    for (let turn = 0; turn < 5; turn++) {
      run.pump()
      endAll(run, 'failed')
    }
    run.advance(30_000)
    const [probe] = run.pump()
    run.engine.trust('a')
    expect(run.pump()).toHaveLength(1)
    run.end(probe?.chainId ?? '', 'failed')
    expect(run.engine.breakerOf('a', run.now())).toBe('closed')
  })
})

describe('what is held', () => {
  test('a chain is held once, waiting or under way', () => {
    const { engine } = dispatchRun()
    const delivery = { chainId: 'c', endpointId: 'a', merchantId: 'm', lane: 'retry' } as const
    expect(engine.offer(delivery)).toBe('waits')
    expect(engine.offer(delivery)).toBe('held_already')
    expect(engine.next(0)).toBe(delivery)
    expect(engine.offer(delivery)).toBe('held_already')
    engine.ended('c', 'failed', 0)
    expect(engine.offer(delivery)).toBe('waits')
  })

  test('an endpoint holds so many of each lane', () => {
    const run = dispatchRun({ waitingPerEndpointMax: 4 }, { a: { concurrencyMax: 2, perSecondMax: null } })
    offerMany(run, 4, 'a', 'retry')
    expect(run.offer('a', 'retry')).toBe('endpoint_full')
    expect(run.offer('a', 'new')).toBe('waits')
    run.pump()
    expect(run.offer('a', 'retry')).toBe('waits')
  })

  test('endpoints that are left alone are counted', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 1, perSecondMax: null } })
    offerMany(run, 11, 'a', 'retry')
    for (let turn = 0; turn < 10; turn++) {
      run.pump()
      endAll(run, 'failed')
    }
    expect(run.engine.figures(run.now()).openCircuitCount).toBe(1)
    run.advance(30_000)
    expect(run.engine.figures(run.now()).openCircuitCount).toBe(0)
  })

  test('each lane of the process has a bound', () => {
    const run = dispatchRun({ waitingPerLaneMax: 3 })
    for (const endpoint of ['a', 'b', 'c']) expect(run.offer(endpoint, 'retry')).toBe('waits')
    expect(run.offer('d', 'retry')).toBe('lane_full')
    expect(run.offer('d', 'new')).toBe('waits')
    run.pump()
    expect(run.offer('d', 'retry')).toBe('waits')
  })

  test('what waits for an endpoint can be withdrawn; what is under way goes on', () => {
    const run = dispatchRun({}, { a: { concurrencyMax: 2, perSecondMax: null } })
    offerMany(run, 3, 'a', 'retry')
    offerMany(run, 3, 'a')
    run.pump()
    expect(run.engine.withdraw('a')).toHaveLength(4)
    endAll(run)
    expect(run.pump()).toEqual([])
    expect(run.engine.figures(run.now())).toEqual({
      waiting: { new: 0, retry: 0 },
      underWay: { new: 0, retry: 0 },
      endpointCount: 0,
      openCircuitCount: 0,
    })
  })

  test('an endpoint without work is forgotten, its failures are not', () => {
    const run = dispatchRun()
    run.offer('a')
    run.offer('b')
    const [a, b] = run.pump()
    run.end(a?.chainId ?? '', 'succeeded')
    run.end(b?.chainId ?? '', 'failed')
    run.pump()
    expect(run.engine.figures(run.now()).endpointCount).toBe(1)
  })
})
