import { setTimeout as rest } from 'node:timers/promises'
import { merchants } from '@switchyard/access'
import {
  actorOf,
  mayActFor,
  parseBody,
  platformError,
  type Route,
  type RouteReply,
  type RouteRequest,
  replyToRefusal,
} from '@switchyard/http'
import { ID_LENGTH_MAX, isOperatingError } from '@switchyard/kernel'
import { autopilotEntryCount, successRateScoring } from '@switchyard/routing'
import { positionToken } from '@switchyard/runtime'
import * as z from 'zod'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { DECISION_EVENT_MAX_MS } from '../limits.ts'
import { resetCounts } from './answer-schemas.ts'

/** What the route works with. */
export type ResetGatewayScoresRouteDependencies = Pick<
  DecideServiceDependencies,
  'states' | 'fold' | 'appender' | 'handle' | 'now' | 'readPayments'
>

/** Clients count two stored cells a window (decide.md 10). */
const KEYS_PER_WINDOW = 2

const merchantId = z.string().max(ID_LENGTH_MAX).optional()
const resetBody = z
  .object({ merchant_id: merchantId, merchantId })
  .refine((body) => body.merchant_id === undefined || body.merchantId === undefined, {
    path: ['merchantId'],
    message: 'duplicate field, merchant_id is given as well',
  })
  .transform((body, context) => {
    const named = body.merchant_id ?? body.merchantId
    if (named === undefined) context.issues.push({ code: 'custom', path: ['merchant_id'], message: 'missing field', input: body })
    return named?.trim() ?? ''
  })

/** Removes the entries of the self-tuning job; 0 when that fails: the scores are reset all the same. */
const dropAutopilotEntries = async (
  { states, handle, now }: ResetGatewayScoresRouteDependencies,
  { identity, requestId }: RouteRequest,
  key: string,
): Promise<number> => {
  const count = autopilotEntryCount(states.stateOf(successRateScoring, key).settings)
  if (count === 0) return 0
  const command = { type: 'DropAutopilotEntries', merchantId: key, at: now() } as const
  try {
    const outcome = await handle(successRateScoring, { key, command, origin: { actor: actorOf(identity), requestId } })
    return outcome.accepted ? count : 0
  } catch (error) {
    if (isOperatingError(error)) return 0
    throw error
  }
}

const counts = (named: string, deletedKeys: number, removedOverrides: number, headers: RouteReply['headers'] = {}): RouteReply => ({
  status: 200,
  body: { merchant_id: named, deleted_keys: deletedKeys, removed_overrides: removedOverrides },
  headers,
})

/**
 * Which registration of the merchant's id is meant, as it stands in the log: that of the credential, which was let in before the wait; whoever
 * has the admin secret acts for the one that there is. Undefined when the credential's one is over.
 */
const readLife = async (
  states: ResetGatewayScoresRouteDependencies['states'],
  { identity }: RouteRequest,
  named: string,
): Promise<number | undefined> => {
  const lifeOf = (): number => states.stateOf(merchants, named).registrationCount
  const before = lifeOf()
  await states.readIndex(named)
  const isOfMerchant = 'merchantId' in identity && !identity.admin
  return isOfMerchant && before > 0 && before !== lifeOf() ? undefined : lifeOf()
}

const reset = async (dependencies: ResetGatewayScoresRouteDependencies, request: RouteRequest, named: string): Promise<RouteReply> => {
  const { states, fold, appender, now, readPayments } = dependencies
  const merchantRegistrationCount = await readLife(states, request, named)
  if (!states.stateOf(successRateScoring, named).registered) return counts(named, 0, 0)
  if (!mayActFor(request.identity, named)) return replyToRefusal({ code: 'MERCHANT_FOREIGN', merchantId: named })
  if (merchantRegistrationCount === undefined) return counts(named, 0, 0)
  // What other threads and processes have decided by now comes to stand before the reset: it counts in no later window.
  await rest(DECISION_EVENT_MAX_MS)
  await readPayments(named)
  // Meanwhile the merchant may have been closed, and its id be that of another one.
  if (states.stateOf(merchants, named).registrationCount !== merchantRegistrationCount) return counts(named, 0, 0)
  const windowCount = fold.windowCountOf(named)
  const { requestId } = request
  const position = await appender.append(
    { type: 'GatewayScoresReset', data: { merchantId: named, requestId, at: now(), cause: 'REQUESTED', merchantRegistrationCount } },
    actorOf(request.identity),
  )
  const removedOverrides = await dropAutopilotEntries(dependencies, request, named)
  await readPayments(named) // whoever asks next finds the scores reset
  return counts(named, windowCount * KEYS_PER_WINDOW, removedOverrides, { 'x-log-position': positionToken('payments', position) })
}

/** `POST /gateway-score/reset` (decide.md 10): the scores of one merchant begin anew; zeros for a merchant that does not exist. */
export const resetGatewayScoresRoute = (dependencies: ResetGatewayScoresRouteDependencies): Route => ({
  spec: {
    method: 'POST',
    path: '/gateway-score/reset',
    access: 'protected',
    permission: 'routing:write',
    tenant: true,
    body: 'json',
    hot: false,
  },
  api: { summary: 'Let the scores of a merchant begin anew', body: resetBody, answer: resetCounts },
  handle: async (request) => {
    const parsed = parseBody(resetBody, request.body)
    if (!parsed.ok) return parsed.reply
    const named = parsed.value
    if (named === '') return platformError(400, 'TE_00', 'Missing required param: merchant_id')
    return await reset(dependencies, request, named)
  },
})
