import { type ErrorGroup, type ErrorSample, type LogSummaries, routeOf } from '@switchyard/analytics'
import { freshnessAnswer } from './freshness-answer.ts'

/** Calls that failed alike (analytics.md 2.1). */
export const errorGroupAnswer = ({ route, errorCode, errorMessage, count, lastSeenMs }: ErrorGroup): object => ({
  route,
  error_code: errorCode,
  error_message: errorMessage,
  count,
  last_seen_ms: lastSeenMs,
})

/** A decision that failed was refused before a gateway was chosen; a report names one when it could be read. */
const sampleAnswer = (merchantId: string, sample: ErrorSample): object => ({
  route: routeOf(sample.flow),
  merchant_id: merchantId,
  payment_id: sample.paymentId,
  request_id: sample.requestId,
  global_request_id: sample.caller?.globalRequestId ?? null,
  trace_id: sample.caller?.traceId ?? null,
  gateway: sample.about?.gateway || null,
  routing_approach: sample.approach,
  status: sample.status,
  error_code: sample.errorCode,
  error_message: sample.errorMessage,
  flow_type: sample.flow,
  created_at_ms: sample.at,
})

/** Answer of the read of errors (analytics.md 2.6); `total_samples` is extra. */
export const logSummariesAnswer = (
  { merchantId, window, errorCount, errors, samples, sampleCount, freshness }: LogSummaries,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): object => ({
  merchant_id: merchantId,
  range: window.label,
  total_errors: errorCount,
  errors: errors.map(errorGroupAnswer),
  samples: samples.map((sample) => sampleAnswer(merchantId, sample)),
  page,
  page_size: pageSize,
  total_samples: sampleCount,
  start_ms: window.startMs,
  end_ms: window.endMs,
  ...freshnessAnswer(freshness),
})
