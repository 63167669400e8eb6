import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sampleCard, sampleRouting } from '../debit-routing/sample-debit.fixture.ts'
import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { sampleDecision, sampleOutcome } from '../outcomes/sample-events.fixture.ts'
import { decideGateway } from './decide-gateway.ts'
import type { DecisionResult, GatewayDecision } from './decision.ts'
import { gatewayDecided } from './decision-event.ts'
import type { DecisionRequest } from './request.ts'
import { sampleRequest, sampleSources } from './sample-request.fixture.ts'

const debitOf = (networks: readonly string[]): DecisionRequest['debit'] => ({
  details: { merchantCategoryCode: 'merchant_category_code_0001', acquirerCountry: 'US', card: sampleCard(networks) },
})
const request = (changes: Partial<DecisionRequest> = {}, payment: Partial<DecisionRequest['payment']> = {}): DecisionRequest =>
  sampleRequest(
    { rankingAlgorithm: 'NTW_BASED_ROUTING', candidates: ['alpha', 'beta'], debit: debitOf(['MASTERCARD', 'ACCEL', 'NYCE']), ...changes },
    { amount: 2500, ...payment },
  )
const hybrid = (changes: Partial<DecisionRequest> = {}, payment: Partial<DecisionRequest['payment']> = {}): DecisionRequest =>
  request({ rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING', ...changes }, payment)

const windowsWith = (failures: Readonly<Record<string, number>>) => {
  const windows = createPaymentFold()
  for (const [gateway, count] of Object.entries(failures)) {
    for (let n = 0; n < count; n++) {
      const paymentId = `${gateway}_${n}`
      windows.apply(
        sampleDecision({ paymentId, candidates: ['alpha', 'beta'], knobs: { ...sampleDecision().data.knobs, bucketSize: 100 } }),
      )
      windows.apply(sampleOutcome({ paymentId, gateway, status: 'FAILURE' }))
    }
  }
  return windows
}
const sources = sampleSources({
  debitRouting: { enabled: true },
  routeByNetwork: sampleRouting(),
  windows: windowsWith({ alpha: 9, beta: 12 }),
  resolveKnobs: () => ({ ...sampleDecision().data.knobs, bucketSize: 100, hedgingPercent: 0 }),
})
const decide = (asked: DecisionRequest): DecisionResult => decideGateway(asked, sources)
const decided = (asked: DecisionRequest): GatewayDecision => {
  const result = decide(asked)
  if (!result.decided) throw new Error(result.refusal.code)
  return result.decision
}
const networksOf = ({ network }: GatewayDecision): readonly unknown[] | undefined =>
  network?.options.map((option) => [option.network, option.savingPercent])
const EXAMPLE_7 = [
  ['ACCEL', 0.69],
  ['NYCE', 0.25],
  ['MASTERCARD', 0],
]

describe('by networks alone (network.md 7)', () => {
  test('the first candidate takes the payment, the others follow, nothing is scored', () => {
    const decision = decided(request({ candidates: ['beta', 'alpha', 'beta'], eliminationRequested: true }, { preferredGateway: 'alpha' }))
    expect(decision).toMatchObject({
      gateway: 'beta',
      fallbacks: ['alpha'],
      candidates: ['beta', 'alpha'],
      scores: [],
      down: [],
      approach: 'NTW_BASED_ROUTING',
      gatewayBeforeEvaluation: null,
      explored: false,
      probe: false,
      plan: null,
      routingDimension: null,
      networkProblem: null,
    })
    expect(networksOf(decision)).toEqual(EXAMPLE_7)
  })

  test('without candidates it is refused, and without networks', () => {
    expect(decide(request({ candidates: [] }))).toMatchObject({ refusal: { code: 'GATEWAY_NOT_FOUND' } })
    expect(decide(request({ debit: { problem: 'broken' } }))).toEqual({
      decided: false,
      refusal: { code: 'CO_BADGED_NETWORK_NOT_FOUND', detail: 'broken' },
    })
  })

  test('the event tells what the order follows from', () => {
    const asked = request()
    expect(gatewayDecided(asked, decided(asked), { latencyUs: 1, merchantRegistrationCount: 1, pricing: null }).data).toMatchObject({
      approach: 'NTW_BASED_ROUTING',
      scores: [],
      network: {
        category: 'merchant_category_code_0001',
        isRegulated: false,
        feeTableVersion: 'v1',
        options: [{ network: 'ACCEL', fee: 46.75 }, {}, {}],
      },
      networkProblem: null,
    })
  })
})

describe('networks and success rates (network.md 9)', () => {
  test('scores choose the gateway, costs order the networks', () => {
    const decision = decided(hybrid())
    expect(decision).toMatchObject({ gateway: 'alpha', scores: [0.91, 0.88], fallbacks: ['beta'], approach: 'NTW_BASED_ROUTING' })
    expect(networksOf(decision)).toEqual(EXAMPLE_7)
  })

  test('without networks it is a decision by success rates that tells why', () => {
    expect(decided(hybrid({ debit: { problem: 'broken' } }))).toMatchObject({
      gateway: 'alpha',
      approach: 'SR_SELECTION_V3_ROUTING',
      network: null,
      networkProblem: 'broken',
    })
  })

  test('without candidates it is refused like a decision by success rates', () => {
    expect(decide(hybrid({ candidates: [] }))).toMatchObject({ refusal: { code: 'GATEWAY_NOT_FOUND' } })
  })

  test('but for the networks and the label it is the decision by success rates, whatever the networks', () => {
    const networks = fc.array(fc.constantFrom('VISA', 'STAR', 'NYCE', 'AMEX', 'x'), { maxLength: 5 })
    const candidates = fc.array(fc.constantFrom('alpha', 'beta', 'gamma'), { minLength: 1, maxLength: 4 })
    const preferredGateway = fc.constantFrom(null, 'alpha')
    fc.assert(
      fc.property(networks, candidates, fc.string(), preferredGateway, (listed, list, paymentId, preferred) => {
        const payment = { paymentId, preferredGateway: preferred }
        const changes = { candidates: list, debit: debitOf(listed) }
        const byScores = decide(hybrid({ ...changes, rankingAlgorithm: 'SR_BASED_ROUTING' }, payment))
        const both = decide(hybrid(changes, payment))
        if (!byScores.decided || !both.decided) return expect(both).toEqual(byScores)
        const { network, networkProblem, approach, ...rest } = both.decision
        expect({ ...byScores.decision, ...rest }).toEqual(byScores.decision)
        expect(network === null).toBe(networkProblem !== null)
        return expect(approach).toBe(network === null ? byScores.decision.approach : 'NTW_BASED_ROUTING')
      }),
    )
  })
})

describe('outcomes (network.md 12)', () => {
  const reportOn = (rankingAlgorithm: DecisionRequest['rankingAlgorithm']) => {
    const fold = createPaymentFold()
    const asked = request({ rankingAlgorithm })
    fold.apply(gatewayDecided(asked, decided(asked), { latencyUs: 1, merchantRegistrationCount: 1, pricing: null }))
    return { fold, effects: fold.apply(sampleOutcome({ gateway: 'alpha', status: 'FAILURE' })) }
  }

  test('a payment that networks alone decided has no scores to learn', () => {
    const { fold, effects } = reportOn('NTW_BASED_ROUTING')
    expect(effects).toMatchObject([{ disposition: 'waiting', score: null }])
    expect(fold.hasDecision('m_1', 'p_1')).toBe(false)
    expect(fold.windowCountOf('m_1')).toBe(0)
  })

  test('a hybrid one teaches its gateway', () => {
    const { fold, effects } = reportOn('NTW_SR_HYBRID_ROUTING')
    expect(effects).toMatchObject([{ disposition: 'counted', success: false }])
    expect(fold.hasDecision('m_1', 'p_1')).toBe(true)
  })
})
