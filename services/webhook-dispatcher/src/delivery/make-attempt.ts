import type { OutboundOutcome, OutboundRequest, Position } from '@switchyard/kernel'
import { systemTimers } from '@switchyard/runtime'
import {
  type AttemptResult,
  type Chain,
  DEFAULT_SCHEDULE,
  type DeliveryRejection,
  deliveryError,
  type Endpoint,
  isDelivered,
  retryAfterMs,
  webhookBodies,
} from '@switchyard/webhooks'
import { type ChainOutcome, SCHEDULE } from '../journal.ts'
import { ATTEMPT_MS_MIN } from '../limits.ts'
import type { Origin } from '../operations.ts'
import { newEventId, type Parts } from '../parts.ts'
import { drawConsequences } from './consequences.ts'
import { type KeptRequest, prepareRequest } from './prepare-request.ts'
import { endsBy, recordEnd } from './record-end.ts'

/** Why and for whom an attempt is made. */
export type AttemptPurpose =
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'manual'; readonly idempotencyKey: string | null; readonly taskId: string | null; readonly origin: Origin }

/** What became of it. `refused`: nothing was sent and nothing recorded. */
export type AttemptOutcome =
  | { readonly kind: 'attempted'; readonly eventId: string; readonly delivered: boolean; readonly position: Position | undefined }
  | { readonly kind: 'refused'; readonly code: DeliveryRejection['code'] | 'CONFLICT' | 'CONTENT_FORGOTTEN' }

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** The delays of an endpoint's automatic retries, seconds. */
export const scheduleOfEndpoint = (endpoint: Endpoint | undefined): readonly number[] => endpoint?.retryDelaysSeconds ?? DEFAULT_SCHEDULE

const resultOf = async ({ sealed, now }: Parts, merchantId: string, outcome: OutboundOutcome): Promise<AttemptResult> => {
  const errorMessage = deliveryError(outcome) ?? null
  if (outcome.kind !== 'answered') return { statusCode: null, errorMessage, response: null, retryAfterAt: null }
  const { status, headers, body } = outcome
  const kept: KeptAnswer = { headers, body }
  const retryAfterAt = retryAfterMs({ status, headers }, now()) ?? null
  return { statusCode: status, errorMessage, response: await sealed.seal(merchantId, kept), retryAfterAt }
}

/** An attempt was to be recorded as finished, and what became of that. */
interface AttemptEnd {
  readonly before: Chain
  readonly finished: ChainOutcome
  readonly kind: AttemptPurpose['kind']
  readonly eventId: string
}

const tellEnd = ({ report, tally }: Parts, { before, finished, kind, eventId }: AttemptEnd): void => {
  // Somebody else has given it up in the meantime: what was answered is known here alone.
  if (!finished.accepted) report.info(`a late result of the attempt ${eventId} was not recorded`)
  else if (kind === 'scheduled') tally.settled(before, finished.chain)
}

const refusalOf = (outcome: ChainOutcome): AttemptOutcome | undefined =>
  outcome.accepted ? undefined : { kind: 'refused', code: outcome.rejection.code }

/** What the attempt sends; undefined when it is not kept any more. */
const requestOf = async (
  parts: Parts,
  { merchantId, chainId }: Chain,
  endpoint: Endpoint,
  at: number,
): Promise<OutboundRequest | undefined> => {
  const stored = await parts.journal.view(webhookBodies, [merchantId, chainId])
  const text = await parts.sealed.open<string>(merchantId, stored.body)
  return text === undefined ? undefined : await prepareRequest(parts, endpoint, { merchantId, chainId, body: Buffer.from(text), at })
}

/** What is left of the time of an attempt that began at `beganMs` of the timers: who gives it up counts from there. */
const timeLeft = (timeoutMs: number, beganMs: number): number =>
  Math.max(ATTEMPT_MS_MIN, Math.round(timeoutMs - (systemTimers.now() - beganMs)))

/**
 * One attempt at a chain (webhooks.md 8 and 12): recorded as started, then sent, then recorded as finished. Whoever did not get its
 * start into the log sends nothing.
 */
export const makeAttempt = async (parts: Parts, chain: Chain, endpoint: Endpoint, purpose: AttemptPurpose): Promise<AttemptOutcome> => {
  const { journal, sealed, now } = parts
  const { merchantId, chainId } = chain
  const at = now()
  const beganMs = systemTimers.now()
  const request = await requestOf(parts, chain, endpoint, at)
  if (request === undefined) return { kind: 'refused', code: 'CONTENT_FORGOTTEN' }
  const eventId = chain.scheduledCount === 0 && purpose.kind === 'scheduled' ? chainId : newEventId(parts)
  const kept: KeptRequest = { url: request.url, headers: request.headers }
  const start = {
    merchantId,
    chainId,
    at,
    eventId,
    claimId: parts.newId(),
    request: await sealed.seal(merchantId, kept),
    deadlineAt: at + request.timeoutMs,
  }
  const origin = purpose.kind === 'manual' ? purpose.origin : SCHEDULE
  const started = await journal.decide(
    purpose.kind === 'manual'
      ? { ...start, type: 'StartManualAttempt', idempotencyKey: purpose.idempotencyKey, taskId: purpose.taskId }
      : { ...start, type: 'StartScheduledAttempt' },
    origin,
  )
  const refusal = refusalOf(started)
  if (refusal !== undefined) return refusal
  if (eventId === chainId) parts.tally.began(at - chain.createdAt)
  const outcome = await parts.send({ ...request, timeoutMs: timeLeft(request.timeoutMs, beganMs) })
  parts.tally.ended(purpose.kind, outcome)
  const finishedAt = now()
  const end = {
    type: 'FinishAttempt',
    merchantId,
    chainId,
    at: finishedAt,
    eventId,
    schedule: scheduleOfEndpoint(endpoint),
    ...(await resultOf(parts, merchantId, outcome)),
  } as const
  const finished = await recordEnd(parts, end, origin, endsBy(beganMs, request.timeoutMs))
  tellEnd(parts, { before: chain, finished, kind: purpose.kind, eventId })
  await drawConsequences(parts, { merchantId, endpoint, outcome, at: finishedAt })
  const position = finished.accepted ? finished.position : undefined
  return { kind: 'attempted', eventId, delivered: isDelivered(outcome), position }
}
