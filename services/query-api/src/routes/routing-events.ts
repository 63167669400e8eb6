import type { CalibrationQuery, Calibrations, RoutingEventsQuery, RoutingFeed } from '@switchyard/analytics'
import { decimal, InvalidQuery, integer, refuseRepeated, text, unsigned, windowOf } from './analytics-query.ts'
import { calibrationEvent, type FeedEvent, idleRunEvent } from './calibration-events.ts'
import { freshnessAnswer } from './freshness-answer.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 200
const MIN_TRANSACTION_COUNT_DEFAULT = 10
const MIN_SCORE_DELTA_DEFAULT = 0.01

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** Width of the times in ids; everything else than a second or a minute means five minutes (analytics.md 5.1). */
const bucketMsOf = (query: URLSearchParams): number => {
  const bucket = text(query, 'bucket')
  return bucket === '1s' ? SECOND_MS : bucket === '1m' ? MINUTE_MS : 5 * MINUTE_MS
}

/** Whether runs of the self-tuning are told that applied nothing (contract/README 25). Throws {@link InvalidQuery}. */
const includeOf = (query: URLSearchParams): CalibrationQuery['include'] => {
  const include = text(query, 'include')
  if (include !== undefined && include !== 'all') throw new InvalidQuery('include: expected all')
  return include ?? 'applied'
}

/** What is asked for of the feed. */
export interface FeedRequest {
  readonly query: RoutingEventsQuery
  readonly include: CalibrationQuery['include']
}

/** Reads the query of the feed (family C, analytics.md 5.1). `tolerance_pp` is checked and has no effect. Throws {@link InvalidQuery}. */
export const parseRoutingEventsQuery = (query: URLSearchParams, historySince: number): FeedRequest => {
  refuseRepeated(query)
  decimal(query, 'tolerance_pp')
  return {
    query: {
      window: windowOf(query, historySince),
      paymentMethodType: text(query, 'payment_method_type'),
      paymentMethod: text(query, 'payment_method'),
      minSampleCount: Math.max(0, integer(query, 'min_transaction_count') ?? MIN_TRANSACTION_COUNT_DEFAULT),
      minScoreDelta: Math.max(0, decimal(query, 'min_score_delta') ?? MIN_SCORE_DELTA_DEFAULT),
      limit: Math.min(LIMIT_MAX, Math.max(1, unsigned(query, 'limit') ?? LIMIT_DEFAULT)),
      bucketMs: bucketMsOf(query),
    },
    include: includeOf(query),
  }
}

const routingEvent = (merchantId: string, event: RoutingFeed['events'][number]): FeedEvent => ({
  id: event.id,
  event_type: event.kind,
  merchant_id: merchantId,
  payment_method_type: event.paymentMethodType,
  payment_method: event.paymentMethod,
  bucket_ms: event.bucketMs,
  gateway: event.gateway,
  previous_gateway: event.previousGateway,
  score: event.score,
  previous_score: event.previousScore,
  transaction_count: event.sampleCount,
  at_ms: event.at,
})

const newestFirst = (a: FeedEvent, b: FeedEvent): number => b.bucket_ms - a.bucket_ms || (a.id < b.id ? -1 : 1)

/** Answer of the feed (analytics.md 5.2), cut when both sources are merged; `at_ms`, the exact time, is extra. */
export const routingEventsAnswer = (
  { merchantId, window, events, freshness }: RoutingFeed,
  { calibrations, idleRuns, freshness: { truncated } }: Calibrations,
  { limit }: RoutingEventsQuery,
): object => ({
  merchant_id: merchantId,
  range: window.label,
  events: [
    ...events.map((event) => routingEvent(merchantId, event)),
    ...calibrations.filter(({ at }) => at >= window.startMs).map((one) => calibrationEvent(merchantId, one)),
    ...idleRuns.filter(({ at }) => at >= window.startMs).map((run) => idleRunEvent(merchantId, run)),
  ]
    .sort(newestFirst)
    .slice(0, limit),
  generated_at_ms: freshness.asOfMs,
  start_ms: window.startMs,
  end_ms: window.endMs,
  ...freshnessAnswer({ ...freshness, truncated: freshness.truncated || truncated }),
})
