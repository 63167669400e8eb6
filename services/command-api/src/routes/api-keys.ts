import { type ApiKey, apiKeys } from '@switchyard/access'
import {
  type GeneratedApiKey,
  generateApiKey,
  mayActFor,
  parseBody,
  platformError,
  type Route,
  type RouteReply,
  type RouteRequest,
} from '@switchyard/http'
import { isOperatingError, NAME_LENGTH_MAX, type Position } from '@switchyard/kernel'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { apiKeyList, issuedApiKey, revokedApiKey } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { merchantIdSchema } from './identifiers.ts'
import { printTime } from './routing-replies.ts'

/** The last time whose year has four digits in UTC, as RFC 3339 has it: with an offset later ones can be written too. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

const createBody = z.object({
  merchant_id: merchantIdSchema,
  description: z.string().max(NAME_LENGTH_MAX).nullish(),
  expires_at: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) <= LAST_TIME, 'must be before the year 10000 in UTC')
    .nullish(),
})

/** A key that was just issued: the only time the key itself is shown. */
export interface IssuedKey extends GeneratedApiKey {
  readonly key: ApiKey
  readonly position: Position | undefined
}

/** For which merchant, and what the key is for. */
export interface KeyRequest {
  readonly merchantId: string
  readonly description: string | null
  /** From when on it is not valid, epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
}

/** Issues a key; the answer when that was rejected. */
export const issueKey = async (
  { merchantId, description, expiresAt }: KeyRequest,
  { identity, requestId, receivedAt: at }: RouteRequest,
  { handle, newId, randomBytes }: AccessRouteDeps,
): Promise<IssuedKey | RouteReply> => {
  const generated = generateApiKey(randomBytes)
  const { keyHash, keyPrefix } = generated
  const keyId = newId()
  const outcome = await handle(apiKeys, {
    key: merchantId,
    command: { type: 'IssueApiKey', merchantId, keyId, keyHash, keyPrefix, description, expiresAt, at },
    origin: originOf({ identity, requestId }),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  // The merchant may have been closed in between; then the key opens nothing and is not in the list.
  const key = outcome.state.keys.find((candidate) => candidate.keyId === keyId)
  return key === undefined ? replyToRejection({ code: 'MERCHANT_NOT_FOUND' }) : { ...generated, key, position: outcome.position }
}

/** What both answers say of a key, in the order of platform.md 5. */
const timesOf = ({ issuedAt, expiresAt }: ApiKey) => ({
  created_at: printTime(issuedAt),
  expires_at: expiresAt === null ? null : printTime(expiresAt),
})

const create = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(createBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { merchant_id: merchantId, description = null, expires_at: expires } = parsed.value
  const expiresAt = typeof expires === 'string' ? Date.parse(expires) : null
  const issued = await issueKey({ merchantId, description, expiresAt }, request, deps)
  if ('status' in issued) return issued
  const { apiKey, key, position } = issued
  const body = {
    key_id: key.keyId,
    api_key: apiKey,
    key_prefix: key.keyPrefix,
    merchant_id: merchantId,
    description,
    ...timesOf(key),
  }
  return written(body, position)
}

/** When keys were used last, by their ids. The list is worth having without it, so read models that are away leave it out. */
const lastUsesOf = async (merchantId: string, { readKeyUses }: AccessRouteDeps): Promise<ReadonlyMap<string, number> | undefined> => {
  try {
    return new Map((await readKeyUses(merchantId)).map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
  } catch (error) {
    if (isOperatingError(error)) return undefined
    throw error
  }
}

const lastUsedText = (at: number | undefined): string | null => (at === undefined ? null : printTime(at))

const list = async ({ params, receivedAt: at }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const { states } = deps
  const merchantId = params['merchantId'] ?? ''
  await states.readIndex(merchantId)
  const lastUses = await lastUsesOf(merchantId, deps)
  const body = states.stateOf(apiKeys, merchantId).keys.map((key) => ({
    key_id: key.keyId,
    key_prefix: key.keyPrefix,
    merchant_id: merchantId,
    description: key.description,
    is_active: key.active && (key.expiresAt === null || at < key.expiresAt),
    ...timesOf(key),
    ...(lastUses === undefined ? {} : { last_used_at: lastUsedText(lastUses.get(key.keyId)) }),
  }))
  return { status: 200, body }
}

const revoke = async (
  { params, identity, requestId, receivedAt: at }: RouteRequest,
  { handle, states, directory }: AccessRouteDeps,
): Promise<RouteReply> => {
  const keyId = params['keyId'] ?? ''
  // A key that is not known here may have been issued elsewhere a moment ago.
  if (directory.keyById(keyId) === undefined) await states.readIndexOfAll()
  const known = directory.keyById(keyId)
  if (known === undefined) return replyToRejection({ code: 'API_KEY_NOT_FOUND' })
  const { merchantId } = known
  if (!mayActFor(identity, merchantId)) return platformError(403, 'TE_04', 'Credential does not belong to the merchant of this API key')
  const command = { type: 'RevokeApiKey', merchantId, keyId, at } as const
  const outcome = await handle(apiKeys, { key: merchantId, command, origin: originOf({ identity, requestId }) })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  return written({ key_id: keyId, message: 'API key revoked successfully' }, outcome.position)
}

/** Issuing, listing and revoking API keys (platform.md 5). */
export const apiKeyRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: {
      method: 'POST',
      path: '/api-key/create',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      merchant: { in: 'body', name: 'merchant_id', whenUnknown: 'not-found' },
      body: 'json',
      hot: false,
    },
    api: {
      summary: 'Issue an API key; the key itself is shown this once',
      body: createBody,
      answer: issuedApiKey,
      refusals: { 409: 'The merchant has as many keys as it can have, or others changed them at the same time' },
    },
    handle: (request) => create(request, deps),
  },
  {
    spec: {
      method: 'GET',
      path: '/api-key/list/:merchantId',
      access: 'protected',
      permission: 'routing:read',
      tenant: false,
      merchant: { in: 'path', name: 'merchantId', whenUnknown: 'allowed' },
      body: 'none',
      hot: false,
    },
    api: { summary: 'List the API keys of a merchant, revoked ones too', answer: apiKeyList },
    handle: (request) => list(request, deps),
  },
  {
    spec: {
      method: 'DELETE',
      path: '/api-key/:keyId',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      body: 'none',
      hot: false,
    },
    api: {
      summary: 'Revoke an API key, at once and for good',
      answer: revokedApiKey,
      refusals: { 404: 'The key is not known', 409: 'Others changed the keys at the same time; try again' },
    },
    handle: (request) => revoke(request, deps),
  },
]
