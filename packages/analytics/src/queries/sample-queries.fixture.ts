import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import { decisionDays, decisionHours, decisionRollups } from '../rollups/decision-rollups.ts'
import { errorSamples } from '../rollups/error-samples.ts'
import { dayRollups, hourRollups, minuteRollups } from '../rollups/minute-rollups.ts'
import { scoreDays, scoreHours, scoreRollups } from '../rollups/score-rollups.ts'
import { effectOf, inLog, outcome, recorded, writesOf } from '../sample-records.fixture.ts'
import { paymentTimelines } from '../timelines/payment-timelines.ts'
import { type AnalyticsQueries, createAnalyticsQueries } from './analytics-queries.ts'
import type { DimensionFilter } from './cells.ts'
import type { DecisionQuery } from './decisions.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import type { ErrorQuery } from './log-summaries.ts'
import type { AuditQuery } from './payment-audit.ts'
import type { WindowQuery } from './window.ts'

/** For tests: when the reads are made. */
export const NOW = 100_000_000
export const window: WindowQuery = { range: '1h', startMs: 0, endMs: NOW, bucket: undefined, historySince: 0 }
export const noDimensions: DimensionFilter = {
  paymentMethodType: undefined,
  paymentMethod: undefined,
  cardNetwork: undefined,
  cardIsIn: undefined,
  currency: undefined,
  country: undefined,
  authType: undefined,
}
export const scores = (change: Partial<ScoreQuery> = {}): ScoreQuery => ({ window, dimensions: noDimensions, gateways: [], ...change })
export const decisions = (change: Partial<DecisionQuery> = {}): DecisionQuery => ({
  ...scores(),
  routingApproach: undefined,
  excludeRoutingApproach: undefined,
  ...change,
})
export const errors = (change: Partial<ErrorQuery> = {}): ErrorQuery => ({
  ...scores(),
  route: undefined,
  errorCode: undefined,
  page: 1,
  pageSize: 10,
  ...change,
})
export const audit = (change: Partial<AuditQuery> = {}): AuditQuery => ({
  window,
  summaryKind: 'live',
  exactId: undefined,
  page: 1,
  pageSize: 12,
  gateway: undefined,
  route: undefined,
  flowType: undefined,
  errorCode: undefined,
  status: undefined,
  routingApproach: undefined,
  excludeRoutingApproach: undefined,
  ...change,
})

export const given = async (records: Parameters<typeof inLog>[0]): Promise<AnalyticsQueries> => {
  const store = createMemoryStore({ collections: analyticsCollections })
  const log = inLog(records)
  await store.write([
    ...writesOf(paymentTimelines, log),
    ...[minuteRollups, hourRollups, dayRollups].flatMap((projection) => writesOf(projection, log)),
    ...[scoreRollups, scoreHours, scoreDays].flatMap((projection) => writesOf(projection, log)),
    ...[decisionRollups, decisionHours, decisionDays].flatMap((projection) => writesOf(projection, log)),
    ...writesOf(errorSamples, log),
  ])
  return createAnalyticsQueries({ store, now: () => NOW })
}

export const scored = (paymentId: string, at: number, gateway: string, value: number) => {
  const report = outcome(paymentId, at, { gateway })
  return recorded(report, [effectOf(report, { score: { value, sampleCount: 7, bucketSize: 125 } })])
}
