import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import fc from 'fast-check'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { printDefinition } from '../algorithms/definition.ts'
import { type RoutingAlgorithmsEvent, routingAlgorithms } from '../algorithms/routing-algorithms.ts'
import { sampleCatalogue } from '../algorithms/sample-catalogue.fixture.ts'
import { activePaymentAlgorithm, algorithmById } from '../algorithms/stored-algorithm.ts'
import type { Experiment } from './experiment.ts'
import type { ExperimentProblem } from './experiment-problems.ts'
import { armOf } from './live-experiment.ts'

const given = specificationOf(routingAlgorithms)
const merchantId = 'm_1'
const single: Algorithm = { kind: 'SINGLE', output: { form: 'single', connector: { gatewayName: 'alpha', gatewayId: null } } }
const experiment: Experiment = {
  control: { algorithmId: 'sr_routing', overrides: null },
  variant: { algorithmId: 'a', overrides: null },
  variantSplitPercent: 20,
  minSampleSize: 1_000,
  guardrailThresholdPp: 3,
  autoStop: true,
}
const registered: RoutingAlgorithmsEvent = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }
const drafted = (
  algorithmId: string,
  algorithm: Algorithm = single,
  purpose: 'PAYMENT' | 'PAYOUT' = 'PAYMENT',
): RoutingAlgorithmsEvent => ({
  type: 'RoutingAlgorithmDrafted',
  data: {
    merchantId,
    algorithmId,
    name: 'n',
    description: '',
    purpose,
    kind: algorithm.kind,
    definition: printDefinition(algorithm),
    metadata: null,
    at: 3,
  },
})
const draftedExperiment = drafted('e', { kind: 'AB_TEST', experiment })
const named = { merchantId, algorithmId: 'e', purpose: 'PAYMENT', at: 4 } as const
const started: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmActivated', data: named }
const running = [registered, drafted('a'), draftedExperiment, started]
const draftOf = (change: Partial<Experiment>) =>
  ({
    type: 'DraftRoutingAlgorithm',
    merchantId,
    algorithmId: 'e',
    name: 'n',
    description: '',
    purpose: 'PAYMENT',
    algorithm: { kind: 'AB_TEST', experiment: { ...experiment, ...change } },
    catalogue: sampleCatalogue,
    metadata: null,
    at: 3,
  }) as const
const breach = {
  gainAtMostPp: -4,
  controlResolvedCount: 90,
  controlSuccessCount: 80,
  variantResolvedCount: 30,
  variantSuccessCount: 3,
}
const stopped: RoutingAlgorithmsEvent = { type: 'ExperimentStopped', data: { ...named, guardrailThresholdPp: 3, ...breach, at: 9 } }
const promoted = (arm: 'CONTROL' | 'VARIANT', promotedAlgorithmId: string | null): RoutingAlgorithmsEvent => ({
  type: 'ExperimentArmPromoted',
  data: { ...named, arm, promotedAlgorithmId, overrides: null, at: 9 },
})
const stateAfter = (...events: readonly RoutingAlgorithmsEvent[]) => events.reduce(routingAlgorithms.evolve, routingAlgorithms.initialState)
const overrides = {
  hedgingPercent: null,
  eliminationThreshold: null,
  multiObjective: null,
  margin: null,
  useAutopilot: null,
}

describe('an experiment', () => {
  test('is stored when its arms are there', () => given(registered, drafted('a')).when(draftOf({})).emits(draftedExperiment))

  test.each<[Partial<Experiment>, ExperimentProblem['where']['field'], ExperimentProblem['reason']]>([
    [{ variantSplitPercent: 0 }, 'variantSplitPercent', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ variantSplitPercent: 50 }, 'variantSplitPercent', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ variantSplitPercent: 200 }, 'variantSplitPercent', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ variantSplitPercent: 12.5 }, 'variantSplitPercent', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ minSampleSize: 0 }, 'minSampleSize', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ guardrailThresholdPp: 0 }, 'guardrailThresholdPp', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ guardrailThresholdPp: 100.1 }, 'guardrailThresholdPp', 'EXPERIMENT_OUT_OF_RANGE'],
    [{ variant: { algorithmId: 'gone', overrides: null } }, 'variantAlgorithmId', 'ARM_NOT_FOUND'],
    [{ control: { algorithmId: 'other', overrides: null } }, 'controlAlgorithmId', 'ARM_IS_EXPERIMENT'],
    [{ control: { algorithmId: 'a', overrides: null } }, 'variantAlgorithmId', 'ARMS_ALIKE'],
    [{ variant: experiment.control }, 'variantAlgorithmId', 'ARMS_ALIKE'],
    [
      { control: { algorithmId: 'sr_routing', overrides: { ...overrides, hedgingPercent: 101 } } },
      'controlOverrides',
      'EXPERIMENT_OUT_OF_RANGE',
    ],
    [
      { variant: { algorithmId: 'a', overrides: { ...overrides, eliminationThreshold: -1 } } },
      'variantOverrides',
      'EXPERIMENT_OUT_OF_RANGE',
    ],
    // Whoever promoted it had settings that can't be sent back.
    [{ control: { algorithmId: 'sr_routing', overrides: { ...overrides, margin: -5 } } }, 'controlOverrides', 'EXPERIMENT_OUT_OF_RANGE'],
  ])('%j is refused', (change, field, reason) => {
    const other = drafted('other', { kind: 'AB_TEST', experiment })
    const decision = routingAlgorithms.decide(draftOf(change), stateAfter(registered, drafted('a'), other))
    expect(decision).toMatchObject({
      rejection: { code: 'ALGORITHM_INVALID', problems: [{ where: { part: 'experiment', field }, reason }] },
    })
  })

  test('success rates can be compared with themselves under other settings', () => {
    const tuned = { variant: { algorithmId: 'sr_routing', overrides: { ...overrides, hedgingPercent: 2 } } }
    expect(routingAlgorithms.decide(draftOf(tuned), stateAfter(registered)).accepted).toBe(true)
  })

  test('compares algorithms for its own purpose: any other would go live in its place', () => {
    const forPayouts = drafted('a', single, 'PAYOUT')
    const refusal = { rejection: { problems: [{ where: { field: 'variantAlgorithmId' }, reason: 'ARM_NOT_FOUND' }] } }
    expect(routingAlgorithms.decide(draftOf({}), stateAfter(registered, forPayouts))).toMatchObject(refusal)
    const stored = stateAfter(registered, forPayouts, draftedExperiment)
    const { catalogue, name, description, algorithm } = draftOf({})
    const revise = { type: 'ReviseRoutingAlgorithm', name, description, algorithm, catalogue } as const
    for (const command of [revise, { type: 'ActivateRoutingAlgorithm' } as const]) {
      expect(routingAlgorithms.decide({ ...command, merchantId, algorithmId: 'e', at: 5 }, stored)).toMatchObject(refusal)
    }
    const promote = { type: 'PromoteExperimentArm', merchantId, algorithmId: 'e', arm: 'VARIANT', at: 5 } as const
    expect(routingAlgorithms.decide(promote, stored)).toMatchObject({ rejection: { code: 'ALGORITHM_NOT_FOUND', algorithmId: 'a' } })
  })

  test('does not start when an arm is gone', () => {
    const gone: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmDiscarded', data: { merchantId, algorithmId: 'a', at: 4 } }
    const state = stateAfter(registered, drafted('a'), draftedExperiment, gone)
    const decision = routingAlgorithms.decide({ type: 'ActivateRoutingAlgorithm', merchantId, algorithmId: 'e', at: 5 }, state)
    expect(decision).toMatchObject({ rejection: { problems: [{ reason: 'ARM_NOT_FOUND' }] } })
  })

  test('its algorithms are neither discarded nor revised while it is live', () => {
    const refusal = { code: 'ALGORITHM_IN_EXPERIMENT', algorithmId: 'a', experimentId: 'e' } as const
    const change = { merchantId, algorithmId: 'a', at: 5 }
    given(...running)
      .when({ type: 'DiscardRoutingAlgorithm', ...change })
      .isRejectedWith(refusal)
    const revise = { type: 'ReviseRoutingAlgorithm', name: 'm', description: '', algorithm: single, catalogue: sampleCatalogue } as const
    given(...running)
      .when({ ...revise, ...change })
      .isRejectedWith(refusal)
    const off: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmDeactivated', data: named }
    const discarded: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmDiscarded', data: { merchantId, algorithmId: 'a', at: 5 } }
    given(...running, off)
      .when({ type: 'DiscardRoutingAlgorithm', ...change })
      .emits(discarded)
  })

  test('a breach of the guardrail ends it, once', () => {
    const stop = { type: 'StopExperiment', merchantId, algorithmId: 'e', startedAt: 4, breach, at: 9 } as const
    given(...running)
      .when(stop)
      .emits(stopped)
    given(...running, stopped)
      .when(stop)
      .emitsNothing()
    const state = stateAfter(...running, stopped)
    expect(activePaymentAlgorithm(state)).toBeUndefined()
    expect(algorithmById(state, 'e')?.life).toEqual({ startedAt: 4, endedAt: 9, ending: 'GUARDRAIL', promotedArm: null })
  })

  test.each([
    ['VARIANT', 'a'],
    ['CONTROL', null],
  ] as const)('its %s goes live in its place', (arm, algorithmId) => {
    given(...running)
      .when({ type: 'PromoteExperimentArm', merchantId, algorithmId: 'e', arm, at: 9 })
      .emits(promoted(arm, algorithmId))
    const state = stateAfter(...running, promoted(arm, algorithmId))
    expect(activePaymentAlgorithm(state)?.id ?? null).toBe(algorithmId)
    expect(algorithmById(state, 'e')?.life).toEqual({ startedAt: 4, endedAt: 9, ending: 'PROMOTED', promotedArm: arm })
  })

  test('settings of an arm become those of payments only when it decides payments, by success rates', () => {
    const hedged = { ...overrides, hedgingPercent: 3 }
    const both = {
      ...experiment,
      control: { algorithmId: 'sr_routing', overrides: hedged },
      variant: { algorithmId: 'a', overrides: hedged },
    }
    const promotedOf = (arm: 'CONTROL' | 'VARIANT', purpose: 'PAYMENT' | 'PAYOUT') => {
      const stored = stateAfter(registered, drafted('a', single, purpose), drafted('e', { kind: 'AB_TEST', experiment: both }, purpose))
      return routingAlgorithms.decide({ type: 'PromoteExperimentArm', merchantId, algorithmId: 'e', arm, at: 9 }, stored)
    }
    expect(promotedOf('CONTROL', 'PAYMENT')).toMatchObject({ events: [{ data: { overrides: hedged } }] })
    expect(promotedOf('CONTROL', 'PAYOUT')).toMatchObject({ events: [{ data: { overrides: null } }] })
    expect(promotedOf('VARIANT', 'PAYMENT')).toMatchObject({ events: [{ data: { overrides: null } }] })
  })

  test('an experiment that never ran and of which an arm is promoted is no draft any more', () => {
    const state = stateAfter(registered, drafted('a'), draftedExperiment, promoted('VARIANT', 'a'))
    expect(activePaymentAlgorithm(state)?.id).toBe('a')
    expect(algorithmById(state, 'e')?.life).toEqual({ startedAt: null, endedAt: 9, ending: 'PROMOTED', promotedArm: 'VARIANT' })
  })

  test('what is no experiment has no arms to promote; an arm that is gone is not promoted', () => {
    const promote = { type: 'PromoteExperimentArm', merchantId, arm: 'VARIANT', at: 9 } as const
    given(...running)
      .when({ ...promote, algorithmId: 'a' })
      .isRejectedWith({ code: 'NOT_AN_EXPERIMENT', algorithmId: 'a' })
    const gone: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmDiscarded', data: { merchantId, algorithmId: 'a', at: 4 } }
    given(registered, drafted('a'), draftedExperiment, gone)
      .when({ ...promote, algorithmId: 'e' })
      .isRejectedWith({ code: 'ALGORITHM_NOT_FOUND', algorithmId: 'a' })
  })

  test('an arm that has become an experiment is not promoted: it would start without a look at its own arms', () => {
    const inner = { kind: 'AB_TEST', experiment: { ...experiment, variant: { algorithmId: 'gone', overrides: null } } } as const
    const revised: RoutingAlgorithmsEvent = {
      type: 'RoutingAlgorithmRevised',
      data: { merchantId, algorithmId: 'a', name: 'n', description: '', kind: 'AB_TEST', definition: printDefinition(inner), at: 5 },
    }
    given(registered, drafted('a'), draftedExperiment, revised)
      .when({ type: 'PromoteExperimentArm', merchantId, algorithmId: 'e', arm: 'VARIANT', at: 9 })
      .isRejectedWith({
        code: 'ALGORITHM_INVALID',
        problems: [
          {
            where: { part: 'experiment', field: 'variantAlgorithmId' },
            reason: 'ARM_IS_EXPERIMENT',
            expected: 'must not be an experiment itself',
          },
        ],
        conditions: [],
      })
  })

  test('another algorithm that goes live ends it, and it can begin again', () => {
    const replaced: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmActivated', data: { ...named, algorithmId: 'a', at: 6 } }
    expect(algorithmById(stateAfter(...running, replaced), 'e')?.life).toMatchObject({ endedAt: 6, ending: 'REPLACED' })
    const again: RoutingAlgorithmsEvent = { type: 'RoutingAlgorithmActivated', data: { ...named, at: 7 } }
    const state = stateAfter(...running, replaced, again)
    expect(algorithmById(state, 'e')?.life).toEqual({ startedAt: 7, endedAt: null, ending: null, promotedArm: null })
  })

  test.each<[Partial<Experiment>, number | undefined]>([
    [{ variant: { algorithmId: 'b', overrides: null } }, 10],
    [{ control: { algorithmId: 'sr_routing', overrides: { ...overrides, hedgingPercent: 1 } } }, 10],
    [{ variantSplitPercent: 21 }, 10],
    [{ minSampleSize: 5, guardrailThresholdPp: 1, autoStop: false }, undefined],
    [{}, undefined],
  ])('with %j changed between two runs it says since when it compares these arms', (change, rearrangedAt) => {
    const algorithm: Algorithm = { kind: 'AB_TEST', experiment: { ...experiment, ...change } }
    const revised: RoutingAlgorithmsEvent = {
      type: 'RoutingAlgorithmRevised',
      data: {
        merchantId,
        algorithmId: 'e',
        name: 'other',
        description: '',
        kind: 'AB_TEST',
        definition: printDefinition(algorithm),
        at: 10,
      },
    }
    expect(algorithmById(stateAfter(...running, stopped, revised), 'e')?.rearrangedAt).toBe(rearrangedAt)
  })
})

describe('the arm of a payment', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `pay_${index}`)
  const variants = (experimentId: string, variantSplitPercent: number): readonly string[] =>
    ids.filter((id) => armOf(experimentId, { variantSplitPercent }, id) === 'VARIANT')

  test('worked: the same for ever', () => {
    const arms = ['pay_1001', 'pay_1002', 'pay_1003', 'pay_1004', 'ord-55'].map((id) => armOf('routing_1', { variantSplitPercent: 20 }, id))
    expect(arms).toEqual(['CONTROL', 'CONTROL', 'CONTROL', 'VARIANT', 'CONTROL'])
  })
  test.each([1, 5, 20, 49])('a split of %d %% is met', (split) => {
    expect(Math.abs(variants('e_1', split).length / ids.length - split / 100)).toBeLessThan(0.01)
  })
  test('is independent from experiment to experiment', () => {
    const both = new Set(variants('e_1', 20))
    expect(Math.abs(variants('e_2', 20).filter((id) => both.has(id)).length / ids.length - 0.04)).toBeLessThan(0.005)
  })
  test('neighbours do not go together', () => {
    const inVariant = new Set(variants('e_1', 20))
    const pairs = ids.filter((id, index) => inVariant.has(id) && inVariant.has(ids[index + 1] ?? '')).length
    expect(Math.abs(pairs / ids.length - 0.04)).toBeLessThan(0.006)
  })
  test('a larger split only ever moves payments to the variant', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 48 }), (experimentId, paymentId, split) => {
        if (armOf(experimentId, { variantSplitPercent: split }, paymentId) !== 'VARIANT') return
        expect(armOf(experimentId, { variantSplitPercent: split + 1 }, paymentId)).toBe('VARIANT')
      }),
    )
  })
})
