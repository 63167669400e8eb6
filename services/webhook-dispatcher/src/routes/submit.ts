import { parseBody, platformError, type Route, type RouteReply, type RouteRequest, replyToRefusal, wrongShape } from '@switchyard/http'
import * as z from 'zod'
import type { Submission } from '../operations.ts'
import { submittedEvent } from './answer-schemas.ts'
import { printRow } from './event-wire.ts'
import { type EventRouteDeps, merchantOf, originOf } from './events.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { platformRefusal, positionHeaders } from './replies.ts'
import { classFault, submissionBody, submittedOf } from './submission-body.ts'

type Parsed = { readonly ok: true; readonly submission: Submission } | { readonly ok: false; readonly reply: RouteReply }

const parseSubmission = (request: RouteRequest): Parsed => {
  const parsed = parseBody(submissionBody, request.body)
  if (!parsed.ok) return parsed
  const idempotencyKey = idempotencyKeyOf(request)
  if (idempotencyKey === undefined)
    return { ok: false, reply: platformError(400, 'TE_03', 'Idempotency-Key must be 1 to 128 visible ASCII characters') }
  const fault = classFault(parsed.value)
  if (fault !== undefined) return { ok: false, reply: wrongShape('event_class', fault) }
  const sender = { merchantId: merchantOf(request), idempotencyKey, origin: originOf(request) }
  return { ok: true, submission: { ...submittedOf(parsed.value), ...sender } }
}

const submit = async ({ operations }: EventRouteDeps, request: RouteRequest): Promise<RouteReply> => {
  const parsed = parseSubmission(request)
  if (!parsed.ok) return parsed.reply
  const answer = await operations.submit(parsed.submission)
  if (!answer.ok) return platformRefusal(answer)
  const { value, position } = answer
  if (value.kind === 'filtered') return { status: 202, body: { filtered: true } }
  const body = { ...printRow(value.row), duplicate: value.kind === 'duplicate' }
  return { status: 202, body, headers: positionHeaders('webhooks', position) }
}

/** Taking events to deliver (webhooks.md 9.2). */
export const submitRoute = (deps: EventRouteDeps): Route => ({
  spec: {
    method: 'POST',
    path: '/merchant-account/:merchantId/events',
    access: 'protected',
    permission: 'routing:write',
    tenant: false,
    merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
    body: 'raw-json',
    numbers: 'exact',
    hot: true,
  },
  api: {
    summary: 'Take an event to deliver to the merchant',
    body: submissionBody,
    headers: { 'idempotency-key': z.string() },
    answer: submittedEvent,
    status: 202,
    refusesLike: 'platform',
    refusals: {
      409: 'Another event was submitted under this Idempotency-Key',
      422: 'The body is JSON of another shape',
    },
  },
  handle: (request) => submit(deps, request),
  refuse: replyToRefusal,
})
