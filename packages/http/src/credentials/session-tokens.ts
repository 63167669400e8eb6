import { createSecretKey } from 'node:crypto'
import { type NewId, type Now, OperatingError } from '@switchyard/kernel'
import jsonwebtoken from 'jsonwebtoken'
import { z } from 'zod'
import { TOKEN_LENGTH_MAX, TOKEN_SECRET_BYTES_MIN } from '../limits.ts'
import type { Permission } from '../route.ts'

/** Whom a session is for. */
export interface SessionSubject {
  readonly userId: string
  readonly email: string
  /** Active merchant; empty when the user has none. */
  readonly merchantId: string
  readonly role: 'admin' | 'member'
}

/** What a verified token says. Whether it was revoked is another question. */
export interface SessionClaims extends SessionSubject {
  readonly sessionId: string
  readonly permissions: readonly Permission[]
  /** Last millisecond at which the token is valid, epoch milliseconds. */
  readonly expiresAt: number
}

/** Issues and verifies session tokens. */
export interface SessionTokens {
  readonly issue: (subject: SessionSubject) => string
  /** The claims of a genuine, running token; undefined for everything else. */
  readonly verify: (token: string) => SessionClaims | undefined
}

/** What tokens are signed with, and how long they last. */
export interface SessionTokensOptions {
  /** At least 32 bytes; `SETTING_INVALID` otherwise. */
  readonly secret: string
  readonly now: Now
  readonly newId: NewId
  readonly lifetimeMs: number
}

const PERMISSIONS: readonly Permission[] = ['routing:read', 'routing:write']

const permissionsOf = (perms: readonly string[] | undefined): readonly Permission[] =>
  perms === undefined ? PERMISSIONS : PERMISSIONS.filter((permission) => perms.includes(permission))

/** Claims of platform.md 3; a malformed permission list reads as absent. */
const claims = z.object({
  sub: z.string().min(1),
  email: z.string(),
  merchant_id: z.string(),
  role: z.enum(['admin', 'member']),
  token_type: z.literal('standard').optional(),
  jti: z.string().min(1),
  exp: z.int(),
  perms: z.array(z.string()).optional().catch(undefined),
})

const parseClaims = (payload: unknown): SessionClaims | undefined => {
  const { success, data } = claims.safeParse(payload)
  if (!success) return undefined
  return {
    userId: data.sub,
    email: data.email,
    merchantId: data.merchant_id,
    role: data.role,
    sessionId: data.jti,
    permissions: permissionsOf(data.perms),
    expiresAt: data.exp * 1000,
  }
}

/** JSON Web Tokens, HS256 and nothing else (platform.md 3). A token is valid up to and including its `exp`. */
export const createSessionTokens = ({ secret, now, newId, lifetimeMs }: SessionTokensOptions): SessionTokens => {
  if (Buffer.byteLength(secret) < TOKEN_SECRET_BYTES_MIN)
    throw new OperatingError('SETTING_INVALID', `the secret of session tokens must have at least ${TOKEN_SECRET_BYTES_MIN} bytes`, {
      retryable: false,
    })
  const key = createSecretKey(Buffer.from(secret))

  const payloadOf = (token: string): unknown => {
    try {
      // The end is checked below: the library refuses a token in the very second of its end.
      return jsonwebtoken.verify(token, key, { algorithms: ['HS256'], ignoreExpiration: true, clockTimestamp: Math.floor(now() / 1000) })
    } catch {
      // Whatever the library stumbles over, among it parts that are no objects: the token is none of ours.
      return undefined
    }
  }

  return {
    issue: ({ userId, email, merchantId, role }) => {
      const iat = Math.floor(now() / 1000)
      const session = { sub: userId, user_id: userId, email, merchant_id: merchantId, role, token_type: 'standard', jti: newId() }
      const payload = { ...session, perms: PERMISSIONS, iat, exp: iat + Math.floor(lifetimeMs / 1000) }
      return jsonwebtoken.sign(payload, key, { algorithm: 'HS256' })
    },
    verify: (token) => {
      if (token.length > TOKEN_LENGTH_MAX) return undefined
      const parsed = parseClaims(payloadOf(token))
      return parsed === undefined || now() > parsed.expiresAt ? undefined : parsed
    },
  }
}
