import { test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { printDefinition } from '../algorithms/definition.ts'
import { type RoutingAlgorithmsEvent, routingAlgorithms } from '../algorithms/routing-algorithms.ts'

const merchantId = 'm_1'
const plan = { algorithmId: 'sr_routing', overrides: null }
const rules = { variantSplitPercent: 20, minSampleSize: 1_000, guardrailThresholdPp: 3, autoStop: true }
const definition = printDefinition({ kind: 'AB_TEST', experiment: { control: plan, variant: plan, ...rules } })
const breach = { gainAtMostPp: -4, controlResolvedCount: 90, controlSuccessCount: 80, variantResolvedCount: 30, variantSuccessCount: 3 }
const named = { merchantId, algorithmId: 'e', purpose: 'PAYMENT' } as const

const started = (at: number): RoutingAlgorithmsEvent => ({ type: 'RoutingAlgorithmActivated', data: { ...named, at } })
const restarted: readonly RoutingAlgorithmsEvent[] = [
  { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } },
  { type: 'RoutingAlgorithmDrafted', data: { ...named, name: 'e', description: '', kind: 'AB_TEST', definition, metadata: null, at: 2 } },
  started(3),
  { type: 'RoutingAlgorithmDeactivated', data: { ...named, at: 4 } },
  started(5),
]
const stop = { type: 'StopExperiment', merchantId, algorithmId: 'e', breach, at: 6 } as const

test('figures of the run before end no experiment that was started again while they were read', () => {
  const given = specificationOf(routingAlgorithms)
  given(...restarted)
    .when({ ...stop, startedAt: 3 })
    .emitsNothing()
  given(...restarted)
    .when({ ...stop, startedAt: 5 })
    .emits({ type: 'ExperimentStopped', data: { ...named, guardrailThresholdPp: 3, ...breach, at: 6 } })
})
