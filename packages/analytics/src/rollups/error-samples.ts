import type { DecisionRefused, OutcomeRefused, RuleEvaluationRefused } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { endedBy, merchantOf, minuteKey } from '../keys.ts'
import { ERROR_SAMPLES_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type RecordedPayment } from '../recorded-payment.ts'
import { callerOf, refusalEntry } from '../timelines/entries-of.ts'
import type { TimelineEntry } from '../timelines/timeline-entry.ts'
import { aboutOf, type ErrorAbout, type ErrorCell, withErrorCell } from './error-cells.ts'

/** A call that failed. */
export interface ErrorSample
  extends Pick<TimelineEntry, 'id' | 'flow' | 'at' | 'requestId' | 'caller' | 'status' | 'approach' | 'errorCode' | 'errorMessage'> {
  /** Null when it was not readable. */
  readonly paymentId: string | null
  /** Absent when nothing of it was readable, and in calls of earlier releases. */
  readonly about?: ErrorAbout
}

/** Calls of one minute of a merchant that failed: the newest {@link ERROR_SAMPLES_PER_MINUTE_MAX} of them, and all that say what they were about. */
export interface ErrorMinute {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  /** In the order of the log. */
  readonly samples: readonly ErrorSample[]
  /** Absent for none, and in minutes of earlier releases until they are rebuilt. */
  readonly cells?: readonly ErrorCell[]
  /** Calls that say what they were about and are in no cell; absent for none. */
  readonly lostCount?: number
}

type Refused = DecisionRefused | OutcomeRefused | RuleEvaluationRefused

const isRefused = (event: RecordedPayment['event']): event is Refused =>
  event.type === 'DecisionRefused' || event.type === 'OutcomeRefused' || event.type === 'RuleEvaluationRefused'

const sampleOf = ({ eventId, trace }: RecordedPayment, event: Refused): ErrorSample => {
  const { id, flow, at, requestId, status, approach, errorCode, errorMessage } = refusalEntry(eventId, event)
  const about = aboutOf(event)
  const sample = { id, flow, at, requestId, paymentId: event.data.paymentId, status, approach, errorCode, errorMessage }
  return { ...sample, ...callerOf(trace), ...(about && { about }) }
}

const withCell = (view: ErrorMinute, event: Refused): ErrorMinute => {
  const cells = withErrorCell(view.cells ?? [], event)
  if (cells === undefined) return { ...view, lostCount: (view.lostCount ?? 0) + 1 }
  return cells.length === 0 ? view : { ...view, cells }
}

/** Failed calls by minute, one by one and by what they were about (analytics.md 2.6). */
export const errorSamples: DocumentProjection<ErrorMinute, RecordedPayment> = {
  name: 'error-samples-v1',
  endedBy,

  keysOf: ({ event }) => (isRefused(event) || isNewBeginning(event) ? [minuteKey(event.data.merchantId, event.data.at)] : []),

  initialView: (key) => ({ merchantId: merchantOf(key), minuteMs: Number(key[1]), samples: [] }),

  project: (view, record) => {
    const { event } = record
    // What stands in this minute is of an earlier merchant of the id.
    if (isNewBeginning(event)) return { merchantId: view.merchantId, minuteMs: view.minuteMs, samples: [] }
    if (!isRefused(event)) return view
    return { ...withCell(view, event), samples: [...view.samples.slice(1 - ERROR_SAMPLES_PER_MINUTE_MAX), sampleOf(record, event)] }
  },
}
