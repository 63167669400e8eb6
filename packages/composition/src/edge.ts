import {
  type ApiDocument,
  type AwaitPosition,
  type CredentialLookup,
  createGate,
  createHttpServer,
  createRateLimits,
  createSessionTokens,
  type GateOptions,
  type Route,
  type SessionTokens,
  withApiDescription,
} from '@switchyard/http'
import { type Part, type Settings, STOP_PART_MAX_MS, systemTimers } from '@switchyard/runtime'
import { createLimitedLogger } from './log-limits.ts'
import type { Metrics } from './metrics/metrics.ts'
import { newId, now, traces, type Voices } from './surroundings.ts'

/** The only tenant there is (platform.md 11). */
const TENANTS: readonly string[] = ['public']

/** Session tokens of a deployment; all its processes share the secret. */
export const createTokens = (
  secret: string,
  { people: { sessionLifetimeMs: lifetimeMs, handoffLifetimeMs } }: Pick<Settings, 'people'>,
): SessionTokens => createSessionTokens({ secret, now, newId, lifetimeMs, handoffLifetimeMs })

/** What {@link createEdge} needs. */
export interface EdgeDependencies {
  readonly settings: Pick<Settings, 'port' | 'host' | 'adminSecret' | 'drainMs' | 'rateLimits'>
  /** What the process answers; `isListening` holds from the first request until it begins to stop. */
  readonly routes: (isListening: () => boolean) => readonly Route[]
  /** The interface that the routes are a part of; absent: they are all of it. */
  readonly description?: ApiDocument
  readonly directory: CredentialLookup
  readonly tokens: Pick<SessionTokens, 'verify'>
  /** How the directory comes up to date where others write to the log too; absent where it always is. */
  readonly refresh?: Pick<GateOptions, 'refreshMerchant' | 'refreshCredentials'>
  /** Hears of every use of an API key. */
  readonly noteKey?: GateOptions['noteKey']
  readonly awaitPosition?: AwaitPosition
  readonly logger: Voices['logger']
  readonly metrics: Pick<Metrics, 'http'>
  /** Hears the address once the process listens. */
  readonly onListening: (url: string) => void
}

/** The HTTP side of a process: starts last, stops first. */
export const createEdge = (dependencies: EdgeDependencies): Part => {
  const {
    settings,
    routes,
    description,
    directory,
    tokens,
    refresh = {},
    noteKey,
    awaitPosition,
    logger,
    metrics,
    onListening,
  } = dependencies
  let isListening = false
  const server = createHttpServer({
    routes: withApiDescription(
      routes(() => isListening),
      description,
    ),
    gate: createGate({
      directory,
      tokens,
      adminSecret: settings.adminSecret,
      now,
      tenants: TENANTS,
      ...refresh,
      ...(noteKey === undefined ? {} : { noteKey }),
    }),
    newId,
    now,
    logger: createLimitedLogger(logger),
    traces,
    telemetry: metrics.http,
    takeFromRate: createRateLimits(settings.rateLimits, now),
    ...(awaitPosition === undefined ? {} : { awaitPosition }),
  })
  return {
    name: 'HTTP',
    start: async () => {
      const { url } = await server.listen(settings.port, settings.host)
      isListening = true
      onListening(url)
    },
    // Whoever sends requests sees that it is not ready any more, and has so long to send them elsewhere.
    stop: async () => {
      isListening = false
      server.drain()
      if (settings.drainMs > 0) await new Promise<void>((resolve) => void systemTimers.after(settings.drainMs, resolve))
      await server.close()
    },
    stopMaxMs: settings.drainMs + STOP_PART_MAX_MS,
  }
}
