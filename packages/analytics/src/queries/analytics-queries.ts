import type { Now, ReadStore } from '@switchyard/kernel'
import { type ExperimentFigures, type ExperimentQuery, readExperimentFigures } from '../experiments/read-experiment.ts'
import {
  type ExperimentPaymentsPage,
  type ExperimentPaymentsQuery,
  readExperimentPayments,
} from '../experiments/read-experiment-payments.ts'
import { type KeyUse, readKeyUses } from '../key-uses/key-uses.ts'
import { type RoutingEventsQuery, type RoutingFeed, readRoutingEvents } from '../routing-events/read-routing-events.ts'
import { type DecisionQuery, type Decisions, readDecisions } from './decisions.ts'
import { type GatewayScores, readGatewayScores, type ScoreQuery } from './gateway-scores.ts'
import { type ErrorQuery, type LogSummaries, readLogSummaries } from './log-summaries.ts'
import { type Overview, readOverview } from './overview.ts'
import { type AuditQuery, type PaymentAudit, readPaymentAudit } from './payment-audit.ts'
import { type RoutingStats, readRoutingStats } from './routing-stats.ts'

/**
 * Reads of one merchant. Arguments and answers are plain data, so that the caller may sit behind a message port. A failing
 * store rejects with its operating error; a merchant without data gets empty answers.
 */
export interface AnalyticsQueries {
  readonly overview: (merchantId: string, query: ScoreQuery) => Promise<Overview>
  readonly gatewayScores: (merchantId: string, query: ScoreQuery) => Promise<GatewayScores>
  readonly decisions: (merchantId: string, query: DecisionQuery) => Promise<Decisions>
  readonly routingStats: (merchantId: string, query: DecisionQuery) => Promise<RoutingStats>
  readonly logSummaries: (merchantId: string, query: ErrorQuery) => Promise<LogSummaries>
  readonly paymentAudit: (merchantId: string, query: AuditQuery) => Promise<PaymentAudit>
  readonly routingEvents: (merchantId: string, query: RoutingEventsQuery) => Promise<RoutingFeed>
  /** When the merchant's API keys were used last. */
  readonly keyUses: (merchantId: string) => Promise<readonly KeyUse[]>
  readonly experimentFigures: (merchantId: string, query: ExperimentQuery) => Promise<ExperimentFigures>
  readonly experimentPayments: (merchantId: string, query: ExperimentPaymentsQuery) => Promise<ExperimentPaymentsPage>
}

/** What the reads need. */
export interface AnalyticsQueryDeps {
  readonly store: ReadStore
  readonly now: Now
}

/** The reads over a store that the projections of this package are kept in. */
export const createAnalyticsQueries = ({ store, now }: AnalyticsQueryDeps): AnalyticsQueries => ({
  overview: (merchantId, query) => readOverview(store, now(), merchantId, query),
  gatewayScores: (merchantId, query) => readGatewayScores(store, now(), merchantId, query),
  decisions: (merchantId, query) => readDecisions(store, now(), merchantId, query),
  routingStats: (merchantId, query) => readRoutingStats(store, now(), merchantId, query),
  logSummaries: (merchantId, query) => readLogSummaries(store, now(), merchantId, query),
  paymentAudit: (merchantId, query) => readPaymentAudit(store, now(), merchantId, query),
  routingEvents: (merchantId, query) => readRoutingEvents(store, now(), merchantId, query),
  keyUses: (merchantId) => readKeyUses(store, merchantId),
  experimentFigures: (merchantId, query) => readExperimentFigures(store, now(), merchantId, query),
  experimentPayments: (merchantId, query) => readExperimentPayments(store, now(), merchantId, query),
})
