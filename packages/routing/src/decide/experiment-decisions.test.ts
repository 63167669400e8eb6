import { describe, expect, test } from '@jest/globals'
import type { ExperimentOverrides, SuccessRateSettings } from '@switchyard/events'
import type { Algorithm, ConnectorReference } from '../algorithms/algorithm.ts'
import { printDefinition } from '../algorithms/definition.ts'
import { createRuleEvaluator } from '../algorithms/rule-evaluator.ts'
import { sampleCatalogue } from '../algorithms/sample-catalogue.fixture.ts'
import type { RoutingAlgorithms, StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import type { ArmPlan } from '../experiments/experiment.ts'
import { armOf, createExperimentSources } from '../experiments/live-experiment.ts'
import { NO_SETTINGS } from '../scoring-settings/promoted-settings.ts'
import { SAMPLE_ROW } from '../scoring-settings/sample-row.fixture.ts'
import { planByActiveAlgorithm } from './active-algorithm.ts'
import type { DecisionSources } from './case.ts'
import { decideGateway } from './decide-gateway.ts'
import type { GatewayDecision } from './decision.ts'
import { gatewayDecided } from './decision-event.ts'
import type { DecisionRequest } from './request.ts'
import { sampleRequest, sampleSources } from './sample-request.fixture.ts'

const gateway = (gatewayName: string): ConnectorReference => ({ gatewayName, gatewayId: null })
const stored = (id: string, algorithm: Algorithm): StoredAlgorithm => ({
  id,
  name: id,
  description: '',
  purpose: 'PAYMENT',
  kind: algorithm.kind,
  definition: printDefinition(algorithm),
  createdAt: 0,
  modifiedAt: 0,
})
const priority = (...names: readonly string[]): Algorithm => ({
  kind: 'PRIORITY',
  output: { form: 'priority', connectors: names.map(gateway) },
})
const NOTHING_SET: ExperimentOverrides = {
  hedgingPercent: null,
  eliminationThreshold: null,
  multiObjective: null,
  margin: null,
  useAutopilot: null,
}
const bySuccessRates = (change: Partial<ExperimentOverrides> = {}): ArmPlan => ({
  algorithmId: 'sr_routing',
  overrides: { ...NOTHING_SET, ...change },
})
const byAlgorithm = (algorithmId: string): ArmPlan => ({ algorithmId, overrides: null })

/** Payments of the variant: the control is left to success rates. */
const VARIANT = Array.from({ length: 60 }, (_, index) => `p_${index}`).filter(
  (id) => armOf('e_1', { variantSplitPercent: 49 }, id) === 'VARIANT',
)
const [variantPayment = ''] = VARIANT
const evaluator = createRuleEvaluator(sampleCatalogue)

const algorithmsWith = (variant: ArmPlan, others: readonly StoredAlgorithm[]): RoutingAlgorithms => {
  const control = { algorithmId: 'sr_routing', overrides: null }
  const rules = { variantSplitPercent: 49, minSampleSize: 1, guardrailThresholdPp: 3, autoStop: false }
  return {
    registered: true,
    algorithms: [...others, stored('e_1', { kind: 'AB_TEST', experiment: { control, variant, ...rules } })],
    active: [{ purpose: 'PAYMENT', algorithmId: 'e_1' }],
  }
}

const sourcesWith = (variant: ArmPlan, others: readonly StoredAlgorithm[] = [], change: Partial<DecisionSources> = {}): DecisionSources => {
  const algorithms = algorithmsWith(variant, others)
  return sampleSources({
    features: { registered: true, enabled: ['ab-test-real-payments'] },
    experiments: createExperimentSources(evaluator, () => algorithms),
    priorityPlan: (request, candidates) => planByActiveAlgorithm(evaluator, algorithms, request, candidates),
    ...change,
  })
}

const decisionOf = (sources: DecisionSources, change: Partial<DecisionRequest> = {}, paymentId = variantPayment): GatewayDecision => {
  const result = decideGateway(sampleRequest(change, { paymentId }), sources)
  if (!result.decided) throw new Error(result.refusal.code)
  return result.decision
}

describe('a payment in a fixed arm', () => {
  const sources = sourcesWith(byAlgorithm('a_1'), [stored('a_1', priority('elsewhere', 'checkout', 'stripe'))])

  test('goes where the algorithm has it, among the candidates alone', () => {
    expect(decisionOf(sources)).toMatchObject({
      gateway: 'checkout',
      fallbacks: ['stripe'],
      approach: 'AB_TEST_STATIC_ALGORITHM',
      scores: [],
      plan: { tag: 'ab_test_static_priority', algorithmId: 'a_1' },
      gatewayBeforeEvaluation: null,
      routingDimension: null,
      experiment: { experimentId: 'e_1', arm: 'VARIANT', algorithmId: 'a_1', overrides: null, exclusion: null },
    })
  })

  test.each(['SR_BASED_ROUTING', 'PL_BASED_ROUTING', null] as const)('whatever is asked for: %s', (rankingAlgorithm) => {
    expect(decisionOf(sources, { rankingAlgorithm }).approach).toBe('AB_TEST_STATIC_ALGORITHM')
  })

  test('gateways that are down come last', () => {
    const down = sourcesWith(byAlgorithm('a_1'), [stored('a_1', priority('checkout', 'stripe'))], {
      windows: { scoresOf: () => [1, 1, 1], downAmong: () => [{ gateway: 'checkout', isProbeDue: true }] },
    })
    expect(decisionOf(down, { eliminationRequested: true })).toMatchObject({ gateway: 'stripe', fallbacks: ['checkout'], probe: false })
  })

  test.each<[string, Algorithm]>([
    ['ab_test_static_single', { kind: 'SINGLE', output: { form: 'single', connector: gateway('adyen') } }],
    ['ab_test_static_priority', priority('adyen')],
    [
      'ab_test_static_volume_split',
      { kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits: [{ weight: 1, connector: gateway('adyen') }] } },
    ],
    [
      'ab_test_rule_based',
      {
        kind: 'ADVANCED',
        program: { globals: [], metadata: null, rules: [], defaultSelection: { form: 'single', connector: gateway('adyen') } },
      },
    ],
  ])('its tag is %s', (tag, algorithm) => {
    expect(decisionOf(sourcesWith(byAlgorithm('a_1'), [stored('a_1', algorithm)])).plan?.tag).toBe(tag)
  })

  test('a split of the arm is drawn independently of the arm', () => {
    const splits = [1, 1].map((weight, index) => ({ weight, connector: gateway(index === 0 ? 'adyen' : 'stripe') }))
    const split = stored('a_1', { kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits } })
    const ids = Array.from({ length: 2_000 }, (_, index) => `p_${index}`)
    const inVariant = ids.filter((id) => armOf('e_1', { variantSplitPercent: 49 }, id) === 'VARIANT')
    const drawn = sourcesWith(byAlgorithm('a_1'), [split])
    const toAdyen = inVariant.filter((id) => decisionOf(drawn, {}, id).gateway === 'adyen').length
    expect(Math.abs(toAdyen / inVariant.length - 0.5)).toBeLessThan(0.06)
  })
})

describe('a payment that its arm can not take', () => {
  test.each<[string, readonly StoredAlgorithm[]]>([
    ['ALGORITHM_MISSING', []],
    ['NO_CANDIDATE', [stored('a_1', priority('elsewhere'))]],
    ['ALGORITHM_FAILED', [stored('a_1', { kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits: [] } })]],
  ])('%s: routed as without the experiment, which is recorded', (exclusion, others) => {
    expect(decisionOf(sourcesWith(byAlgorithm('a_1'), others))).toMatchObject({
      approach: expect.stringMatching(/^SR_/),
      experiment: { arm: 'VARIANT', algorithmId: 'a_1', exclusion },
    })
    expect(decisionOf(sourcesWith(byAlgorithm('a_1'), others), { rankingAlgorithm: 'PL_BASED_ROUTING' })).toMatchObject({
      gateway: 'stripe',
      approach: 'PRIORITY_LOGIC',
      plan: { algorithmId: null, run: null },
    })
  })
})

describe('a payment in an arm of success rates', () => {
  const settings: SuccessRateSettings = {
    ...NO_SETTINGS,
    defaultLatencyThresholdSeconds: 90,
    defaultBucketSize: 100,
    defaultHedgingPercent: 6,
    subLevelInputConfig: [{ ...SAMPLE_ROW, source: 'autopilot', bucketSize: 40, hedgingPercent: 20 }],
  }
  const tuned = (change: Partial<ExperimentOverrides>): GatewayDecision =>
    decisionOf(sourcesWith(bySuccessRates(change), [], { successRateScoring: { settings } }))

  test('its settings come before those of the merchant, and are recorded with their source', () => {
    expect(tuned({ hedgingPercent: 33 }).knobs).toMatchObject({
      hedgingPercent: 33,
      bucketSize: 40,
      sources: { hedgingPercent: 'EXPERIMENT' },
    })
    expect(tuned({ eliminationThreshold: 0.4 }).elimination.threshold).toBe(0.4)
    expect(tuned({}).knobs).toMatchObject({ hedgingPercent: 20, sources: { hedgingPercent: 'MERCHANT_ROW' } })
  })
  test('the self-tuning job can be left out', () => {
    expect(tuned({ useAutopilot: false }).knobs).toMatchObject({ hedgingPercent: 6, bucketSize: 100 })
    expect(tuned({ useAutopilot: true }).knobs).toMatchObject({ hedgingPercent: 20, bucketSize: 40 })
  })
  test('is decided by success rates, also when the priority list was asked for', () => {
    const decision = decisionOf(sourcesWith(bySuccessRates()), { rankingAlgorithm: 'PL_BASED_ROUTING' })
    expect(decision).toMatchObject({ approach: expect.stringMatching(/^SR_/), experiment: { arm: 'VARIANT', algorithmId: null } })
  })
  test('the event tells the arm and what it set', () => {
    const { experiment } = gatewayDecided(sampleRequest(), tuned({ hedgingPercent: 0 }), {
      latencyUs: 5,
      merchantRegistrationCount: 1,
      pricing: null,
    }).data
    expect(experiment).toEqual({
      experimentId: 'e_1',
      arm: 'VARIANT',
      algorithmId: null,
      overrides: { ...NOTHING_SET, hedgingPercent: 0 },
      exclusion: null,
    })
  })
})

describe('no experiment takes part', () => {
  test('when the merchant lets none into its payments', () => {
    const off = sourcesWith(bySuccessRates(), [], { features: { registered: true, enabled: [] } })
    expect(decisionOf(off).experiment).toBeNull()
    expect(decisionOf(off, { rankingAlgorithm: null })).toMatchObject({ gateway: 'stripe', plan: { run: null } })
  })
  test.each(['NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING'] as const)('in decisions about networks: %s', (rankingAlgorithm) => {
    const sources = sourcesWith(byAlgorithm('a_1'), [stored('a_1', priority('adyen'))], { debitRouting: { enabled: true } })
    const result = decideGateway(sampleRequest({ rankingAlgorithm }, { paymentId: variantPayment }), sources)
    if (result.decided) expect(result.decision.experiment).toBeNull()
    else expect(result.refusal.code).toBe('CO_BADGED_NETWORK_NOT_FOUND')
  })
})
