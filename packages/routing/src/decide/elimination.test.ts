import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { DownGateway } from '../elimination/merchant-health.ts'
import { createKnobResolver, SHIPPED_SCORING_DEFAULTS } from '../scoring/knobs.ts'
import type { DecisionSources } from './case.ts'
import { decideGateway } from './decide-gateway.ts'
import type { GatewayDecision } from './decision.ts'
import { gatewayDecided } from './decision-event.ts'
import { shownScore } from './elimination.ts'
import { exploredGateway } from './exploration.ts'
import { priorityScore } from './ranking.ts'
import type { DecisionRequest } from './request.ts'
import { sampleRequest, sampleSources } from './sample-request.fixture.ts'

const RATES: Readonly<Record<string, number>> = { adyen: 0.936, stripe: 0.92, checkout: 0.872 }
const resolveKnobs = createKnobResolver(SHIPPED_SCORING_DEFAULTS)
const SR = 'SR_BASED_ROUTING' as const
const PL = 'PL_BASED_ROUTING' as const

interface Market {
  readonly down?: readonly string[]
  readonly due?: readonly string[]
  readonly hedgingPercent?: number
  readonly rates?: Readonly<Record<string, number>>
}

const sourcesOf = (
  { down = [], due = [], hedgingPercent = 0, rates = RATES }: Market,
  features: readonly string[] = ['elimination'],
): DecisionSources =>
  sampleSources({
    features: { registered: true, enabled: features },
    resolveKnobs: (merchant, payment) => ({ ...resolveKnobs(merchant, payment), hedgingPercent }),
    windows: {
      scoresOf: ({ gateways }) => gateways.map((gateway) => rates[gateway] ?? 1),
      downAmong: (_, { gateways }) =>
        gateways
          .filter((gateway) => down.includes(gateway))
          .map((gateway): DownGateway => ({ gateway, isProbeDue: due.includes(gateway) })),
    },
    priorityPlan: (_, candidates) => ({
      gateways: ['adyen', 'stripe', 'checkout'].filter((gateway) => candidates.includes(gateway)),
      tag: null,
      algorithmId: null,
      run: null,
    }),
  })

const decided = (request: DecisionRequest, sources: DecisionSources): GatewayDecision => {
  const result = decideGateway(request, sources)
  if (!result.decided) throw new Error(`refused with ${result.refusal.code}`)
  return result.decision
}

const shown = ({ candidates, scores, down }: GatewayDecision): Readonly<Record<string, number>> =>
  Object.fromEntries(candidates.map((gateway, index) => [gateway, shownScore(gateway, scores[index] ?? 0, down)]))

const ALL = ['adyen', 'stripe', 'checkout']

describe('elimination', () => {
  test.each([
    [SR, [], 0, 'SR_SELECTION_V3_ROUTING', 'adyen', { adyen: 0.936, stripe: 0.92, checkout: 0.872 }],
    [SR, ['adyen'], 0, 'SR_V3_DOWNTIME_ROUTING', 'stripe', { adyen: 0.1872, stripe: 0.92, checkout: 0.872 }],
    [SR, ALL, 0, 'SR_V3_ALL_DOWNTIME_ROUTING', 'adyen', { adyen: 0.1872, stripe: 0.184, checkout: 0.1744 }],
    [SR, [], 100, 'SR_V3_HEDGING', null, { adyen: 0.936 }],
    [SR, ['adyen'], 100, 'SR_V3_DOWNTIME_HEDGING', 'checkout', { adyen: 0.1872 }],
    [SR, ALL, 100, 'SR_V3_ALL_DOWNTIME_HEDGING', null, { adyen: 0.1872 }],
    [PL, [], 100, 'PRIORITY_LOGIC', 'adyen', { adyen: 1, stripe: 0.9, checkout: 0.8 }],
    [PL, ['adyen'], 0, 'PL_DOWNTIME_ROUTING', 'stripe', { adyen: 0.2, stripe: 0.9, checkout: 0.8 }],
    [PL, ALL, 0, 'PL_ALL_DOWNTIME_ROUTING', 'adyen', { adyen: 0.2, stripe: 0.18, checkout: 0.16 }],
  ] as const)(
    '%s, %j down, %i %% hedging: %s (decide.md 3.2 and 3.3)',
    (rankingAlgorithm, down, hedgingPercent, approach, gateway, map) => {
      const decision = decided(sampleRequest({ rankingAlgorithm }), sourcesOf({ down, hedgingPercent }))
      expect(decision.approach).toBe(approach)
      if (gateway !== null) expect(decision.gateway).toBe(gateway)
      for (const [name, score] of Object.entries(map)) expect(shown(decision)[name]).toBeCloseTo(score, 12)
    },
  )

  test('scores of a priority list were shown with the noise of binary fractions when their gateways are down: clean decimals', () => {
    const scores = Array.from({ length: 100 }, (_, place) => shownScore('adyen', priorityScore(place), ['adyen']))
    expect(scores[3]).toBe(0.14)
    for (const score of scores) expect(String(score).length).toBeLessThanOrEqual('0.0192'.length)
  })

  test('the gateway before elimination is the best of all, also when it is down', () => {
    const decision = decided(sampleRequest(), sourcesOf({ down: ['adyen'] }))
    expect(decision).toMatchObject({
      gateway: 'stripe',
      fallbacks: ['checkout', 'adyen'],
      gatewayBeforeEvaluation: 'adyen',
      explored: false,
    })
  })

  test('a gateway that is up wins even when its score is far lower (decide.md 7.4)', () => {
    const sources = sourcesOf({ down: ['adyen'], rates: { adyen: 0.95, stripe: 0.1, checkout: 0.05 } })
    expect(decided(sampleRequest(), sources)).toMatchObject({ gateway: 'stripe', approach: 'SR_V3_DOWNTIME_ROUTING' })
  })

  test('a single candidate keeps the label DEFAULT and shows a fifth when it is down', () => {
    const decision = decided(sampleRequest({ candidates: ['adyen'] }), sourcesOf({ down: ['adyen'] }))
    expect(decision).toMatchObject({ gateway: 'adyen', approach: 'DEFAULT', fallbacks: [], gatewayBeforeEvaluation: 'adyen' })
    expect(shown(decision)).toEqual({ adyen: 0.2 })
  })

  test.each([
    ['the flag', ['elimination'], null, ['adyen']],
    ['no flag', [], null, []],
    ['the request against the flag', ['elimination'], false, []],
    ['the request without the flag', [], true, ['adyen']],
  ])('%s decides', (_, features, eliminationRequested, down) => {
    const decision = decided(sampleRequest({ eliminationRequested }), sourcesOf({ down: ['adyen'] }, features))
    expect(decision.down).toEqual(down)
    expect(decision.elimination.enabled).toBe(down.length > 0)
  })

  test('a due probe takes the payment to the gateway that is down, and says so', () => {
    const request = sampleRequest()
    const decision = decided(request, sourcesOf({ down: ['adyen', 'checkout'], due: ['checkout'] }))
    expect(decision).toMatchObject({
      gateway: 'checkout',
      fallbacks: ['stripe', 'adyen'],
      approach: 'SR_V3_DOWNTIME_HEDGING',
      explored: true,
      probe: true,
    })
    expect(gatewayDecided(request, decision, { latencyUs: 1, merchantRegistrationCount: 1, pricing: null }).data).toMatchObject({
      probe: true,
      down: ['adyen', 'checkout'],
      elimination: { enabled: true },
    })
    const byList = decided(sampleRequest({ rankingAlgorithm: PL }), sourcesOf({ down: ['checkout'], due: ['checkout'] }))
    expect(byList).toMatchObject({ gateway: 'checkout', approach: 'PL_DOWNTIME_ROUTING', probe: true })
  })

  test('no probe where the gateway is first anyway', () => {
    expect(decided(sampleRequest(), sourcesOf({ down: ALL, due: ['adyen'] }))).toMatchObject({ gateway: 'adyen', probe: false })
  })

  test('exploration never goes to a gateway that is down', () => {
    for (let n = 0; n < 500; n++) {
      const one = decided(sampleRequest({}, { paymentId: `p_${n}` }), sourcesOf({ down: ['checkout'], hedgingPercent: 50 }))
      expect(one.gateway).not.toBe('checkout')
    }
  })
})

describe('laws of elimination and exploration', () => {
  const gateway = fc.constantFrom('stripe', 'adyen', 'checkout', 'worldpay', 'a:1')
  const market = fc.record({
    down: fc.uniqueArray(gateway),
    due: fc.uniqueArray(gateway),
    hedgingPercent: fc.constantFrom(0, 5, 100),
    rates: fc.dictionary(gateway, fc.double({ min: 0, max: 1, noNaN: true })),
  })
  const candidates = fc.uniqueArray(gateway, { minLength: 1 })

  test('permuting the candidates changes neither the choice nor any score', () => {
    fc.assert(
      fc.property(
        market,
        candidates.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        fc.string(),
        (state, [list, shuffled], paymentId) => {
          const [a, b] = [list, shuffled].map((one) => decided(sampleRequest({ candidates: one }, { paymentId }), sourcesOf(state)))
          expect([b?.gateway, b?.fallbacks, b?.approach]).toEqual([a?.gateway, a?.fallbacks, a?.approach])
          expect(b && shown(b)).toEqual(a && shown(a))
        },
      ),
    )
  })

  test('only candidates are named, and none that is down is chosen while one is up, unless it is tried', () => {
    fc.assert(
      fc.property(market, candidates, fc.constantFrom(SR, PL), (state, list, rankingAlgorithm) => {
        const decision = decided(sampleRequest({ candidates: list, rankingAlgorithm }), sourcesOf(state))
        expect([decision.gateway, ...decision.fallbacks].toSorted()).toEqual(list.toSorted())
        const down: readonly string[] = state.down
        const isAnyUp = list.some((name) => !down.includes(name))
        if (isAnyUp && down.includes(decision.gateway)) expect(decision.probe).toBe(true)
        for (const score of Object.values(shown(decision))) expect(score >= 0 && score <= 1).toBe(true)
      }),
    )
  })

  test.each([[5], [20]])(
    'the hedging share of %i %% is met within three sigma over 100,000 payments, evenly over the others',
    (percent) => {
      const count = 100_000
      const counts = new Map<string | undefined, number>()
      for (let n = 0; n < count; n++) {
        const explored = exploredGateway(`pay_${n}`, ALL, percent)
        counts.set(explored, (counts.get(explored) ?? 0) + 1)
      }
      const isWithin = (found: number, share: number): boolean =>
        Math.abs(found - count * share) <= 3 * Math.sqrt(count * share * (1 - share))
      expect(isWithin(count - (counts.get(undefined) ?? 0), percent / 100)).toBe(true)
      expect(isWithin(counts.get('stripe') ?? 0, percent / 200)).toBe(true)
      expect(isWithin(counts.get('checkout') ?? 0, percent / 200)).toBe(true)
    },
  )
})
