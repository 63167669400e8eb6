import type { IncomingHttpHeaders } from 'node:http'
import { assertNever, type Now } from '@switchyard/kernel'
import { createSecretCheck } from '../credentials/secret-check.ts'
import type { SessionTokens } from '../credentials/session-tokens.ts'
import { platformError } from '../errors.ts'
import type { Identity, RouteReply, RouteSpec } from '../route.ts'
import type { CredentialLookup, KnownKey } from './credential-lookup.ts'
import { createKeyLookup } from './known-keys.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/** Who is calling, or the answer that ends the request. `unknown`: the directory lacks the key or what the session rests on; it may be newer than the directory. */
export type Authentication =
  | { readonly identity: Identity; readonly refused?: never; readonly unknown?: boolean }
  | { readonly identity?: never; readonly refused: RouteReply; readonly unknown?: boolean }

/** The part of a route's row that says who may call it. */
export type AccessRule = Pick<RouteSpec, 'access' | 'permission' | 'identity' | 'revokedToken'>

/** Finds out who is calling, by the rule of a route. */
export type Authenticate = (rule: AccessRule, headers: IncomingHttpHeaders) => Authentication

/** A key that opened a request. */
export type UsedKey = Pick<KnownKey, 'keyId' | 'merchantId' | 'notedInRound'>

export interface AuthenticationOptions {
  readonly directory: CredentialLookup
  readonly tokens: Pick<SessionTokens, 'verify'>
  /** Empty: no request is an admin's. */
  readonly adminSecret: string
  /** Hears of every use of an API key. */
  readonly noteKey?: (key: UsedKey) => void
  readonly now: Now
}

const BEARER = 'Bearer '
const refused = (status: 401 | 403, message: string): Authentication => ({ refused: platformError(status, 'TE_04', message) })
const INVALID_TOKEN: Authentication = refused(401, 'Invalid or expired token')
const ANONYMOUS: Authentication = { identity: { kind: 'anonymous' } }
const ADMIN: Authentication = { identity: { kind: 'admin' } }

type IsAdmin = (headers: IncomingHttpHeaders) => boolean

/** The token of `Authorization: Bearer <token>`; other schemes are none of ours (platform.md 2.1). */
const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization?.startsWith(BEARER) === true ? authorization.slice(BEARER.length) : undefined

const createBearerCheck = ({ directory, tokens, now }: AuthenticationOptions, isAdmin: IsAdmin): Authenticate => {
  const verifiedTokens = createVerifiedTokens(tokens, now)
  return (rule, headers) => {
    const claims = verifiedTokens.verify(bearerOf(headers) ?? '')
    if (claims === undefined) return INVALID_TOKEN
    const identity: Identity = { kind: 'user', ...claims, admin: isAdmin(headers) }
    if (rule.revokedToken === 'accepted') return { identity }
    const standing = directory.standingOf(claims)
    if (standing.running) return standing.role === claims.role ? { identity } : { identity: { ...identity, role: standing.role } }
    return standing.unknown ? { ...INVALID_TOKEN, unknown: true } : INVALID_TOKEN
  }
}

interface KeyCheck extends Pick<AuthenticationOptions, 'directory' | 'noteKey' | 'now'> {
  readonly findKey: ReturnType<typeof createKeyLookup>
}

const isExpired = ({ expiresAt }: { readonly expiresAt: number | null }, now: Now): boolean => expiresAt !== null && now() >= expiresAt

const authenticateKey = (apiKey: string, admin: 'admin' | 'not-admin', { findKey, now, noteKey, directory }: KeyCheck): Authentication => {
  const key = findKey(apiKey)
  if (key?.active === true && !isExpired(key, now)) {
    noteKey?.(key)
    directory.expectMerchantOf(key)
    return { identity: { kind: 'key', keyId: key.keyId, merchantId: key.merchantId, admin: admin === 'admin' } }
  }
  // The secret alone opens the route; a key beside it only tells who is calling.
  if (admin === 'admin') return ADMIN
  if (key === undefined) return { ...refused(401, 'Invalid API key'), unknown: true }
  return refused(401, key.active ? 'API key has expired' : 'API key is revoked')
}

const authenticateWithoutBearer = (headers: IncomingHttpHeaders, isAdmin: IsAdmin, keyCheck: KeyCheck): Authentication => {
  const admin = isAdmin(headers) ? 'admin' : 'not-admin'
  if (headers['x-admin-secret'] !== undefined && admin === 'not-admin') return refused(401, 'Invalid admin secret')
  const apiKey = headers['x-api-key']
  if (typeof apiKey === 'string') return authenticateKey(apiKey, admin, keyCheck)
  return admin === 'admin' ? ADMIN : refused(401, 'Missing authentication credentials')
}

/** Authentication of platform.md 2.1 to 2.5. Whatever is not known to be allowed is refused. */
export const createAuthenticate = (options: AuthenticationOptions): Authenticate => {
  const isAdminSecret = createSecretCheck(options.adminSecret)
  const isAdmin: IsAdmin = (headers) => headers['x-admin-secret'] !== undefined && isAdminSecret(headers['x-admin-secret'])
  const authenticateBearer = createBearerCheck(options, isAdmin)
  const { directory, noteKey, now } = options
  const keyCheck: KeyCheck = { directory, findKey: createKeyLookup(directory), now, ...(noteKey === undefined ? {} : { noteKey }) }

  const authenticateProtected: Authenticate = (rule, headers) => {
    if (bearerOf(headers) === undefined) return authenticateWithoutBearer(headers, isAdmin, keyCheck)
    const authentication = authenticateBearer(rule, headers)
    const { identity } = authentication
    return identity?.kind === 'user' && !identity.permissions.includes(rule.permission)
      ? refused(403, `This session does not have ${rule.permission}`)
      : authentication
  }

  return (rule, headers) => {
    switch (rule.access) {
      case 'public':
        return isAdmin(headers) ? ADMIN : ANONYMOUS
      case 'admin':
        return isAdmin(headers) ? ADMIN : refused(401, 'Invalid or missing x-admin-secret header')
      case 'session':
        return authenticateBearer(rule, headers)
      case 'protected':
        return authenticateProtected(rule, headers)
      default:
        return assertNever(rule.access)
    }
  }
}
