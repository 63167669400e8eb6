import type { DecisionRefused, OutcomeRefused, RuleEvaluationRefused } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { endedBy, merchantOf, minuteKey } from '../keys.ts'
import { ERROR_SAMPLES_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type RecordedPayment } from '../recorded-payment.ts'
import { refusalEntry } from '../timelines/entries-of.ts'
import type { TimelineEntry } from '../timelines/timeline-entry.ts'

/** A call that failed. */
export interface ErrorSample
  extends Pick<TimelineEntry, 'id' | 'flow' | 'at' | 'requestId' | 'status' | 'approach' | 'errorCode' | 'errorMessage'> {
  /** Null when it was not readable. */
  readonly paymentId: string | null
}

/** Calls of one minute of a merchant that failed, the newest {@link ERROR_SAMPLES_PER_MINUTE_MAX} of them. */
export interface ErrorMinute {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  /** In the order of the log. */
  readonly samples: readonly ErrorSample[]
}

type Refused = DecisionRefused | OutcomeRefused | RuleEvaluationRefused

const isRefused = (event: RecordedPayment['event']): event is Refused =>
  event.type === 'DecisionRefused' || event.type === 'OutcomeRefused' || event.type === 'RuleEvaluationRefused'

const sampleOf = (eventId: string, event: Refused): ErrorSample => {
  const { id, flow, at, requestId, status, approach, errorCode, errorMessage } = refusalEntry(eventId, event)
  return { id, flow, at, requestId, paymentId: event.data.paymentId, status, approach, errorCode, errorMessage }
}

/** Failed calls one by one, by minute (analytics.md 2.6). */
export const errorSamples: DocumentProjection<ErrorMinute, RecordedPayment> = {
  name: 'error-samples-v1',
  endedBy,

  keysOf: ({ event }) => (isRefused(event) || isNewBeginning(event) ? [minuteKey(event.data.merchantId, event.data.at)] : []),

  initialView: (key) => ({ merchantId: merchantOf(key), minuteMs: Number(key[1]), samples: [] }),

  project: (view, { event, eventId }) => {
    // What stands in this minute is of an earlier merchant of the id.
    if (isNewBeginning(event)) return { ...view, samples: [] }
    if (!isRefused(event)) return view
    return { ...view, samples: [...view.samples.slice(1 - ERROR_SAMPLES_PER_MINUTE_MAX), sampleOf(eventId, event)] }
  },
}
