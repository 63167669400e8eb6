import { assertNever, type Now } from '@switchyard/kernel'
import { platformError } from '../errors.ts'
import { LIMITED_CREDENTIAL_COUNT_MAX } from '../limits.ts'
import type { Identity, RouteReply, RouteSpec } from '../route.ts'

/** What a credential may send to a class of routes: so many requests a second for good, and so many at once. */
export interface RatePolicy {
  readonly perSecond: number
  readonly burst: number
}

/** Policies by class of routes: those asked for every payment, and the others by what they need permission for. An absent one is no limit. */
export interface RatePolicies {
  readonly hot?: RatePolicy
  readonly read?: RatePolicy
  readonly write?: RatePolicy
}

type RouteClass = keyof RatePolicies

/** What became of a request: the headers to answer it with, and the answer itself when it came too early. */
export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>
  readonly refused?: RouteReply
}

/** Asks for a request of this caller; undefined where there is no limit. */
export type TakeFromRate = (spec: RouteSpec, identity: Identity) => RateVerdict | undefined

/** A token bucket: what was left of it at a time. */
interface Bucket {
  tokens: number
  atMs: number
}

const SECOND_MS = 1_000

const classOf = ({ hot, limitedAs, permission }: RouteSpec): RouteClass => {
  if (hot || limitedAs === 'hot') return 'hot'
  return permission === 'routing:read' ? 'read' : 'write'
}

/** Who the requests are counted for; undefined: nobody known, or the deployment's admin, for whom limits are lifted as isolation is. */
const credentialOf = (identity: Identity): string | undefined => {
  switch (identity.kind) {
    case 'anonymous':
    case 'admin':
      return undefined
    case 'key':
      return identity.admin ? undefined : `key ${identity.keyId}`
    case 'user':
      return identity.admin ? undefined : `user ${identity.userId}`
    default:
      return assertNever(identity)
  }
}

/** `RateLimit-Policy` and `RateLimit` as the IETF's draft for HTTP APIs has them: quota, window, what is left, until when it is full again. */
const headersOf = (name: RouteClass, { perSecond, burst }: RatePolicy, tokens: number): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
  ratelimit: `"${name}";r=${Math.floor(tokens)};t=${Math.ceil((burst - tokens) / perSecond)}`,
})

const tooMany = ({ perSecond, burst }: RatePolicy, headers: RateVerdict['headers'], seconds: number): RouteReply => ({
  ...platformError(
    429,
    'TE_00',
    `Too many requests: this credential may send ${perSecond} a second to routes of this kind, ${burst} at once; try again in ${seconds} s`,
  ),
  headers: { ...headers, 'retry-after': String(seconds) },
})

/** The limits of one process; several replicas allow as many times as much. */
export const createRateLimits = (policies: RatePolicies, now: Now): TakeFromRate => {
  const buckets: Readonly<Record<RouteClass, Map<string, Bucket>>> = { hot: new Map(), read: new Map(), write: new Map() }

  const bucketOf = (ofClass: Map<string, Bucket>, credential: string, burst: number): Bucket => {
    const known = ofClass.get(credential)
    if (known !== undefined) return known
    if (ofClass.size >= LIMITED_CREDENTIAL_COUNT_MAX) {
      // The oldest makes room, and begins anew with a full bucket.
      const [oldest] = ofClass.keys()
      if (oldest !== undefined) ofClass.delete(oldest)
    }
    const bucket = { tokens: burst, atMs: now() }
    ofClass.set(credential, bucket)
    return bucket
  }

  return (spec, identity) => {
    const name = classOf(spec)
    const policy = policies[name]
    const credential = policy === undefined ? undefined : credentialOf(identity)
    if (policy === undefined || credential === undefined) return undefined
    const bucket = bucketOf(buckets[name], credential, policy.burst)
    const nowMs = now()
    const gained = (Math.max(0, nowMs - bucket.atMs) / SECOND_MS) * policy.perSecond
    bucket.tokens = Math.min(policy.burst, bucket.tokens + gained)
    bucket.atMs = nowMs
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1
      return { headers: headersOf(name, policy, bucket.tokens) }
    }
    const headers = headersOf(name, policy, bucket.tokens)
    return { headers, refused: tooMany(policy, headers, Math.ceil((1 - bucket.tokens) / policy.perSecond)) }
  }
}
