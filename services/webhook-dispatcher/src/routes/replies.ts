import { mayActFor, type PlatformErrorCode, platformError, type Refusal, type RouteReply, type RouteRequest } from '@switchyard/http'
import { assertNever, type Position, type Topic } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'
import type { Answer, WebhookRefusal } from '../operations.ts'

/** Codes of the envelope of `/events` (webhooks.md 3.1). */
type EventsErrorCode = 'IR_01' | 'IR_02' | 'IR_03' | 'IR_06' | 'IR_16' | 'IR_17' | 'IR_22' | 'HE_00' | 'HE_02'

/** `{error: {type, message, code}}`, the envelope of `/events`. */
export const eventsError = (status: number, code: EventsErrorCode, message: string): RouteReply => ({
  status,
  body: { error: { type: status >= 500 ? 'api' : 'invalid_request', message, code } },
})

interface RefusalText {
  readonly status: number
  readonly code: EventsErrorCode
  readonly platform: PlatformErrorCode
  readonly message: string
}

const text = (status: number, code: EventsErrorCode, platform: PlatformErrorCode, message: string): RefusalText => ({
  status,
  code,
  platform,
  message,
})

/** A new refusal does not compile until it has an answer. */
const TEXTS: Readonly<Record<WebhookRefusal, RefusalText>> = {
  MERCHANT_NOT_FOUND: text(404, 'HE_02', 'TE_04', 'Merchant account does not exist in our records'),
  PROFILE_NOT_FOUND: text(404, 'HE_02', 'TE_02', 'Business profile with the given id does not exist in our records'),
  EVENT_NOT_FOUND: text(404, 'HE_02', 'TE_02', 'Event does not exist in our records'),
  RECOVERY_NOT_FOUND: text(404, 'HE_02', 'TE_02', 'Recovery does not exist in our records'),
  ENDPOINT_NOT_FOUND: text(404, 'HE_02', 'TE_02', 'No webhook endpoint is configured for this profile'),
  ENDPOINT_MISSING: text(400, 'IR_16', 'TE_04', 'No webhook endpoint is configured for the profile of this event'),
  ENDPOINT_DISABLED: text(400, 'IR_16', 'TE_04', 'The webhook endpoint of this profile was disabled by its merchant; enable it first'),
  ENDPOINT_ADDRESS_REFUSED: text(422, 'IR_06', 'TE_03', 'webhook_url can not be used'),
  CONTENT_FORGOTTEN: text(400, 'IR_16', 'TE_04', 'What was to be sent is not kept any more'),
  CONTENT_DIFFERS: text(409, 'IR_16', 'TE_04', 'Another event was submitted under this Idempotency-Key'),
  TOO_MANY_ATTEMPTS: text(409, 'IR_16', 'TE_04', 'This event has had as many delivery attempts as an event can have'),
  TOO_MANY_RETRIES: text(429, 'IR_16', 'TE_04', 'Too many manual retries; at most 10 a second for a merchant, and 128 at a time'),
  TOO_MANY_PINGS: text(
    429,
    'IR_16',
    'TE_04',
    'Too many test events are under way, at most 32 of a merchant; try again when one has been answered',
  ),
  TOO_MANY_ENDPOINTS: text(409, 'IR_16', 'TE_04', 'This merchant has as many webhook endpoints as it can have; remove one first'),
  TOO_MANY_SECRETS: text(409, 'IR_16', 'TE_04', 'Two earlier secrets are still valid; rotate again when one has expired'),
  RETRY_UNDER_WAY: text(409, 'IR_16', 'TE_04', 'A retry under this Idempotency-Key is still under way'),
  RECOVERY_RUNNING: text(409, 'IR_16', 'TE_04', 'A recovery of this merchant is still running'),
  RECOVERY_TOO_LARGE: text(
    422,
    'IR_06',
    'TE_03',
    'More events match than one recovery can send, or lie in the time span than it can look through; narrow the span',
  ),
  CONFLICT: text(409, 'IR_16', 'TE_04', 'Others changed the same thing at the same time; try again'),
}

const messageOf = (message: string, detail: string | undefined): string => (detail === undefined ? message : `${message}: ${detail}`)

type Refused = Extract<Answer<never>, { readonly ok: false }>

/** When what was too much may be asked again: retries are counted by the second. */
const RETRY_AFTER_SECONDS = '1'

const withRetryTime = (reply: RouteReply): RouteReply =>
  reply.status === 429 ? { ...reply, headers: { 'retry-after': RETRY_AFTER_SECONDS } } : reply

/** A refusal as `/events` answers it. */
export const eventsRefusal = ({ refusal, detail }: Refused): RouteReply => {
  const { status, code, message } = TEXTS[refusal]
  return withRetryTime(eventsError(status, code, messageOf(message, detail)))
}

/** A refusal as all other routes answer it. */
export const platformRefusal = ({ refusal, detail }: Refused): RouteReply => {
  const { status, platform, message } = TEXTS[refusal]
  return withRetryTime(platformError(status, platform, messageOf(message, detail)))
}

const FOREIGN = eventsError(401, 'IR_17', 'The credential does not belong to this merchant')

/** What stops a request to `/events` before its handler. To another merchant's credential an unknown merchant is a foreign one (webhooks.md 3.1). */
export const refuseEvents = (refusal: Refusal, { identity }: RouteRequest): RouteReply => {
  switch (refusal.code) {
    case 'BODY_UNREADABLE':
      return eventsError(400, 'IR_06', `The request body can not be read as JSON: ${refusal.detail}`)
    case 'BODY_ENCODED':
      return eventsError(400, 'IR_06', 'The request body has a Content-Encoding, none is supported')
    case 'BODY_TOO_LARGE':
      return eventsError(413, 'IR_06', `The request body is longer than ${refusal.limitBytes} bytes`)
    case 'MERCHANT_NOT_FOUND':
      return mayActFor(identity, refusal.merchantId) ? eventsRefusal({ ok: false, refusal: 'MERCHANT_NOT_FOUND' }) : FOREIGN
    case 'MERCHANT_FOREIGN':
      return FOREIGN
    default:
      return assertNever(refusal)
  }
}

const codeOfStatus = (status: number, message: string): EventsErrorCode => {
  if (status >= 500) return 'HE_00'
  switch (status) {
    case 401:
      return message.includes('token') ? 'IR_17' : 'IR_01'
    case 403:
      return 'IR_22'
    case 404:
      return 'IR_02'
    case 405:
      return 'IR_03'
    default:
      return 'IR_06'
  }
}

/** What an answer without a body says. */
const silentText = (status: number): string => (status === 404 ? 'Unrecognized request URL' : 'The method is not allowed here')

/** Answers of the gate and of failures in the envelope of `/events`; its own pass as they are. */
export const restateEvents = (reply: RouteReply): RouteReply => {
  const { status, body } = reply
  const { error, message = silentText(status) }: { readonly error?: unknown; readonly message?: unknown } = Object(body)
  if (status < 400 || error !== undefined) return reply
  const text = status >= 500 ? 'Something went wrong' : String(message)
  return { ...reply, body: eventsError(status, codeOfStatus(status, text), text).body }
}

/** Header of an answer to a write; nothing recorded, no position. */
export const positionHeaders = (topic: Topic, position: Position | undefined): Readonly<Record<string, string>> =>
  position === undefined ? {} : { 'x-log-position': positionToken(topic, position) }

/** RFC 3339 with milliseconds and `Z`. */
export const printTime = (at: number): string => new Date(at).toISOString()

/** {@link printTime} of what may not be there. */
export const printTimeOrNull = (at: number | null): string | null => (at === null ? null : printTime(at))
