import {
  type AwaitPosition,
  type CredentialLookup,
  createGate,
  createHttpServer,
  createSessionTokens,
  type GateOptions,
  type Route,
  type SessionTokens,
} from '@switchyard/http'
import type { Part, Settings } from '@switchyard/runtime'
import { createLimitedLogger } from './log-limits.ts'
import { newId, now, type Voices } from './surroundings.ts'

/** The only tenant there is (platform.md 11). */
const TENANTS: readonly string[] = ['public']

/** Session tokens of a deployment; all its processes share the secret. */
export const createTokens = (
  secret: string,
  { people: { sessionLifetimeMs: lifetimeMs, handoffLifetimeMs } }: Pick<Settings, 'people'>,
): SessionTokens => createSessionTokens({ secret, now, newId, lifetimeMs, handoffLifetimeMs })

/** What {@link createEdge} needs. */
export interface EdgeDependencies {
  readonly settings: Pick<Settings, 'port' | 'host' | 'adminSecret'>
  /** What the process answers; `isListening` holds from the first request until it begins to stop. */
  readonly routes: (isListening: () => boolean) => readonly Route[]
  readonly directory: CredentialLookup
  readonly tokens: Pick<SessionTokens, 'verify'>
  /** How the directory comes up to date where others write to the log too; absent where it always is. */
  readonly refresh?: Pick<GateOptions, 'refreshMerchant' | 'refreshCredentials'>
  /** Hears of every use of an API key. */
  readonly noteKey?: GateOptions['noteKey']
  readonly awaitPosition?: AwaitPosition
  readonly logger: Voices['logger']
  /** Hears the address once the process listens. */
  readonly onListening: (url: string) => void
}

/** The HTTP side of a process: starts last, stops first. */
export const createEdge = (dependencies: EdgeDependencies): Part => {
  const { settings, routes, directory, tokens, refresh = {}, noteKey, awaitPosition, logger, onListening } = dependencies
  let isListening = false
  const server = createHttpServer({
    routes: routes(() => isListening),
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
    ...(awaitPosition === undefined ? {} : { awaitPosition }),
  })
  return {
    name: 'HTTP',
    start: async () => {
      const { url } = await server.listen(settings.port, settings.host)
      isListening = true
      onListening(url)
    },
    stop: async () => {
      isListening = false
      await server.close()
    },
  }
}
