import { setTimeout as rest } from 'node:timers/promises'
import { merchants } from '@switchyard/access'
import type { OutcomeRecorded } from '@switchyard/events'
import type { Refusal, Route, RouteReply, RouteRequest, RouteSpec } from '@switchyard/http'
import { isOperatingError, type Position } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'
import * as z from 'zod'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { DECISION_EVENT_MAX_MS, RETRY_AFTER_SECONDS } from '../limits.ts'
import type { OutcomeEventOf } from '../outcome-event.ts'
import type { RecentDecisions } from '../recent-decisions.ts'
import { acknowledgedOutcome } from './answer-schemas.ts'
import { logUnavailable, paymentNotFound, problemReply, unparsable } from './decision-envelope.ts'
import { outcomeSchema } from './outcome-wire.ts'
import { type OutcomeBody, parseOutcome } from './parse-outcome.ts'
import { createRefuseOutcome } from './refuse.ts'
import { problemOfRefusal } from './refused-requests.ts'

/** What the route works with. */
export interface UpdateGatewayScoreRouteDependencies
  extends Pick<DecideServiceDependencies, 'states' | 'fold' | 'appender' | 'now' | 'readPayments'> {
  readonly recentDecisions: RecentDecisions
  readonly outcomeEventOf: OutcomeEventOf
}

const spec: RouteSpec = {
  method: 'POST',
  path: '/update-gateway-score',
  access: 'protected',
  permission: 'routing:write',
  tenant: false,
  merchant: { in: 'body', name: 'merchantId', whenUnknown: 'not-found' },
  body: 'raw-json',
  hot: true,
}

/** The answer of decide.md 6.2; it says nothing about what the report will do. What the table says of an error goes out as it is. */
const acknowledged = ({ data }: OutcomeRecorded, position: Position): RouteReply => ({
  status: 200,
  body: {
    message: 'Gateway score updated successfully',
    merchant_id: data.merchantId,
    gateway: data.gateway,
    payment_id: data.paymentId,
    ...(data.errorClass !== null && { gsm_info: data.errorClass }),
  },
  headers: { 'x-log-position': positionToken('payments', position) },
})

/** `POST /update-gateway-score` (decide.md 6): answered when the report is durable. */
export const updateGatewayScoreRoute = (dependencies: UpdateGatewayScoreRouteDependencies): Route => {
  const { states, fold, appender, now, readPayments, recentDecisions, outcomeEventOf } = dependencies

  const refuse = createRefuseOutcome(dependencies)

  /**
   * Looks in the fold, among the decisions on their way into it, and in the fold again when it has caught up: at last when what another process
   * has decided by now stands in the log. A gateway that refuses at once is reported before that.
   */
  const isDecided = async ({ merchantId, paymentId }: OutcomeBody): Promise<boolean> => {
    const lifeOf = (): number => states.stateOf(merchants, merchantId).registrationCount
    const merchantRegistrationCount = lifeOf()
    if (fold.hasDecision(merchantId, paymentId) || recentDecisions.has({ merchantId, merchantRegistrationCount, paymentId })) return true
    await readPayments(merchantId)
    if (!fold.hasDecision(merchantId, paymentId)) {
      await rest(DECISION_EVENT_MAX_MS)
      await readPayments(merchantId)
    }
    // Meanwhile the merchant may have been closed, and its id be that of another one, which the fold may not know yet.
    return lifeOf() === merchantRegistrationCount && fold.hasDecision(merchantId, paymentId)
  }

  const record = async (request: RouteRequest, outcome: OutcomeBody): Promise<RouteReply> => {
    if (request.headers['x-strict'] === 'true' && !(await isDecided(outcome))) return problemReply(paymentNotFound(outcome.paymentId))
    const event = outcomeEventOf(outcome, { requestId: request.requestId, at: now(), upload: null })
    return acknowledged(event, await appender.append(event))
  }

  return {
    spec,
    api: {
      summary: 'Report what came of a payment; answered when it is on disk',
      body: outcomeSchema,
      headers: { 'x-strict': z.enum(['true', 'false']) },
      answer: acknowledgedOutcome,
      refusals: { 404: 'With x-strict: the payment is not known' },
    },
    refuse: (refusal: Refusal, request) => refuse(request, problemOfRefusal(refusal), 'gate'),
    handle: async (request) => {
      const { value, problem } = parseOutcome(request.body)
      if (problem !== undefined) return refuse(request, unparsable(problem), 'parse')
      try {
        return await record(request, value)
      } catch (error) {
        if (!isOperatingError(error)) throw error
        return { ...problemReply(logUnavailable), headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, cause: error }
      }
    },
  }
}
