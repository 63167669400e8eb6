import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { sampleDecision, sampleOutcome } from '../outcomes/sample-events.fixture.ts'
import { createKnobResolver } from '../scoring/knobs.ts'
import type { DecisionSources } from './case.ts'
import { decideGateway } from './decide-gateway.ts'
import type { GatewayDecision } from './decision.ts'
import { gatewayDecided } from './decision-event.ts'
import { preferring } from './priority-plan.ts'
import { priorityScore, scoresByPriority } from './ranking.ts'
import type { DecisionRequest } from './request.ts'
import { sampleRequest, sampleSources } from './sample-request.fixture.ts'

const decided = (request: DecisionRequest, sources: DecisionSources = sampleSources()): GatewayDecision => {
  const result = decideGateway(request, sources)
  if (!result.decided) throw new Error(`refused with ${result.refusal.code}`)
  return result.decision
}

const withHedging = (percent: number): Pick<DecisionSources, 'resolveKnobs'> => ({
  resolveKnobs: (settings, payment) => {
    const knobs = createKnobResolver({ settings: null, outcomeWindowMs: 1_800_000 })(settings, payment)
    return { ...knobs, hedgingPercent: percent }
  },
})

/** Each gateway with so many failures in windows of 125. */
const windowsAfterFailures = (failures: Readonly<Record<string, number>>): Pick<DecisionSources, 'windows'> => {
  const windows = createPaymentFold()
  const { knobs } = sampleDecision().data
  for (const [gateway, count] of Object.entries(failures)) {
    for (let n = 0; n < count; n++) {
      const paymentId = `${gateway}_${n}`
      windows.apply(sampleDecision({ paymentId, knobs: { ...knobs, bucketSize: 125 } }))
      windows.apply(sampleOutcome({ paymentId, gateway, status: 'FAILURE' }))
    }
  }
  return { windows }
}

const knownRates = { ...windowsAfterFailures({ adyen: 8, stripe: 10, checkout: 16 }), ...withHedging(0) }

describe('decision by success rate', () => {
  test('the best gateway wins, the others follow by score (the example of 3.2)', () => {
    expect(decided(sampleRequest(), sampleSources(knownRates))).toMatchObject({
      gateway: 'adyen',
      fallbacks: ['stripe', 'checkout'],
      candidates: ['stripe', 'adyen', 'checkout'],
      scores: [0.92, 0.936, 0.872],
      approach: 'SR_SELECTION_V3_ROUTING',
      gatewayBeforeEvaluation: 'adyen',
      explored: false,
      routingDimension: { text: 'ORDER_PAYMENT, CARD, CREDIT, UNKNOWN', level: 'CARD_LEVEL' },
      plan: { gateways: ['stripe', 'adyen', 'checkout'], tag: null, run: null },
      knobs: { bucketSize: 125 },
    })
  })

  test.each([3, 16, 17, 100])('of %i candidates each counts once, however often it is named', (count) => {
    const candidates = Array.from({ length: count }, (_, index) => `gate_${index}`)
    const last = `gate_${count - 1}`
    expect(decided({ ...sampleRequest(), candidates: [last, ...candidates] }).candidates).toEqual([last, ...candidates.slice(0, -1)])
    expect(decided({ ...sampleRequest(), candidates }).candidates).toBe(candidates)
  })

  test('a cold start spreads payments evenly over the candidates', () => {
    const counts = { stripe: 0, adyen: 0, checkout: 0 }
    for (let n = 0; n < 3_000; n++) {
      const { gateway } = decided(sampleRequest({}, { paymentId: `p_${n}` }), sampleSources(withHedging(0)))
      if (gateway === 'stripe' || gateway === 'adyen' || gateway === 'checkout') counts[gateway]++
    }
    for (const count of Object.values(counts)) expect(Math.abs(count - 1_000)).toBeLessThan(100)
  })

  test('exploration sends the configured share to the others, evenly, with true scores', () => {
    const sources = sampleSources({ ...knownRates, ...withHedging(20) })
    const counts = new Map<string, number>()
    for (let n = 0; n < 10_000; n++) {
      const decision = decided(sampleRequest({}, { paymentId: `p_${n}` }), sources)
      counts.set(decision.gateway, (counts.get(decision.gateway) ?? 0) + 1)
      expect(decision.scores).toEqual([0.92, 0.936, 0.872])
      expect(decision.approach).toBe(decision.explored ? 'SR_V3_HEDGING' : 'SR_SELECTION_V3_ROUTING')
      expect(decision.gateway === 'adyen').toBe(!decision.explored)
    }
    expect(Math.abs((counts.get('stripe') ?? 0) - 1_000)).toBeLessThan(120)
    expect(Math.abs((counts.get('checkout') ?? 0) - 1_000)).toBeLessThan(120)
  })

  test('an explored payment falls back to the best gateway first', () => {
    const sources = sampleSources({ ...knownRates, ...withHedging(100) })
    const { gateway, fallbacks } = decided(sampleRequest(), sources)
    expect(gateway).not.toBe('adyen')
    expect(fallbacks[0]).toBe('adyen')
    expect(fallbacks).toHaveLength(2)
  })

  test('a single candidate is the default, and is never explored away from', () => {
    const decision = decided(sampleRequest({ candidates: ['stripe', 'stripe'] }), sampleSources(withHedging(100)))
    expect(decision).toMatchObject({ gateway: 'stripe', fallbacks: [], scores: [1], approach: 'DEFAULT', explored: false })
  })

  test('a preferred gateway has no say among several', () => {
    const decision = decided(sampleRequest({}, { preferredGateway: 'checkout' }), sampleSources(knownRates))
    expect(decision).toMatchObject({ gateway: 'adyen', approach: 'SR_SELECTION_V3_ROUTING' })
  })

  test('other method types are on the method level', () => {
    const { routingDimension } = decided(sampleRequest({}, { paymentMethodType: 'upi', paymentMethod: 'UPI_PAY', cardType: 'UPI' }))
    expect(routingDimension).toEqual({ text: 'ORDER_PAYMENT, UPI, UPI_PAY', level: 'PM_LEVEL' })
  })
})

describe('decision by priority list', () => {
  const byList = (gateways: readonly string[]): DecisionSources =>
    sampleSources({ priorityPlan: () => ({ gateways, tag: 'list', algorithmId: 'a_1', run: { name: 'list', failure: null } }) })
  const request = sampleRequest({ rankingAlgorithm: 'PL_BASED_ROUTING' })

  test('the worked example of 9.2', () => {
    expect(decided(request, byList(['adyen', 'stripe']))).toMatchObject({
      gateway: 'adyen',
      fallbacks: ['stripe', 'checkout'],
      scores: [0.9, 1, 0.8],
      approach: 'PRIORITY_LOGIC',
      gatewayBeforeEvaluation: 'adyen',
      explored: false,
    })
  })

  test('a request without a ranking algorithm behaves the same', () => {
    expect(decided({ ...request, rankingAlgorithm: null }, byList(['checkout'])).gateway).toBe('checkout')
  })

  test('without an algorithm the candidates stand in the order sent', () => {
    expect(decided(request)).toMatchObject({ gateway: 'stripe', fallbacks: ['adyen', 'checkout'], scores: [1, 0.9, 0.8] })
  })

  test('the preferred gateway moves to the front', () => {
    const wish = sampleRequest({ rankingAlgorithm: 'PL_BASED_ROUTING' }, { preferredGateway: 'checkout' })
    expect(decided(wish, byList(['adyen', 'stripe']))).toMatchObject({ gateway: 'checkout', fallbacks: ['adyen', 'stripe'] })
  })

  test('a preferred gateway that is no candidate changes nothing', () => {
    const plan = { gateways: ['a'], tag: null, algorithmId: null, run: null }
    expect(preferring(plan, 'elsewhere', ['a'])).toBe(plan)
  })

  test('scores are clean decimals, fall strictly and stay positive for a hundred places', () => {
    const places = Array.from({ length: 100 }, (_, place) => priorityScore(place))
    expect(places.slice(0, 12)).toEqual([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.099, 0.098])
    for (const [place, score] of places.entries()) expect(score).toBeLessThan(places[place - 1] ?? 2)
    expect(places.at(-1)).toBeGreaterThan(0)
    expect(scoresByPriority(['x', 'y'], [])).toEqual([1, 1])
  })
})

describe('preference and refusals', () => {
  test('the preferred of one candidate is chosen', () => {
    expect(decided(sampleRequest({ candidates: ['stripe'] }, { preferredGateway: 'stripe' }))).toMatchObject({
      gateway: 'stripe',
      approach: 'MERCHANT_PREFERENCE',
      plan: null,
      routingDimension: null,
      gatewayBeforeEvaluation: 'stripe',
    })
  })

  const networkOn = sampleSources({ debitRouting: { enabled: true } })

  test.each([
    [
      'a preferred gateway that is not the candidate',
      sampleRequest({ candidates: ['adyen'] }, { preferredGateway: 'stripe' }),
      undefined,
      { code: 'GATEWAY_NOT_FOUND', plan: null },
    ],
    ['no candidates', sampleRequest({ candidates: [] }), undefined, { code: 'GATEWAY_NOT_FOUND', plan: { gateways: [] } }],
    [
      'network routing while it is off',
      sampleRequest({ rankingAlgorithm: 'NTW_BASED_ROUTING' }),
      undefined,
      { code: 'DEBIT_ROUTING_NOT_ENABLED' },
    ],
    [
      'hybrid routing while it is off',
      sampleRequest({ rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' }),
      undefined,
      { code: 'DEBIT_ROUTING_NOT_ENABLED' },
    ],
    [
      'network routing without networks',
      sampleRequest({ rankingAlgorithm: 'NTW_BASED_ROUTING' }),
      networkOn,
      { code: 'CO_BADGED_NETWORK_NOT_FOUND', detail: 'no networks here' },
    ],
  ] as const)('%s is refused', (_, request, sources, refusal) => {
    expect(decideGateway(request, sources ?? sampleSources())).toMatchObject({ decided: false, refusal })
  })
})

describe('laws of decisions', () => {
  const gateway = fc.constantFrom('stripe', 'adyen', 'checkout', 'worldpay', 'a:1', '__proto__')
  const request = fc
    .record({
      candidates: fc.array(gateway, { minLength: 1, maxLength: 8 }),
      rankingAlgorithm: fc.constantFrom('SR_BASED_ROUTING' as const, 'PL_BASED_ROUTING' as const, null),
      paymentId: fc.string({ maxLength: 20 }),
    })
    .map(({ paymentId, ...changes }) => sampleRequest(changes, { paymentId }))
  const sources = fc
    .record({ hedging: fc.constantFrom(0, 5, 100), failures: fc.dictionary(gateway, fc.nat(3)), list: fc.uniqueArray(gateway) })
    .map(({ hedging, failures, list }) =>
      sampleSources({
        ...withHedging(hedging),
        ...windowsAfterFailures(failures),
        priorityPlan: (_, candidates) => ({
          gateways: list.filter((name) => candidates.includes(name)),
          tag: null,
          algorithmId: null,
          run: null,
        }),
      }),
    )

  test('the same request on the same state gives the same answer', () => {
    fc.assert(fc.property(request, sources, (one, state) => expect(decideGateway(one, state)).toEqual(decideGateway(one, state))))
  })

  test('gateway and fallbacks are the candidates, each once; every candidate has a score in 0..1', () => {
    fc.assert(
      fc.property(request, sources, (one, state) => {
        const { gateway: chosen, fallbacks, candidates, scores } = decided(one, state)
        expect([chosen, ...fallbacks].sort()).toEqual([...new Set(one.candidates)].sort())
        expect(scores).toHaveLength(candidates.length)
        for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
      }),
    )
  })

  test('unless it explores, no candidate has a better score than the one chosen', () => {
    fc.assert(
      fc.property(request, sources, (one, state) => {
        const { gateway: chosen, candidates, scores, explored } = decided(one, state)
        if (!explored) expect(scores[candidates.indexOf(chosen)]).toBe(Math.max(...scores))
      }),
    )
  })

  test('the event tells candidates, scores, dimension and knobs that were used', () => {
    const one = sampleRequest()
    const decision = decided(one, sampleSources(knownRates))
    const { data } = gatewayDecided(one, decision, { latencyUs: 51.6, merchantRegistrationCount: 1, pricing: null })
    expect(data).toMatchObject({
      merchantId: 'm_1',
      paymentId: 'p_1',
      rankingAlgorithm: 'SR_BASED_ROUTING',
      gateway: 'adyen',
      latencyUs: 52,
    })
    expect(data).toMatchObject({ scores: decision.scores, dimension: decision.dimension, knobs: decision.knobs })
  })
})
