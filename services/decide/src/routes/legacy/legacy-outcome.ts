import { MERCHANT_UNKNOWN_TO_DECISIONS, type Route, type RouteRequest } from '@switchyard/http'
import { z } from 'zod'
import type { DecideServiceDependencies } from '../../dependencies.ts'
import { unparsablePayload } from '../decision-envelope.ts'
import { refuseMerchant } from '../named-merchant.ts'
import type { Refuse } from '../refuse.ts'
import { memberOf, problemOfRefusal } from '../refused-requests.ts'
import { legacyOutcomeSchema, parseLegacyOutcome } from './parse-legacy-outcome.ts'

/** A request that is refused, with what is recorded of it under the names of the newer interface. */
const renamed = (request: RouteRequest): RouteRequest => {
  const detail = memberOf(request.body, 'txn_detail')
  return { ...request, body: { paymentId: memberOf(detail, 'txnUuid'), gateway: memberOf(detail, 'gateway') } }
}

/** `POST /update-score` (decide.md 13.2): the older interface of a report, an adapter onto the newer one. */
export const legacyOutcomeRoute = (
  report: Route['handle'],
  { states, refuse }: { readonly states: DecideServiceDependencies['states']; readonly refuse: Refuse },
): Route => ({
  spec: {
    method: 'POST',
    path: '/update-score',
    access: 'protected',
    permission: 'routing:write',
    tenant: false,
    body: 'raw-json',
    hot: false,
  },
  api: {
    summary: 'Report an outcome, by the older interface',
    body: legacyOutcomeSchema,
    answer: z.literal('Success'),
    media: 'text/plain',
    refusals: { ...MERCHANT_UNKNOWN_TO_DECISIONS, 404: 'With x-strict: the payment is not known' },
  },
  refuse: (refusal, request) =>
    refuse(renamed(request), refusal.code === 'BODY_UNREADABLE' ? unparsablePayload(refusal.detail) : problemOfRefusal(refusal), 'gate'),
  handle: async (request: RouteRequest) => {
    const parsed = parseLegacyOutcome(request.body)
    if (parsed.problem !== undefined) return refuse(renamed(request), parsed.problem, 'parse')
    const refused = await refuseMerchant(states, request, parsed.merchantId)
    if (refused !== undefined) return refuse(renamed(request), refused, 'gate')
    const { body, ...reply } = await report({ ...request, body: parsed.outcome })
    return reply.status === 200 ? { ...reply, text: 'Success' } : { ...reply, body }
  },
})
