import type { CollectionSpec, DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { type Route, routeOf, type SummaryKind } from '../flows.ts'
import { endedBy, keyPart, lookupKeyOf, merchantOf, summaryKindOf } from '../keys.ts'
import { DISTINCT_VALUES_MAX, REQUEST_IDS_MAX } from '../limits.ts'
import type { OutcomeClass } from '../outcome-status.ts'
import {
  type Disposition,
  isTimelineEvent,
  type OutcomeEffect,
  outcomesOf,
  type RecordedPayment,
  type TimelineEvent,
} from '../recorded-payment.ts'
import { entriesOf, newsOf, resultOf } from './entries-of.ts'
import { withNewest } from './kept-entries.ts'
import type { TimelineEntry } from './timeline-entry.ts'
import { classOf, nextVerdict, type Verdict } from './verdict.ts'

/** Everything that happened to one payment (or to one call without a payment), newest entries kept, summary over all. */
export interface PaymentTimeline {
  readonly merchantId: string
  readonly summaryKind: SummaryKind
  /** Payment id, else request id. */
  readonly lookupKey: string
  readonly paymentId: string | null
  readonly requestId: string | null
  /** Epoch milliseconds; 0 before the first event. */
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Entries ever added, also those that are no longer kept. */
  readonly eventCount: number
  readonly verdict: Verdict | null
  readonly latestStatus: string | null
  readonly latestGateway: string | null
  readonly latestStage: string | null
  /** Distinct values in the order of their first appearance, at most {@link DISTINCT_VALUES_MAX} of each. */
  readonly gateways: readonly string[]
  readonly routes: readonly Route[]
  readonly statuses: readonly string[]
  /** What the reports say. */
  readonly outcomeClasses: readonly OutcomeClass[]
  readonly flows: readonly string[]
  readonly errorCodes: readonly string[]
  /** Labels of decisions and the strategies asked for. */
  readonly approaches: readonly string[]
  /** Its requests' ids and their callers' ids of them, but for its own name: it is found by them. The newest {@link REQUEST_IDS_MAX}. */
  readonly requestIds: readonly string[]
  /** The newest ones ({@link withNewest}), in the order of the log. */
  readonly entries: readonly TimelineEntry[]
}

const withValue = <Value extends string>(values: readonly Value[], value: Value | null): readonly Value[] =>
  value === null || value === '' || values.length >= DISTINCT_VALUES_MAX || values.includes(value) ? values : [...values, value]

const algorithmAsked = ({ facts }: TimelineEntry): string | null =>
  facts.kind === 'decision' || facts.kind === 'refusal' ? facts.rankingAlgorithm : null

const outcomeClassIn = ({ facts }: TimelineEntry): OutcomeClass | null => (facts.kind === 'outcome' ? classOf(facts) : null)

const withEntry = (view: PaymentTimeline, entry: TimelineEntry): PaymentTimeline => {
  const isFirst = view.eventCount === 0
  const isLatest = isFirst || entry.at >= view.lastSeenMs
  return {
    ...view,
    requestId: isLatest ? entry.requestId : view.requestId,
    firstSeenMs: isFirst ? entry.at : Math.min(view.firstSeenMs, entry.at),
    lastSeenMs: isLatest ? entry.at : view.lastSeenMs,
    eventCount: view.eventCount + 1,
    verdict: nextVerdict(view.verdict, entry),
    latestStatus: isLatest ? entry.status : view.latestStatus,
    latestGateway: isLatest ? (entry.gateway ?? view.latestGateway) : (view.latestGateway ?? entry.gateway),
    latestStage: isLatest ? entry.stage : view.latestStage,
    gateways: withValue(view.gateways, entry.gateway),
    routes: withValue(view.routes, routeOf(entry.flow)),
    statuses: withValue(view.statuses, entry.status),
    outcomeClasses: withValue(view.outcomeClasses, outcomeClassIn(entry)),
    flows: withValue(view.flows, entry.flow),
    errorCodes: withValue(view.errorCodes, entry.errorCode),
    approaches: withValue(withValue(view.approaches, entry.approach), algorithmAsked(entry)),
    entries: withNewest(view.entries, entry),
  }
}

const isOpen = (disposition: Disposition): boolean => disposition === 'waiting' || disposition === 'pending'

const isWaitingFor = (entry: TimelineEntry, effect: OutcomeEffect): boolean =>
  entry.facts.kind === 'outcome' &&
  isOpen(entry.facts.disposition) &&
  entry.requestId === effect.requestId &&
  entry.gateway === effect.gateway &&
  entry.status === effect.status

const resolved = (entry: TimelineEntry, effect: OutcomeEffect): TimelineEntry => {
  if (entry.facts.kind !== 'outcome') return entry
  const { disposition, success } = effect
  return { ...entry, ...resultOf(effect), facts: { ...entry.facts, disposition, success, ...newsOf(effect) } }
}

/** An outcome that waited for its decision, or was pending, learns what became of it. */
const withEffect = (view: PaymentTimeline, effect: OutcomeEffect): PaymentTimeline => {
  if (effect.disposition === 'waiting') return view
  const index = view.entries.findIndex((entry) => isWaitingFor(entry, effect))
  const entry = view.entries[index]
  return entry === undefined ? view : { ...view, entries: view.entries.with(index, resolved(entry, effect)) }
}

const NO_KEYS: readonly DocumentKey[] = []

/** Its own timeline, and those of the payments that it did something to. */
const keysOf = (record: RecordedPayment): readonly DocumentKey[] => {
  const { event } = record
  const outcomes = outcomesOf(record)
  if (!isTimelineEvent(event) && outcomes.length === 0) return NO_KEYS
  const merchantId = keyPart(event.data.merchantId)
  const keys: DocumentKey[] = isTimelineEvent(event) ? [[merchantId, summaryKindOf(event), lookupKeyOf(event)]] : []
  for (const effect of outcomes) {
    const paymentId = keyPart(effect.paymentId)
    if (!keys.some((key) => key[1] === 'live' && key[2] === paymentId)) keys.push([merchantId, 'live', paymentId])
  }
  return keys
}

const withRequest = (view: PaymentTimeline, { event, trace }: RecordedPayment): PaymentTimeline => {
  const ids = new Set([keyPart(event.data.requestId), keyPart(trace?.globalRequestId ?? '')])
  const added = [...ids].filter((id) => id !== '' && id !== view.lookupKey && !view.requestIds.includes(id))
  return added.length === 0 ? view : { ...view, requestIds: [...view.requestIds, ...added].slice(-REQUEST_IDS_MAX) }
}

const isOwn = (event: TimelineEvent, key: DocumentKey): boolean => key[1] === summaryKindOf(event) && key[2] === lookupKeyOf(event)

const withOwn = (view: PaymentTimeline, { data }: TimelineEvent, entries: readonly TimelineEntry[]): PaymentTimeline => {
  const next = entries.reduce(withEntry, view)
  return data.paymentId !== null && next.paymentId === null ? { ...next, paymentId: data.paymentId } : next
}

/** The audit trail of every payment and of every evaluation of rules (analytics.md 2.7, 3.2). */
export const paymentTimelines: DocumentProjection<PaymentTimeline, RecordedPayment> = {
  name: 'payment-timelines-v3',
  endedBy,

  keysOf,

  initialView: (key) => ({
    merchantId: merchantOf(key),
    summaryKind: key[1] === 'preview' ? 'preview' : 'live',
    lookupKey: String(key[2]),
    paymentId: null,
    requestId: null,
    firstSeenMs: 0,
    lastSeenMs: 0,
    eventCount: 0,
    verdict: null,
    latestStatus: null,
    latestGateway: null,
    latestStage: null,
    gateways: [],
    routes: [],
    statuses: [],
    outcomeClasses: [],
    flows: [],
    errorCodes: [],
    approaches: [],
    requestIds: [],
    entries: [],
  }),

  project: (view, record, key) => {
    const { event } = record
    let next = isTimelineEvent(event) && isOwn(event, key) ? withRequest(withOwn(view, event, entriesOf(record)), record) : view
    for (const effect of outcomesOf(record)) if (key[1] === 'live' && key[2] === keyPart(effect.paymentId)) next = withEffect(next, effect)
    return next
  },
}

/** Declared order of the timelines: by the time of their last entry, within a merchant and kind. */
export const TIMELINES_BY_LAST_SEEN = 'by-last-seen'

/** Declared order of the timelines that a request added to, by the time of their first entry: unlike the last one it stays, and so do the rows. */
export const TIMELINES_BY_REQUEST = 'by-request'

/** The collection, the order that searches go by, and that by which a timeline is found by its requests. */
export const paymentTimelinesCollection: CollectionSpec = {
  name: paymentTimelines.name,
  indexes: [
    { name: TIMELINES_BY_LAST_SEEN, fields: ['merchantId', 'summaryKind', 'lastSeenMs'] },
    { name: TIMELINES_BY_REQUEST, fields: ['merchantId', 'summaryKind', 'requestIds', 'firstSeenMs'], each: 'requestIds' },
  ],
}
