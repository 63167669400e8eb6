import type { Route, RouteRequest } from '@switchyard/http'
import { z } from 'zod'
import type { DecideServiceDependencies } from '../../dependencies.ts'
import { problemReply, unparsablePayload } from '../decision-envelope.ts'
import { refuseMerchant } from '../named-merchant.ts'
import { problemOfRefusal } from '../refused-requests.ts'
import { legacyOutcomeSchema, parseLegacyOutcome } from './parse-legacy-outcome.ts'

/** `POST /update-score` (decide.md 13.2): the older interface of a report, an adapter onto the newer one. */
export const legacyOutcomeRoute = (report: Route['handle'], states: DecideServiceDependencies['states']): Route => ({
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
    refusals: { 404: 'The merchant is not known; with x-strict: the payment is not' },
  },
  refuse: (refusal) => problemReply(refusal.code === 'BODY_UNREADABLE' ? unparsablePayload(refusal.detail) : problemOfRefusal(refusal)),
  handle: async (request: RouteRequest) => {
    const parsed = parseLegacyOutcome(request.body)
    if (parsed.problem !== undefined) return problemReply(parsed.problem)
    const refused = await refuseMerchant(states, request, parsed.merchantId)
    if (refused !== undefined) return problemReply(refused)
    const { body, ...reply } = await report({ ...request, body: parsed.outcome })
    return reply.status === 200 ? { ...reply, text: 'Success' } : { ...reply, body }
  },
})
