import { expect, test } from '@jest/globals'
import {
  analyticsCollections,
  type CalibrationRun,
  calibrationRuns,
  clusterTraffic,
  createAnalyticsQueries,
  createJournalQueries,
} from '@switchyard/analytics'
import { createMemoryStore } from '@switchyard/store-memory'
import { selfTuningRoute } from './self-tuning.ts'

type TrafficMinute = ReturnType<typeof clusterTraffic.initialView>

const MINUTE = 60_000
const NOW = 30_000_000 * MINUTE
const minutesAgo = (count: number): number => NOW - count * MINUTE
const cluster = { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', cardNetwork: null, currency: null, country: null, authType: null }

const runAt = (at: number): CalibrationRun => ({
  id: `run-${at}`,
  at,
  intervalStartAt: at,
  lookbackMs: 0,
  isObserveOnly: false,
  clusters: [
    {
      ...cluster,
      paymentCount: 100,
      gatewayCount: 2,
      outcome: 'APPLIED',
      bucketSize: 100,
      previousBucketSize: null,
      hedgingPercent: 5,
      previousHedgingPercent: null,
      isHedgingCapped: false,
    },
  ],
})

const minuteOf = (minuteMs: number, approvedCount: number, declinedCount: number): TrafficMinute => ({
  merchantId: 'm_1',
  minuteMs,
  clusters: [
    {
      ...cluster,
      currency: 'EUR',
      paymentCount: approvedCount + declinedCount,
      candidateCount: 2,
      gateways: [{ gateway: 'stripe', decidedCount: approvedCount + declinedCount, approvedCount, declinedCount }],
    },
  ],
  lostCount: 0,
})

const report = async (query: string, runs: readonly CalibrationRun[], minutes: readonly TrafficMinute[]): Promise<unknown> => {
  const store = createMemoryStore({ collections: analyticsCollections })
  const position = { partition: 0, offset: 0 }
  await store.write([
    ...runs.map((body) => ({ collection: calibrationRuns.name, key: ['m_1', body.at, body.id], position, body })),
    ...minutes.map((body) => ({ collection: clusterTraffic.name, key: ['m_1', body.minuteMs], position, body })),
  ])
  const now = (): number => NOW
  const route = selfTuningRoute({
    queries: createAnalyticsQueries({ store, now }),
    journal: createJournalQueries({ readModels: () => store, now }),
    states: { stateOf: ({ initialState }) => initialState, readIndex: () => Promise.resolve() },
    historySinceOf: () => 0,
  })
  const { body } = await route.handle({
    params: {},
    query: new URLSearchParams(query),
    body: undefined,
    headers: {},
    identity: { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false },
    requestId: 'r_1',
    receivedAt: NOW,
    remoteAddress: () => '127.0.0.1',
  })
  return body
}

test('what came before an earlier change, which the window did not reach, was compared with as if it were behind that', async () => {
  const runs = [runAt(minutesAgo(65)), runAt(minutesAgo(50))]
  const minutes = [minuteOf(minutesAgo(80), 0, 10), minuteOf(minutesAgo(55), 10, 0), minuteOf(minutesAgo(40), 5, 5)]
  expect(await report('range=1h', runs, minutes)).toMatchObject({
    run_count: 1,
    total_results: 1,
    changes: [
      {
        at_ms: minutesAgo(50),
        before: { payment_count: 10, approval_rate: 1 },
        after: { payment_count: 10, approval_rate: 0.5 },
        delta_pp: -50,
      },
    ],
  })
})

test('what came behind a later change, which the window did not reach, was compared with as if it were before that', async () => {
  const runs = [runAt(minutesAgo(150)), runAt(minutesAgo(130))]
  const minutes = [minuteOf(minutesAgo(160), 10, 0), minuteOf(minutesAgo(140), 8, 2), minuteOf(minutesAgo(120), 0, 10)]
  expect(await report(`start_ms=${minutesAgo(170)}&end_ms=${minutesAgo(135)}`, runs, minutes)).toMatchObject({
    run_count: 1,
    total_results: 1,
    changes: [{ at_ms: minutesAgo(150), after: { payment_count: 10, approval_rate: 0.8 } }],
  })
})
