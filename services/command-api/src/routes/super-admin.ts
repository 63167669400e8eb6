import { users } from '@switchyard/access'
import {
  ALL_PERMISSIONS,
  type Identity,
  parseBody,
  type Route,
  type RouteReply,
  type RouteRequest,
  type SessionSubject,
  type SessionType,
} from '@switchyard/http'
import { NAME_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { sessionOnWire, startSession, wireRoleOf } from '../people.ts'
import { foundMerchants, session } from './answer-schemas.ts'
import { INSUFFICIENT_PERMISSIONS, INVALID_TOKEN, MERCHANT_NOT_FOUND, NOT_FOR_THIS_SESSION, ofSession } from './credential-bodies.ts'
import { merchantIdSchema } from './identifiers.ts'

type Session = Extract<Identity, { kind: 'user' }>

const enterBody = z.object({ merchant_id: merchantIdSchema })
const lookupBody = z.object({ query: z.string().max(NAME_LENGTH_MAX) })

/** Whether this may be a super admin's session of the right kind; the roster is asked each time. */
const refuseUnless = (type: SessionType, session: Session, { directory }: AccessRouteDeps): RouteReply | undefined => {
  if (session.type !== type) return NOT_FOR_THIS_SESSION
  return directory.isSuperAdmin(session.email) ? undefined : INSUFFICIENT_PERMISSIONS
}

const enter = async ({ identity, body }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const refused = refuseUnless('standard', identity, deps)
  if (refused !== undefined) return refused
  const parsed = parseBody(enterBody, body)
  if (!parsed.ok) return parsed.reply
  const { merchant_id: merchantId } = parsed.value
  await deps.states.readIndex(merchantId)
  if (!deps.directory.hasMerchant(merchantId)) return MERCHANT_NOT_FOUND
  const { userId, email, passwordGeneration } = identity
  const subject: SessionSubject = {
    type: 'super_admin_view',
    userId,
    email,
    merchantId,
    role: 'admin',
    permissions: ALL_PERMISSIONS,
    grant: { level: 'profile', id: merchantId },
    passwordGeneration,
    merchantRegistrationCount: 0,
  }
  return { status: 200, body: sessionOnWire(subject, deps.tokens.issue(subject, identity), []) }
}

const exit = async ({ identity }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const refused = refuseUnless('super_admin_view', identity, deps)
  if (refused !== undefined) return refused
  const { account } = deps.states.stateOf(users, identity.userId)
  if (account === null) return INVALID_TOKEN
  const { passwordGeneration } = identity
  return { status: 200, body: await startSession({ ...account, passwordGeneration }, deps, identity) }
}

const lookUp = async ({ identity, body }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const refused = refuseUnless('standard', identity, deps)
  if (refused !== undefined) return refused
  const parsed = parseBody(lookupBody, body)
  if (!parsed.ok) return parsed.reply
  await deps.states.readIndexOfAll()
  const found = deps.directory.findMerchants(parsed.value.query).map(({ merchantId, name, members }) => ({
    merchant_id: merchantId,
    merchant_name: name,
    members: members.map(({ email, role }) => ({ email, role: wireRoleOf(role) })),
  }))
  return { status: 200, body: found }
}

/** A super admin's view of any merchant (platform.md 4.2). */
export const superAdminRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/super-admin/enter-merchant', permission: 'routing:read', body: 'json' },
    api: {
      summary: 'View any merchant, as a super admin',
      body: enterBody,
      answer: session,
      refusals: { 404: 'The merchant is not known' },
    },
    handle: (request) => enter(request, deps),
  },
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/super-admin/exit', permission: 'routing:read', body: 'none' },
    api: { summary: 'Go back to the own session', answer: session },
    handle: (request) => exit(request, deps),
  },
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/super-admin/lookup', permission: 'routing:read', body: 'json' },
    api: { summary: 'Find merchants by id, name or an address of a member', body: lookupBody, answer: foundMerchants },
    handle: (request) => lookUp(request, deps),
  },
]
