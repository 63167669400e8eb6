import { hashApiKey } from '../credentials/api-key.ts'
import { SAMPLE_SUBJECT } from '../credentials/sample-subject.fixture.ts'
import { createSessionTokens } from '../credentials/session-tokens.ts'
import { createGate, type GateOptions } from '../gate/gate.ts'
import type { Route, RouteReply, RouteSpec } from '../route.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts'
import type { PositionWait } from './position-wait.ts'

/** For tests: a server with one merchant, one key of it, one revoked key and an admin. */
export interface SampleServer extends HttpServer {
  readonly bearer: string
  /** Fields of what was logged. */
  readonly logged: readonly object[]
}

export const SAMPLE_KEY = 'key-of-m1'
export const REVOKED_KEY = 'revoked-key'
export const ADMIN_SECRET = 'test_admin'
const NOW = 1_760_000_000_000

/** A row with harmless defaults. */
export const sampleSpec = (differences: Partial<RouteSpec>): RouteSpec => ({
  method: 'GET',
  path: '/sample',
  access: 'public',
  permission: 'routing:read',
  tenant: false,
  body: 'none',
  hot: false,
  ...differences,
})

/** Answers with what the handler saw. */
export const echo = (differences: Partial<RouteSpec>): Route => ({
  spec: sampleSpec(differences),
  handle: ({ params, query, body, identity }) => ({
    status: 200,
    body: { params, query: query.toString(), body: body ?? null, caller: identity.kind },
  }),
})

/** A route that answers when the test says so. */
export interface SlowRoute {
  readonly route: Route
  /** Resolves with the first request that is being handled. */
  readonly entered: Promise<void>
  readonly answer: () => void
}

/** A {@link SlowRoute}. */
export const createSlowRoute = (differences: Partial<RouteSpec>, reply: RouteReply): SlowRoute => {
  let enter = (): void => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  return {
    route: {
      spec: sampleSpec(differences),
      handle: async () => {
        enter()
        await answered
        return reply
      },
    },
    entered,
    answer,
  }
}

const CURRENT = { isCurrent: true, merchantPlace: undefined, notedInRound: 0 }
const keys = new Map([
  [hashApiKey(SAMPLE_KEY), { keyId: 'k1', merchantId: 'm1', active: true, expiresAt: null, ...CURRENT }],
  [hashApiKey(REVOKED_KEY), { keyId: 'k2', merchantId: 'm1', active: false, expiresAt: null, ...CURRENT }],
])

/** Reached when whoever asked has done something else. */
const reachedLater = (): Promise<PositionWait> => new Promise((resolve) => setTimeout(() => resolve('reached'), 100))

const awaitPosition = async (token: string): Promise<PositionWait> => {
  if (token === 'config-0-1') return 'reached'
  if (token === 'config-0-2') return await reachedLater()
  return token === 'config-0-9' ? 'not-reached' : 'malformed'
}

/** What differs from the sample. */
interface SampleOptions extends Pick<HttpServerOptions, 'closeTimeoutMs' | 'requestTimeoutMs'>, Pick<GateOptions, 'refreshCredentials'> {
  /** Whether the directory has heard of a key by now. */
  readonly knows?: (apiKey: string) => boolean
  /** Whether sessions go on. */
  readonly isRunning?: () => boolean
}

/** What the sample serves with, its session token, and what it logs. */
interface SampleServing extends HttpServerOptions {
  readonly bearer: string
  readonly logged: readonly object[]
}

/** Options of a server of these routes, of whichever kind. */
export const sampleOptions = (
  routes: readonly Route[],
  { knows = () => true, isRunning = () => true, refreshCredentials, ...closing }: SampleOptions = {},
): SampleServing => {
  const now = (): number => NOW
  let idCount = 0
  const newId = (): string => `id-${++idCount}`
  const tokens = createSessionTokens({ secret: 's'.repeat(32), now, newId, lifetimeMs: 60_000, handoffLifetimeMs: 60_000 })
  const directory = {
    keyByHash: (hash: string) => (hash === hashApiKey(SAMPLE_KEY) && !knows(SAMPLE_KEY) ? undefined : keys.get(hash)),
    expectMerchantOf: () => {},
    standingOf: () => (isRunning() ? ({ running: true, role: 'admin' } as const) : ({ running: false, unknown: false } as const)),
    hasMerchant: (merchantId: string) => merchantId === 'm1' || merchantId === 'm2',
  }
  const gate = createGate({
    directory,
    tokens,
    adminSecret: ADMIN_SECRET,
    tenants: ['public'],
    now,
    ...(refreshCredentials === undefined ? {} : { refreshCredentials }),
  })
  const logged: object[] = []
  const logger = { error: (fields: object, message: string): unknown => logged.push({ ...fields, message }) }
  const bearer = tokens.issue(SAMPLE_SUBJECT)
  return { routes, gate, newId, now, logger, awaitPosition, ...closing, bearer, logged }
}

/** A server that is not listening yet. */
export const createSampleServer = (routes: readonly Route[], options: SampleOptions = {}): SampleServer => {
  const { bearer, logged, ...serving } = sampleOptions(routes, options)
  return { ...createHttpServer(serving), bearer, logged }
}
