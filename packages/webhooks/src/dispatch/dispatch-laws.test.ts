import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type DispatchRun, dispatchRun } from './dispatch.fixture.ts'
import type { Delivery, EndpointSettings } from './endpoint-queue.ts'

const ENDPOINTS = ['a', 'b', 'c', 'd', 'e']
const MERCHANT_OF: Readonly<Record<string, string>> = { a: 'm', b: 'm', c: 'm', d: 'n', e: 'o' }
const SETTINGS: Readonly<Record<string, EndpointSettings>> = {
  a: { concurrencyMax: 1, perSecondMax: null },
  b: { concurrencyMax: 4, perSecondMax: 20 },
  c: { concurrencyMax: 2, perSecondMax: null },
  d: { concurrencyMax: 8, perSecondMax: null },
  e: { concurrencyMax: 3, perSecondMax: 5 },
}
const LIMITS = {
  underWayMax: 12,
  reservedCount: 3,
  retriesUnderWayMax: 5,
  retriesUnderWayMin: 1,
  underWayPerMerchantMax: 4,
  waitingPerEndpointMax: 15,
}

type Step =
  | { readonly kind: 'offer'; readonly endpointId: string; readonly lane: 'new' | 'retry' }
  | { readonly kind: 'end'; readonly pick: number; readonly result: 'succeeded' | 'failed' | 'unsent' }
  | { readonly kind: 'wait'; readonly durationMs: number }
  | { readonly kind: 'withdraw'; readonly endpointId: string }
  | { readonly kind: 'trust'; readonly endpointId: string }

const endpoint = fc.constantFrom(...ENDPOINTS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('offer' as const), endpointId: endpoint, lane: fc.constantFrom('new', 'retry') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(),
      result: fc.constantFrom('succeeded' as const, 'failed' as const, 'failed' as const, 'unsent' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), durationMs: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('withdraw' as const, 'trust' as const), endpointId: endpoint }) },
)

const counts = (deliveries: Iterable<Delivery>, by: (delivery: Delivery) => string): ReadonlyMap<string, number> => {
  const result = new Map<string, number>()
  for (const delivery of deliveries) result.set(by(delivery), (result.get(by(delivery)) ?? 0) + 1)
  return result
}

const checkBounds = ({ underWay, engine }: DispatchRun): void => {
  const deliveries = [...underWay.values()]
  expect(deliveries.length).toBeLessThanOrEqual(LIMITS.underWayMax)
  const retries = deliveries.filter(({ lane }) => lane === 'retry')
  expect(retries.length).toBeLessThanOrEqual(LIMITS.retriesUnderWayMax)
  for (const [id, count] of counts(deliveries, ({ endpointId }) => endpointId)) {
    expect(count).toBeLessThanOrEqual(SETTINGS[id]?.concurrencyMax ?? 0)
  }
  for (const [id, count] of counts(retries, ({ endpointId }) => endpointId)) {
    expect(count).toBeLessThanOrEqual(Math.max(1, (SETTINGS[id]?.concurrencyMax ?? 0) - 1))
  }
  for (const count of counts(deliveries, ({ merchantId }) => merchantId).values()) {
    expect(count).toBeLessThanOrEqual(LIMITS.underWayPerMerchantMax)
  }
  expect(engine.figures(0).underWay).toEqual({ new: deliveries.length - retries.length, retry: retries.length })
}

const take = (run: DispatchRun, next: Step): void => {
  switch (next.kind) {
    case 'offer':
      run.offer(next.endpointId, next.lane, MERCHANT_OF[next.endpointId])
      break
    case 'end': {
      const under = [...run.underWay.keys()]
      const chainId = under[next.pick % Math.max(1, under.length)]
      if (chainId !== undefined) run.end(chainId, next.result)
      break
    }
    case 'wait':
      run.advance(next.durationMs)
      break
    case 'withdraw':
      run.withdraw(next.endpointId)
      break
    case 'trust':
      run.engine.trust(next.endpointId)
      break
  }
}

/** Starts what can start and checks what the breakers said before: open starts nothing, half open one. */
const pumpChecked = (run: DispatchRun): void => {
  const before = new Map(ENDPOINTS.map((id) => [id, run.engine.breakerOf(id, run.now())]))
  const started = counts(run.pump(), ({ endpointId }) => endpointId)
  for (const [id, count] of started) {
    const state = before.get(id)
    expect(state === 'open' || state === 'probing').toBe(false)
    if (state === 'half_open') expect(count).toBe(1)
  }
}

/** Ends all that is under way, again and again, moving the clock to the next alarm when nothing is. */
const runDry = (run: DispatchRun): void => {
  for (let round = 0; run.waiting.size > 0 || run.underWay.size > 0; round++) {
    expect(round).toBeLessThan(10_000)
    pumpChecked(run)
    checkBounds(run)
    if (run.underWay.size === 0) {
      const wakeAtMs = run.engine.wakeAtMs()
      // Something waits, nothing is under way: then an alarm must be set, or it would wait for ever.
      expect(wakeAtMs).toBeDefined()
      run.advance(Math.max(0, Math.ceil((wakeAtMs ?? 0) - run.now())))
    }
    for (const chainId of run.underWay.keys()) run.end(chainId, 'succeeded')
  }
}

describe('laws of dispatch', () => {
  test('property: bounds hold at every step, breakers are obeyed, and in the end nothing is lost or started twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const run = dispatchRun(LIMITS, SETTINGS)
        for (const next of steps) {
          take(run, next)
          pumpChecked(run)
          checkBounds(run)
        }
        runDry(run)
        expect(new Set(run.started.map(({ chainId }) => chainId)).size).toBe(run.started.length)
        expect(run.started.length + run.withdrawnCount()).toBe(run.acceptedCount())
        const { waiting, underWay } = run.engine.figures(run.now())
        expect([waiting, underWay]).toEqual([
          { new: 0, retry: 0 },
          { new: 0, retry: 0 },
        ])
      }),
      { numRuns: 300 },
    )
  })

  test('property: in each lane of an endpoint the order of the offers is kept', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const run = dispatchRun(LIMITS, SETTINGS)
        for (const next of steps) {
          take(run, next)
          run.pump()
        }
        const numbers = new Map<string, number>()
        for (const { chainId, endpointId, lane } of run.started) {
          const number = Number(chainId.slice(1))
          expect(number).toBeGreaterThan(numbers.get(`${endpointId} ${lane}`) ?? 0)
          numbers.set(`${endpointId} ${lane}`, number)
        }
      }),
    )
  })

  test('property: an endpoint that could start is passed over by none twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 19 }), { minLength: 20, maxLength: 400 }), (offers) => {
        const run = dispatchRun({ underWayMax: 1, reservedCount: 0, retriesUnderWayMax: 1, retriesUnderWayMin: 1 })
        for (const index of offers) run.offer(`e${index}`)
        const left = counts(run.waiting.values(), ({ endpointId }) => endpointId)
        const lastTurn = new Map<string, number>()
        for (let turn = 0; run.waiting.size > 0; turn++) {
          const [delivery] = run.pump()
          const previous = lastTurn.get(delivery?.endpointId ?? '')
          if (previous !== undefined) expect(turn - previous).toBeLessThanOrEqual(left.size)
          lastTurn.set(delivery?.endpointId ?? '', turn)
          run.end(delivery?.chainId ?? '', 'succeeded')
        }
      }),
    )
  })

  test('property: the rate holds in every stretch of time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 100 }),
        (perSecondMax, waits) => {
          const run = dispatchRun({}, { a: { concurrencyMax: 64, perSecondMax } })
          for (const durationMs of waits) {
            for (let index = 0; index < 5; index++) run.offer('a')
            run.pump()
            for (const chainId of run.underWay.keys()) run.end(chainId, 'succeeded')
            run.advance(durationMs)
          }
          const times = run.started.map(({ atMs }) => atMs)
          for (let from = 0; from < times.length; from++) {
            for (let to = from; to < times.length; to++) {
              const stretchMs = (times[to] ?? 0) - (times[from] ?? 0)
              expect(to - from).toBeLessThanOrEqual(((stretchMs + 50) * perSecondMax) / 1000 + 1e-6)
            }
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})
