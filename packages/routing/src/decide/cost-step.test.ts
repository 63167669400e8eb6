import { describe, expect, test } from '@jest/globals'
import type { CostChoice } from '@switchyard/events'
import { pricingOf } from './cost-step.ts'
import { decideGateway } from './decide-gateway.ts'
import type { GatewayDecision } from './decision.ts'
import { sampleRequest, sampleSources } from './sample-request.fixture.ts'
import type { Weighing } from './weighing.ts'

const choice = (changes: Partial<CostChoice> = {}): CostChoice => ({
  outcome: 'COST_WON',
  cause: 'PROMOTED',
  marginRatio: 1,
  head: 'stripe',
  chosen: 'checkout',
  costSavedBps: 100,
  gapRatio: null,
  ranked: [],
  modelVersion: null,
  ...changes,
})

/** A decision with a weighing that always answers the same; what it was asked stands beside it. */
const decided = (
  request: Parameters<typeof sampleRequest>,
  sources: Parameters<typeof sampleSources>[0] = {},
  answer: Partial<CostChoice> = {},
) => {
  const asked: Weighing[] = []
  const result = decideGateway(
    sampleRequest(...request),
    sampleSources({
      weighCosts: (weighing) => {
        asked.push(weighing)
        return { choice: choice(answer), fallbacks: ['adyen', 'stripe'], reason: 'why' }
      },
      ...sources,
    }),
  )
  if (!result.decided) throw new Error(result.refusal.code)
  const decision: GatewayDecision = result.decision
  return { asked, decision }
}

const flag = { features: { registered: true, enabled: ['multi-objective-routing'] } }
/** The first draw of this payment is above the share that explores. */
const plain = { paymentId: 'p_1' }
const knobs = sampleSources().resolveKnobs({ settings: null, adaptive: false }, sampleRequest().payment)
const settings = (margin: number) => ({ successRateScoring: { settings: { margin } as never }, resolveKnobs: () => knobs })

describe('approval against cost (cost.md 15)', () => {
  test.each([
    ['asked for by the request', [{ multiObjectiveRequested: true }, plain], {}, 1],
    ['by the flag of the merchant', [{}, plain], flag, 1],
    ['the request comes before the flag', [{ multiObjectiveRequested: false }, plain], flag, 0],
    ['not asked for', [{}, plain], {}, 0],
    ['not by a priority list', [{ rankingAlgorithm: 'PL_BASED_ROUTING', multiObjectiveRequested: true }, plain], {}, 0],
    ['not by the wish of the merchant', [{ candidates: ['adyen'], multiObjectiveRequested: true }, { preferredGateway: 'adyen' }], {}, 0],
    ['of one candidate there is nothing to choose', [{ candidates: ['adyen'], multiObjectiveRequested: true }, plain], {}, 1],
  ] as const)('%s', (_name, request, sources, times) => {
    const { asked } = decided(request as unknown as Parameters<typeof sampleRequest>, sources, { chosen: null })
    expect(asked).toHaveLength(times)
  })

  test('a payment that explores is not weighed', () => {
    const everything = { resolveKnobs: () => ({ ...knobs, hedgingPercent: 100 }) }
    const { asked, decision } = decided([{ multiObjectiveRequested: true }, plain], everything)
    expect(asked).toEqual([])
    expect(decision).toMatchObject({ approach: 'SR_V3_HEDGING', costs: null })
  })

  test('a promoted gateway takes the payment, and the label tells it', () => {
    const { decision } = decided([{ multiObjectiveRequested: true }, plain])
    expect(decision).toMatchObject({
      gateway: 'checkout',
      fallbacks: ['adyen', 'stripe'],
      approach: 'SR_SELECTION_MULTI_OBJECTIVE',
      costs: { reason: 'why', choice: { outcome: 'COST_WON' } },
    })
    expect(['stripe', 'adyen', 'checkout']).toContain(decision.gatewayBeforeEvaluation)
  })

  test('a head that is kept is the one that was chosen, and the label stays', () => {
    const { decision } = decided([{ multiObjectiveRequested: true }, plain], {}, { outcome: 'AUTH_WON', chosen: 'stripe' })
    expect(decision).toMatchObject({ gateway: 'stripe', approach: 'SR_SELECTION_V3_ROUTING' })
  })

  test('where nothing is decided the order stays', () => {
    const without = decided([{}, plain]).decision
    const { decision } = decided([{ multiObjectiveRequested: true }, plain], {}, { outcome: 'AUTH_WON', chosen: null })
    expect([decision.gateway, decision.fallbacks, decision.approach]).toEqual([without.gateway, without.fallbacks, without.approach])
  })

  test.each([
    ['the merchant', settings(0.2), 0.2],
    ['nobody: all of the amount', {}, 1],
    ['a merchant whose margin is none', settings(0), 1],
  ])('the margin of %s', (_name, sources, margin) => {
    expect(decided([{ multiObjectiveRequested: true }, plain], sources).asked[0]?.margin).toBe(margin)
  })

  test('gateways that are down are told, with a fifth of their scores', () => {
    const { asked } = decided([{ multiObjectiveRequested: true, eliminationRequested: true }, plain], {
      windows: { ...sampleSources().windows, scoresOf: () => [0.9, 0.8, 0.7], downAmong: () => [{ gateway: 'adyen', isProbeDue: false }] },
    })
    expect(asked).toMatchObject([{ authRates: [0.9, 0.8 / 5, 0.7], down: ['adyen'] }])
  })
})

describe('what a payment costs is recorded', () => {
  const costsBps = [300, null, 100]
  const pricing = (
    request: Parameters<typeof sampleRequest>,
    sources: Parameters<typeof sampleSources>[0] = {},
    known: readonly (number | null)[] | null = costsBps,
  ) => {
    const { decision } = decided(request, sources, { ranked: [] })
    return pricingOf(sampleRequest(...request), decision, { ...sampleSources(sources), priceCosts: () => known })
  }
  const everything = { resolveKnobs: () => ({ ...knobs, hedgingPercent: 100 }) }

  test.each([
    ['with nobody asking to weigh it', [{}, plain], {}, { costsBps, marginRatio: 1, wanted: false }],
    ['by the margin of the merchant', [{}, plain], settings(0.2), { costsBps, marginRatio: 0.2, wanted: false }],
    [
      'where it was asked to be weighed, and the payment explored',
      [{ multiObjectiveRequested: true }, plain],
      everything,
      { wanted: true },
    ],
    ['by the flag of the merchant', [{}, plain], { ...flag, ...everything }, { wanted: true }],
    ['where weighing ranked nothing', [{ multiObjectiveRequested: true }, plain], {}, { costsBps, wanted: true }],
  ] as const)('%s', (_name, request, sources, expected) => {
    expect(pricing(request as unknown as Parameters<typeof sampleRequest>, sources)).toMatchObject(expected)
  })

  test('nowhere, when nothing is known', () => {
    expect(pricing([{}, plain], {}, null)).toBeNull()
  })

  test('not again where weighing tells it', () => {
    const row = { pctBps: 1, fixed: 0, authRatio: 1, expectedRatio: 1, source: 'EXACT', interchangeCategory: null } as const
    const { decision } = decided([{ multiObjectiveRequested: true }, plain], {}, { ranked: [{ ...row, gateway: 'checkout', costBps: 1 }] })
    const priceCosts = () => {
      throw new Error('asked again')
    }
    expect(pricingOf(sampleRequest({}, plain), decision, { ...sampleSources(), priceCosts })).toBeNull()
  })
})
