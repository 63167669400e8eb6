import { users } from '@switchyard/access'
import { type Identity, parseBody, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { grantedScopes, membershipsOnWire, ownSession, sessionOnWire, type WireMembership } from '../people.ts'
import { membershipList, session, sessionIdentity } from './answer-schemas.ts'
import { INSUFFICIENT_PERMISSIONS, INVALID_TOKEN, MERCHANT_NOT_FOUND, ofSession } from './credential-bodies.ts'
import { merchantIdSchema } from './identifiers.ts'

type Session = Extract<Identity, { kind: 'user' }>

const switchBody = z.object({ merchant_id: merchantIdSchema })

/** The merchants that a session may switch to: of a granted one its scopes, else the memberships. */
const merchantsOf = async ({ userId, grant, merchantId }: Session, deps: AccessRouteDeps): Promise<readonly WireMembership[]> => {
  if (grant === null) return await membershipsOnWire(userId, deps)
  await deps.states.readIndex(merchantId)
  return grantedScopes(merchantId, deps)
}

const readMe = async ({ identity }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const { type, userId, email, merchantId, role, permissions } = identity
  const isOwn = type !== 'hs_redirect'
  const merchants = await merchantsOf(identity, deps)
  const { account } = deps.states.stateOf(users, userId)
  const body = {
    user_id: userId,
    email,
    merchant_id: merchantId,
    role,
    email_verified: isOwn ? account?.emailVerified === true : true,
    merchants,
    is_super_admin: isOwn && deps.directory.isSuperAdmin(email),
    is_super_admin_view: type === 'super_admin_view',
    permissions,
  }
  return { status: 200, body }
}

const listMerchants = async ({ identity }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> =>
  identity.kind === 'user' ? { status: 200, body: await merchantsOf(identity, deps) } : INVALID_TOKEN

/** The next token of the same session: it ends when the session does, and with it. */
const switchMerchant = async ({ identity, body }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const parsed = parseBody(switchBody, body)
  if (!parsed.ok) return parsed.reply
  const merchants = await merchantsOf(identity, deps)
  const target = merchants.find(({ merchant_id: id }) => id === parsed.value.merchant_id)
  if (target === undefined) return identity.grant === null ? MERCHANT_NOT_FOUND : INSUFFICIENT_PERMISSIONS
  const { account } = deps.states.stateOf(users, identity.userId)
  if (identity.grant !== null || account === null) {
    return { status: 200, body: sessionOnWire(identity, deps.tokens.issue(identity, identity), merchants) }
  }
  const subject = { ...ownSession(account, target), permissions: identity.permissions, passwordGeneration: identity.passwordGeneration }
  return { status: 200, body: sessionOnWire(subject, deps.tokens.issue(subject, identity), merchants) }
}

/** Who am I, where do I belong, and working for another merchant (platform.md 4, 4.1). */
export const sessionRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...ofSession, method: 'GET', path: '/auth/me', permission: 'routing:read', body: 'none' },
    api: { summary: 'Who the session belongs to', answer: sessionIdentity },
    handle: (request) => readMe(request, deps),
  },
  {
    spec: { ...ofSession, method: 'GET', path: '/auth/merchants', permission: 'routing:read', body: 'none' },
    api: { summary: 'The merchants that the session may switch to', answer: membershipList },
    handle: (request) => listMerchants(request, deps),
  },
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/switch-merchant', permission: 'routing:read', body: 'json' },
    api: {
      summary: 'Go on with another merchant, in a new session',
      body: switchBody,
      answer: session,
      refusals: { 404: 'The user does not belong to it' },
    },
    handle: (request) => switchMerchant(request, deps),
  },
]
