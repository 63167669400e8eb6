import { MERCHANT_UNKNOWN_TO_DECISIONS, type Route, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { DecideServiceDependencies } from '../../dependencies.ts'
import { refuseMerchant } from '../named-merchant.ts'
import type { Refuse } from '../refuse.ts'
import { memberOf } from '../refused-requests.ts'
import { legacyProblemOf, refuseRenamed } from './legacy-refusal.ts'
import { legacyOutcomeSchema, parseLegacyOutcome } from './parse-legacy-outcome.ts'

const renamed = (body: unknown): object => {
  const detail = memberOf(body, 'txn_detail')
  return { paymentId: memberOf(detail, 'txnUuid'), gateway: memberOf(detail, 'gateway') }
}

/** `POST /update-score` (decide.md 13.2): the older interface of a report, an adapter onto the newer one. */
export const legacyOutcomeRoute = (report: Route['handle'], states: DecideServiceDependencies['states'], recordRefusal: Refuse): Route => {
  const refuse = refuseRenamed(recordRefusal, renamed)
  return {
    spec: {
      method: 'POST',
      path: '/update-score',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      body: 'raw-json',
      hot: false,
      limitedAs: 'hot',
    },
    api: {
      summary: 'Report an outcome, by the older interface',
      body: legacyOutcomeSchema,
      answer: z.literal('Success'),
      media: 'text/plain',
      refusals: { ...MERCHANT_UNKNOWN_TO_DECISIONS, 404: 'With x-strict: the payment is not known' },
    },
    refuse: (refusal, request) => refuse(request, legacyProblemOf(refusal), 'gate'),
    handle: async (request: RouteRequest) => {
      const parsed = parseLegacyOutcome(request.body)
      if (parsed.problem !== undefined) return refuse(request, parsed.problem, 'parse')
      const refused = await refuseMerchant(states, request, parsed.merchantId)
      if (refused !== undefined) return refuse(request, refused, 'gate')
      const { body, ...reply } = await report({ ...request, body: parsed.outcome })
      return reply.status === 200 ? { ...reply, text: 'Success' } : { ...reply, body }
    },
  }
}
