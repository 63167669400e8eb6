import { merchants } from '@switchyard/access'
import { parseBody, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { isOperatingError } from '@switchyard/kernel'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { createdMerchant, merchantAccount, messageOfMerchant } from './answer-schemas.ts'
import { type IssuedKey, issueKey } from './api-keys.ts'
import { originOf } from './command-origin.ts'
import { merchantIdSchema } from './identifiers.ts'

/** Longest text that is kept for the client, in characters. */
const DECIDER_INPUT_LENGTH_MAX = 16_384

const DEFAULT_KEY_DESCRIPTION = 'Default API key'

const createBody = z.object({
  merchant_id: merchantIdSchema,
  gateway_success_rate_based_decider_input: z.string().max(DECIDER_INPUT_LENGTH_MAX).nullish(),
})

/**
 * The merchant stands already when its first key is issued, so a log that went away in between must not look like a failed
 * creation: the answer is 200 without a key, and an admin can issue one later (platform.md 6).
 */
const issueDefaultKey = async (merchantId: string, request: RouteRequest, deps: AccessRouteDeps): Promise<IssuedKey | undefined> => {
  try {
    const issued = await issueKey({ merchantId, description: DEFAULT_KEY_DESCRIPTION, expiresAt: null }, request, deps)
    return 'status' in issued ? undefined : issued
  } catch (error) {
    if (isOperatingError(error) && error.retryable) return undefined
    throw error
  }
}

/** Before an id comes back: when the registration fails after it, nobody decides for the closed merchant and nothing is lost. */
const forgetEarlier = async (merchantId: string, requestId: string, { states, endHistory }: AccessRouteDeps): Promise<void> => {
  await states.readIndex(merchantId)
  const { registered, registrationCount } = states.stateOf(merchants, merchantId)
  if (registered || registrationCount === 0) return
  await endHistory({ merchantId, cause: 'REGISTERED_AGAIN', merchantRegistrationCount: registrationCount + 1, requestId })
}

const create = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(createBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { merchant_id: merchantId, gateway_success_rate_based_decider_input: deciderInput = null } = parsed.value
  const { requestId, receivedAt: at } = request
  await forgetEarlier(merchantId, requestId, deps)
  const outcome = await deps.handle(merchants, {
    key: merchantId,
    command: { type: 'RegisterMerchant', merchantId, name: null, deciderInput, at },
    origin: originOf(request),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  const issued = await issueDefaultKey(merchantId, request, deps)
  const body = {
    message: 'Merchant account created successfully',
    merchant_id: merchantId,
    gateway_success_rate_based_decider_input: deciderInput,
    api_key: issued?.apiKey ?? null,
  }
  return written(body, issued?.position ?? outcome.position)
}

const read = async ({ params }: RouteRequest, { states }: AccessRouteDeps): Promise<RouteReply> => {
  const merchantId = params['merchantId'] ?? ''
  await states.readIndex(merchantId)
  const { registered, deciderInput } = states.stateOf(merchants, merchantId)
  if (!registered) return replyToRejection({ code: 'MERCHANT_NOT_FOUND' })
  return { status: 200, body: { merchant_id: merchantId, gateway_success_rate_based_decider_input: deciderInput ?? '' } }
}

/** The payments end after the merchant: were it the other way round, one that could not be closed would decide for nothing. */
const close = async (
  { params, identity, requestId, receivedAt: at }: RouteRequest,
  { handle, endHistory }: AccessRouteDeps,
): Promise<RouteReply> => {
  const merchantId = params['merchantId'] ?? ''
  const outcome = await handle(merchants, {
    key: merchantId,
    command: { type: 'CloseMerchant', merchantId, at },
    origin: originOf({ identity, requestId }),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  // The id may have been registered again elsewhere already.
  const { registered, registrationCount } = outcome.state
  const merchantRegistrationCount = registered ? registrationCount : registrationCount + 1
  await endHistory({ merchantId, cause: 'CLOSED', merchantRegistrationCount, requestId })
  return written({ message: 'Merchant account deleted successfully', merchant_id: merchantId }, outcome.position)
}

/** Creating, reading and closing merchants (platform.md 6). A closed merchant takes its keys, settings and memberships along. */
export const merchantAccountRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: {
      method: 'POST',
      path: '/merchant-account/create',
      access: 'admin',
      permission: 'routing:write',
      tenant: false,
      body: 'json',
      hot: false,
    },
    api: {
      summary: 'Create a merchant and its first API key',
      body: createBody,
      answer: createdMerchant,
      refusals: { 409: 'Others created it at the same time' },
    },
    handle: (request) => create(request, deps),
  },
  {
    spec: {
      method: 'GET',
      path: '/merchant-account/:merchantId',
      access: 'protected',
      permission: 'routing:read',
      tenant: false,
      merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
      body: 'none',
      hot: false,
    },
    api: { summary: 'Read a merchant', answer: merchantAccount },
    handle: (request) => read(request, deps),
  },
  {
    spec: {
      method: 'DELETE',
      path: '/merchant-account/:merchantId',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
      body: 'none',
      hot: false,
    },
    api: {
      summary: 'Delete a merchant with its keys, settings and memberships',
      answer: messageOfMerchant,
      refusals: { 409: 'Others changed it at the same time; try again' },
    },
    handle: (request) => close(request, deps),
  },
]
