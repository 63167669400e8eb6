import { describe, expect, test } from '@jest/globals'
import { experimentTallies } from '@switchyard/analytics'
import { printDefinition, type RoutingAlgorithms } from '@switchyard/routing'
import { type ExperimentRouteDeps, experimentRoutes } from './experiments.ts'

const CREATED_AT = 500
const REARRANGED_AT = 700
const plan = (hedgingPercent: number) => ({
  algorithmId: 'sr_routing',
  overrides: { hedgingPercent, eliminationThreshold: null, multiObjective: null, margin: null, useAutopilot: null },
})
const rules = { variantSplitPercent: 20, minSampleSize: 1, guardrailThresholdPp: 3, autoStop: false }
const algorithms: RoutingAlgorithms = {
  registered: true,
  algorithms: [
    {
      id: 'e_1',
      name: 'e',
      description: '',
      purpose: 'PAYMENT',
      kind: 'AB_TEST',
      definition: printDefinition({ kind: 'AB_TEST', experiment: { control: plan(1), variant: plan(2), ...rules } }),
      createdAt: CREATED_AT,
      modifiedAt: CREATED_AT,
    },
    {
      id: 'e_2',
      name: 'e',
      description: '',
      purpose: 'PAYMENT',
      kind: 'AB_TEST',
      definition: printDefinition({ kind: 'AB_TEST', experiment: { control: plan(1), variant: plan(3), ...rules } }),
      createdAt: CREATED_AT,
      modifiedAt: REARRANGED_AT,
      rearrangedAt: REARRANGED_AT,
    },
  ],
  active: [],
}
const freshness = { asOfMs: 0, positions: [], truncated: false }

describe('the reads of an experiment', () => {
  test.each(['results', 'transactions'])('leave out the %s of an earlier one of the same id, and of other arms', async (part) => {
    const asked: number[] = []
    const queries: ExperimentRouteDeps['queries'] = {
      experimentFigures: async (_, { historySince }) => {
        asked.push(historySince)
        return { tally: experimentTallies.initialView(['m_1', 'e_1', 'whole']), freshness }
      },
      experimentPayments: async (_, { historySince }) => {
        asked.push(historySince)
        return { total: 0, payments: [], freshness }
      },
    }
    const routes = experimentRoutes({
      queries,
      states: { stateOf: (slice) => ({ ...slice.initialState, ...algorithms }), readIndex: () => Promise.resolve() },
      historySinceOf: () => 40,
    })
    const route = routes.find(({ spec }) => spec.path.endsWith(part))
    for (const [experimentId, query] of [
      ['e_1', ''],
      ['e_2', ''],
      ['e_2', 'start_ms=600'],
      ['e_2', 'end_ms=800'],
      // As a form sends times that nobody filled in.
      ['e_2', 'start_ms=&end_ms='],
      ['unknown', ''],
    ] as const) {
      await route?.handle({
        params: { experimentId },
        query: new URLSearchParams(query),
        body: undefined,
        headers: {},
        identity: { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false },
        requestId: 'r_1',
        receivedAt: 0,
        remoteAddress: () => '127.0.0.1',
      })
    }
    expect(asked).toEqual([CREATED_AT, REARRANGED_AT, CREATED_AT, CREATED_AT, REARRANGED_AT, 40])
  })
})
