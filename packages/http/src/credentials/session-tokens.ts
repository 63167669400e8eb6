import { createSecretKey } from 'node:crypto'
import { type NewId, type Now, OperatingError } from '@switchyard/kernel'
import jsonwebtoken from 'jsonwebtoken'
import * as z from 'zod'
import { TOKEN_LENGTH_MAX, TOKEN_SECRET_BYTES_MIN } from '../limits.ts'
import type { Permission } from '../route.ts'
import type { SessionClaims, SessionSubject } from './session.ts'

/** Issues and verifies session tokens. */
export interface SessionTokens {
  /** A token of a new session, or another one of a session that goes on: it ends when that one does. */
  readonly issue: (subject: SessionSubject, goingOn?: Pick<SessionClaims, 'sessionId' | 'expiresAt'>) => string
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
  /** Of sessions that were handed over. */
  readonly handoffLifetimeMs: number
}

/** What a session of one's own may do. */
export const ALL_PERMISSIONS: readonly Permission[] = ['routing:read', 'routing:write']

/** Claims of platform.md 3; a malformed permission list or grant reads as absent. `sid`, `pwd_gen` and `reg` are ours, and absent where they say nothing. */
const claims = z.object({
  sub: z.string().min(1),
  email: z.string(),
  merchant_id: z.string(),
  role: z.enum(['admin', 'member']),
  token_type: z.enum(['standard', 'hs_redirect', 'super_admin_view']).default('standard'),
  jti: z.string().min(1),
  exp: z.int(),
  perms: z.array(z.string()).optional().catch(undefined),
  grant: z
    .object({ level: z.enum(['profile', 'merchant', 'org']), id: z.string() })
    .nullable()
    .default(null)
    .catch(null),
  sid: z.string().min(1).optional(),
  pwd_gen: z.int().min(0).default(0),
  reg: z.int().min(0).default(0),
})

const parseClaims = (payload: unknown): SessionClaims | undefined => {
  const { success, data } = claims.safeParse(payload)
  if (!success) return undefined
  return {
    type: data.token_type,
    userId: data.sub,
    email: data.email,
    merchantId: data.merchant_id,
    role: data.role,
    sessionId: data.sid ?? data.jti,
    permissions: data.perms ?? ALL_PERMISSIONS,
    grant: data.grant,
    passwordGeneration: data.pwd_gen,
    merchantRegistrationCount: data.reg,
    expiresAt: data.exp * 1000,
  }
}

const wireOf = ({
  type,
  userId,
  email,
  merchantId,
  role,
  permissions,
  grant,
  passwordGeneration,
  merchantRegistrationCount,
}: SessionSubject) => ({
  sub: userId,
  user_id: userId,
  email,
  merchant_id: merchantId,
  role,
  token_type: type,
  perms: permissions,
  ...(grant === null ? {} : { grant }),
  ...(passwordGeneration === 0 ? {} : { pwd_gen: passwordGeneration }),
  ...(merchantRegistrationCount === 0 ? {} : { reg: merchantRegistrationCount }),
})

/** JSON Web Tokens, HS256 and nothing else (platform.md 3). A token is valid up to and including its `exp`. */
export const createSessionTokens = ({ secret, now, newId, lifetimeMs, handoffLifetimeMs }: SessionTokensOptions): SessionTokens => {
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
    issue: (subject, goingOn) => {
      const iat = Math.floor(now() / 1000)
      const lastsMs = subject.type === 'hs_redirect' ? handoffLifetimeMs : lifetimeMs
      const exp = goingOn === undefined ? iat + Math.floor(lastsMs / 1000) : Math.floor(goingOn.expiresAt / 1000)
      const payload = { ...wireOf(subject), jti: newId(), ...(goingOn === undefined ? {} : { sid: goingOn.sessionId }), iat, exp }
      return jsonwebtoken.sign(payload, key, { algorithm: 'HS256' })
    },
    verify: (token) => {
      if (token.length > TOKEN_LENGTH_MAX) return undefined
      const parsed = parseClaims(payloadOf(token))
      return parsed === undefined || now() > parsed.expiresAt ? undefined : parsed
    },
  }
}
