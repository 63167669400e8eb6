import type { Socket } from 'node:net'
import {
  type ApiDocument,
  type AwaitPosition,
  type CredentialLookup,
  createGate,
  createHotServer,
  createHttpServer,
  createRateLimits,
  createSessionTokens,
  type GateOptions,
  type HotServer,
  type HotServerOptions,
  type HttpServer,
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

/** What is asked and told about every request, in whichever thread it is answered. */
interface ServingDependencies {
  readonly settings: Pick<Settings, 'adminSecret' | 'rateLimits'>
  readonly directory: CredentialLookup
  readonly tokens: Pick<SessionTokens, 'verify'>
  /** How the directory comes up to date where others write to the log too; absent where it always is. */
  readonly refresh?: Pick<GateOptions, 'refreshMerchant' | 'refreshCredentials'>
  /** Hears of every use of an API key. */
  readonly noteKey?: GateOptions['noteKey']
  readonly awaitPosition?: AwaitPosition
  readonly logger: Voices['logger']
  readonly metrics: Pick<Metrics, 'http'>
}

/** Other threads that answer hot routes, on connections that this one accepts. */
export interface HelpingThreads {
  /** Whether another thread has taken the connection. */
  readonly giveAway: (socket: Socket) => boolean
  /** From now on `take` gets the connections that ask for other routes. */
  readonly onReturned: (take: HttpServer['adopt']) => void
  /** They end each connection behind its answer. */
  readonly drain: () => void
  /** They let running requests finish, within a bound; what they give back of them was taken before. */
  readonly close: () => Promise<void>
}

/** What {@link createEdge} needs. */
export interface EdgeDependencies extends ServingDependencies {
  readonly settings: Pick<Settings, 'port' | 'host' | 'adminSecret' | 'drainMs' | 'rateLimits'>
  /** What the process answers; `isListening` holds from the first request until it begins to stop. */
  readonly routes: (isListening: () => boolean) => readonly Route[]
  /** The interface that the routes are a part of; absent: they are all of it. */
  readonly description?: ApiDocument
  /** Hears the address once the process listens. */
  readonly onListening: (url: string) => void
  /** Absent: this thread answers everything. */
  readonly helpers?: HelpingThreads
}

/** How requests are served. */
const servingOf = ({ settings, directory, tokens, refresh = {}, noteKey, awaitPosition, logger, metrics }: ServingDependencies) => ({
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

/** The HTTP side of a thread that helps with hot routes. */
export const createHotEdge = (dependencies: ServingDependencies & Pick<HotServerOptions, 'routes' | 'passOn'>): HotServer =>
  createHotServer({ ...servingOf(dependencies), routes: dependencies.routes, passOn: dependencies.passOn })

/** The HTTP side of a process: starts last, stops first. */
export const createEdge = (dependencies: EdgeDependencies): Part => {
  const { settings, routes, description, onListening, helpers } = dependencies
  let isListening = false
  const server = createHttpServer({
    ...servingOf(dependencies),
    routes: withApiDescription(
      routes(() => isListening),
      description,
    ),
    ...(helpers === undefined ? {} : { giveAway: helpers.giveAway }),
  })
  helpers?.onReturned(server.adopt)
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
      helpers?.drain()
      if (settings.drainMs > 0) await new Promise<void>((resolve) => void systemTimers.after(settings.drainMs, resolve))
      const helped = helpers?.close()
      await Promise.all([server.close(helped), helped])
    },
    stopMaxMs: settings.drainMs + STOP_PART_MAX_MS,
  }
}
