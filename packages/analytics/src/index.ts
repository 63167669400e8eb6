export { analyticsCollections } from './collections.ts'
export { type AlwaysValid, alwaysValid } from './experiments/always-valid.ts'
export { type ExperimentPayment, experimentPayments } from './experiments/experiment-payments.ts'
export { type ExperimentTally, experimentTallies } from './experiments/experiment-tallies.ts'
export { fixedTest } from './experiments/fixed-test.ts'
export { powerAt, requiredSampleSize } from './experiments/power.ts'
export type { ExperimentFigures, ExperimentQuery } from './experiments/read-experiment.ts'
export type { ExperimentPaymentsPage, ExperimentPaymentsQuery } from './experiments/read-experiment-payments.ts'
export { type ExperimentResults, experimentResults, type ResultsRules } from './experiments/results.ts'
export { type ExperimentVerdict, isGuardrailCertain } from './experiments/verdict.ts'
export type { FlowType, Route, SummaryKind } from './flows.ts'
export { routeOf } from './flows.ts'
export { outcomeClassOf } from './outcome-status.ts'
export type { AnalyticsQueries, AnalyticsQueryDeps } from './queries/analytics-queries.ts'
export { createAnalyticsQueries } from './queries/analytics-queries.ts'
export type { AnsweredWindow, Freshness } from './queries/freshness.ts'
export type { GatewayScores, ScoreQuery } from './queries/gateway-scores.ts'
export type { Overview } from './queries/overview.ts'
export type { AuditQuery, AuditTotals, PaymentAudit, PaymentSummary } from './queries/payment-audit.ts'
export type { PaymentFilter } from './queries/payment-filter.ts'
export type { DecisionsPage, DecisionsQuery, RecordedDecision } from './queries/recorded-decisions.ts'
export { DECISIONS_PAGE_MAX, readRecordedDecisions } from './queries/recorded-decisions.ts'
export type { ScanPage } from './queries/scan.ts'
export type { DimensionFilter, ScorePoint, ScoreSnapshot } from './queries/scores.ts'
export type { BucketWidth, RangePreset, WindowQuery } from './queries/window.ts'
export { resolveWindow } from './queries/window.ts'
export type {
  Arm,
  Disposition,
  ExperimentStanding,
  OutcomeEffect,
  PaymentDimensions,
  PaymentEffect,
  RecordedPayment,
} from './recorded-payment.ts'
export type { MinuteRollup } from './rollups/minute-rollups.ts'
export { minuteRollups } from './rollups/minute-rollups.ts'
export type { ScoreCell, ScoreRollup } from './rollups/score-rollups.ts'
export { scoreRollups } from './rollups/score-rollups.ts'
export { paymentRequests } from './timelines/payment-requests.ts'
export type { PaymentTimeline } from './timelines/payment-timelines.ts'
export { paymentTimelines } from './timelines/payment-timelines.ts'
export type { EntryFacts, TimelineEntry } from './timelines/timeline-entry.ts'
export type { Verdict } from './timelines/verdict.ts'
