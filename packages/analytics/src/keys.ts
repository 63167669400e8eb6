import type { ResetCause } from '@switchyard/events'
import { type DocumentKey, hash53 } from '@switchyard/kernel'
import type { SummaryKind } from './flows.ts'
import { KEY_PART_LENGTH_MAX } from './limits.ts'
import type { RecordedPayment, TimelineEvent } from './recorded-payment.ts'

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

/** Start of the period of a width that a time lies in (UTC), epoch milliseconds. */
export const periodOf = (at: number, widthMs: number): number => Math.floor(at / widthMs) * widthMs

/** Start of the minute, epoch milliseconds. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS

/**
 * An id as part of a key. Stores bound the length of their keys; a longer id (the HTTP edge lets none pass) keeps its
 * beginning and a hash of the whole.
 */
export const keyPart = (id: string): string =>
  id.length <= KEY_PART_LENGTH_MAX ? id : `${id.slice(0, KEY_PART_LENGTH_MAX / 2)}~${hash53(id).toString(36)}`

/** The timeline that an event belongs to is named by its payment, else by its request (analytics.md 2.7). */
export const lookupKeyOf = ({ data }: TimelineEvent): string =>
  keyPart(data.paymentId === null || data.paymentId === '' ? data.requestId : data.paymentId)

/** Evaluations of rules are previews, everything else is live. */
export const summaryKindOf = ({ type }: TimelineEvent): SummaryKind =>
  type === 'RuleEvaluated' || type === 'RuleEvaluationRefused' ? 'preview' : 'live'

/** Key of one minute of a merchant. */
export const minuteKey = (merchantId: string, at: number): DocumentKey => [keyPart(merchantId), minuteOf(at)]

/** The keys with that of one more period of a merchant, by its start; each once. Adds to what it is given. */
export const addPeriod = (keys: DocumentKey[], merchantId: string, start: number): void => {
  for (const key of keys) if (key[1] === start) return
  keys.push([keyPart(merchantId), start])
}

/** Of a cause that a later release knows it is not known whether the merchant has ended: what is removed for it would be gone for good. */
const isEnding = (cause: ResetCause): boolean => cause === 'CLOSED' || cause === 'REGISTERED_AGAIN'

/** The documents that end when a merchant does: all whose keys begin with it. */
export const endedBy = ({ event: { type, data } }: RecordedPayment): DocumentKey | undefined =>
  type === 'GatewayScoresReset' && data.merchantRegistrationCount > 0 && isEnding(data.cause) ? [keyPart(data.merchantId)] : undefined

/** The merchant of a key; every key of this package begins with it. */
export const merchantOf = (key: DocumentKey): string => String(key[0])
