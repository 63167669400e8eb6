import { merchants, users } from '@switchyard/access'
import { parseBody, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { hasControlCharacter, NAME_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { startSession } from '../people.ts'
import { onboardedMerchant } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { INVALID_TOKEN, NOT_FOR_THIS_SESSION, ofSession } from './credential-bodies.ts'

const ID_BYTES = 6

const onboardingBody = z.object({
  merchant_name: z
    .string()
    .max(NAME_LENGTH_MAX)
    .refine((name) => name.trim() !== '' && !hasControlCharacter(name), 'must not be blank or have control characters'),
})

/** `merchant_` and 12 hex digits (platform.md 4). */
const newMerchantId = ({ randomBytes }: AccessRouteDeps): string => `merchant_${Buffer.from(randomBytes(ID_BYTES)).toString('hex')}`

/** Registers the merchant, or says why not: an id that was ever used belongs to somebody. */
const registerMerchant = async (
  merchantId: string,
  name: string,
  { identity, requestId, receivedAt: at }: RouteRequest,
  { handle, states }: AccessRouteDeps,
): Promise<RouteReply | undefined> => {
  await states.readIndex(merchantId)
  if (states.stateOf(merchants, merchantId).registrationCount > 0) return replyToRejection({ code: 'MERCHANT_ALREADY_EXISTS' })
  const outcome = await handle(merchants, {
    key: merchantId,
    command: { type: 'RegisterMerchant', merchantId, name, deciderInput: null, at },
    origin: originOf({ identity, requestId }),
  })
  return outcome.accepted ? undefined : replyToRejection(outcome.rejection)
}

/**
 * The merchant stands before its owner joins it: until then it is nobody's, so nothing can be taken over in between. Who could not join is
 * refused before: the merchant would stay nobody's.
 */
const onboard = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const { identity, receivedAt: at } = request
  if (identity.kind !== 'user') return INVALID_TOKEN
  if (identity.type !== 'standard') return NOT_FOR_THIS_SESSION
  const parsed = parseBody(onboardingBody, request.body)
  if (!parsed.ok) return parsed.reply
  const name = parsed.value.merchant_name.trim()
  const { userId } = identity
  const merchantId = newMerchantId(deps)
  const command = { type: 'JoinOwnMerchant', userId, merchantId, merchantRegistrationCount: 1, at } as const
  const joining = users.decide(command, deps.states.stateOf(users, userId))
  if (!joining.accepted) return replyToRejection(joining.rejection)
  const refused = await registerMerchant(merchantId, name, request, deps)
  if (refused !== undefined) return refused
  const joined = await deps.handle(users, { key: userId, command, origin: originOf(request) })
  if (!joined.accepted) return replyToRejection(joined.rejection)
  const { account } = joined.state
  if (account === null) return INVALID_TOKEN
  const { token, merchants: all } = await startSession({ ...account, passwordGeneration: identity.passwordGeneration }, deps, identity)
  return written({ token, merchant_id: merchantId, merchant_name: name, merchants: all }, joined.position)
}

/** A merchant of one's own, without an API key (platform.md 4). */
export const onboardingRoute = (deps: AccessRouteDeps): Route => ({
  spec: { ...ofSession, method: 'POST', path: '/onboarding/merchant', permission: 'routing:write', body: 'json' },
  api: {
    summary: 'Create a merchant of the own',
    body: onboardingBody,
    answer: onboardedMerchant,
    refusals: { 404: 'The merchant is gone', 409: 'Others changed it at the same time; try again' },
  },
  handle: (request) => onboard(request, deps),
})
