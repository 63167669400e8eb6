import { checkValue, parseJson } from '@switchyard/http'
import { ID_LENGTH_MAX, isUpTo, type LogRecord } from '@switchyard/kernel'
import { INBOUND_EVENT_BYTES_MAX } from '../limits.ts'
import type { Submission } from '../operations.ts'
import { firstProblem } from '../routes/first-problem.ts'
import { idempotencyKeyIn } from '../routes/idempotency-key.ts'
import { classFault, submissionBody, submittedOf } from '../routes/submission-body.ts'
import { type DeadEvent, dead } from './dead-events.ts'

/** What a record of the topic says, or why it can't be taken. */
export type ReadSubmission =
  | { readonly submission: Submission; readonly problem?: never }
  | { readonly submission?: never; readonly problem: DeadEvent }

/** Topic by which others submit events. */
export const EVENT_INBOX = 'webhook-events-inbound'

const invalid = (message: string): ReadSubmission => ({ problem: dead('INVALID_INPUT', message) })

/** As the body of `POST /merchant-account/{merchant_id}/events`: the key is the merchant, the header `idempotency-key` as over HTTP (webhooks.md 9.2). */
export const readSubmission = ({ key: merchantId, value, headers, position }: LogRecord): ReadSubmission => {
  if (value.length > INBOUND_EVENT_BYTES_MAX)
    return { problem: dead('RECORD_TOO_LARGE', `${value.length} bytes, an event has at most ${INBOUND_EVENT_BYTES_MAX}`) }
  if (merchantId === '' || !isUpTo(merchantId, ID_LENGTH_MAX)) return invalid('the key of the message must be the id of the merchant')
  const idempotencyKey = idempotencyKeyIn(headers.idempotencyKey)
  if (idempotencyKey === undefined) return invalid('idempotency-key: must be 1 to 128 visible ASCII characters')
  const json = parseJson(Buffer.from(value.buffer, value.byteOffset, value.byteLength), 'exact')
  if (!json.ok) return invalid(json.detail)
  const parsed = checkValue(submissionBody, json.value)
  if (!parsed.success) return invalid(firstProblem(parsed.error))
  const fault = classFault(parsed.data)
  if (fault !== undefined) return invalid(`event_class: ${fault}`)
  const origin = { actor: EVENT_INBOX, requestId: `${EVENT_INBOX}-${position.partition}-${position.offset}` }
  return { submission: { ...submittedOf(parsed.data), merchantId, idempotencyKey, origin } }
}
