import { randomBytes } from 'node:crypto'
import { type CredentialDirectory, createCredentialDirectory, merchants } from '@switchyard/access'
import { createCommandApi } from '@switchyard/command-api'
import { createDecideService, type DebitData } from '@switchyard/decide'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import {
  createGate,
  createHttpServer,
  createPasswords,
  createSessionTokens,
  type HttpLogger,
  PASSWORD_COST,
  type Route,
  type SessionTokens,
} from '@switchyard/http'
import { type EventLog, isOperatingError, type NewId, type Now, OperatingError, type ReadStore } from '@switchyard/kernel'
import { domainSlices } from '@switchyard/projector'
import { createQueryApi } from '@switchyard/query-api'
import { createPaymentFold, createRuleEvaluator, type GatewayErrorTable, SHIPPED_ELIMINATION_RULES } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import {
  createCommandHandler,
  createNewId,
  createPaymentAppender,
  createPaymentFollower,
  createStreamStates,
  type LifecycleReport,
  type Part,
  type Settings,
} from '@switchyard/runtime'
import { webhookRoutes } from '@switchyard/webhook-dispatcher'
import { createAwaitPosition } from './await-position.ts'
import type { Background } from './background.ts'
import { createLimitedLogger, createTally } from './log-limits.ts'
import type { Webhooks } from './webhooks.ts'

/** Life of a session token (platform.md 3), milliseconds. */
const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000
/** The only tenant there is (platform.md 11). */
const TENANTS: readonly string[] = ['public']

/** What the process works on and was told. */
export interface StandaloneDependencies {
  readonly settings: Settings
  /** Signs session tokens. */
  readonly sessionSecret: string
  readonly log: EventLog
  readonly store: ReadStore
  readonly background: Background
  readonly webhooks: Webhooks
  readonly gatewayErrors: GatewayErrorTable
  readonly ruleData: RuleData
  readonly debitData: DebitData
  readonly report: LifecycleReport
  /** Hears of failed requests, with their ids. */
  readonly logger: HttpLogger
  /** A part can't go on: the process should end and be started again. */
  readonly onFailure: (error: unknown) => void
  /** Hears the address once the service listens. */
  readonly onListening: (url: string) => void
}

const monotonicUs = (): number => Math.round(performance.now() * 1000)

const createFolds = ({ log, store, background, webhooks, report, onFailure }: StandaloneDependencies, newId: NewId) => {
  const codec = createEventCodec(publishedSchemaIds(), { strict: false })
  const states = createStreamStates({ log, store, codec, slices: domainSlices, onFailure })
  const fold = createPaymentFold()
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure })
  const drops = createTally((count, cause) => report.failed(`${count} decisions were not recorded`, cause))
  const appender = createPaymentAppender({ log, codec, newId, onDropped: drops.add })
  const flush = async (): Promise<void> => {
    await appender.close()
    drops.flush()
  }
  const awaitPosition = createAwaitPosition({
    log,
    config: states.waitFor,
    payments: follower.waitFor,
    projectedPayments: (position) => background.projectedUpTo('payments', position),
    webhooks: webhooks.operations.waitFor,
  })
  return { states, fold, follower, appender, flush, awaitPosition, handle: createCommandHandler({ log, codec, states, newId }) }
}

/** What the services share. */
interface Shared {
  readonly now: Now
  readonly newId: NewId
  readonly directory: CredentialDirectory
  readonly tokens: SessionTokens
  readonly isListening: () => boolean
}

/** The routes of all services. */
const createRoutes = (
  { settings, log, background, webhooks, gatewayErrors, debitData, ruleData }: StandaloneDependencies,
  { states, fold, follower, appender, handle }: ReturnType<typeof createFolds>,
  { now, newId, directory, tokens, isListening }: Shared,
): readonly Route[] => {
  const evaluator = createRuleEvaluator(ruleData.catalogue)
  const commandApi = createCommandApi({
    handle,
    evaluator,
    states,
    directory,
    tokens,
    passwords: createPasswords({ cost: PASSWORD_COST }),
    forgetScores: async (merchantId, requestId) => {
      await appender.append({ type: 'GatewayScoresReset', data: { merchantId, requestId, at: now(), cause: 'REGISTERED_AGAIN' } })
    },
    now,
    newId,
    randomBytes,
    settings,
  })
  const decide = createDecideService({
    states,
    fold,
    appender,
    now,
    monotonicUs,
    draw: Math.random,
    gatewayErrors,
    evaluator,
    eligibility: ruleData.eligibility,
    debitData,
    handle,
    eliminationRules: { ...SHIPPED_ELIMINATION_RULES, ...settings.downtime },
    readPayments: async (merchantId) => follower.waitFor(await log.endPosition('payments', merchantId)),
  })
  const queryApi = createQueryApi({
    queries: background.queries,
    simulatePage: background.simulatePage,
    states,
    now,
    historySinceOf: (merchantId) => states.stateOf(merchants, merchantId).historySince,
    health: { isReady: async () => isListening() && background.isReady() && webhooks.isReady(), probe: background.probe },
  })
  return [...commandApi.routes, ...decide.routes, ...queryApi.routes, ...webhookRoutes({ operations: webhooks.operations, now })]
}

/** All services in one process, as parts that start in this order and stop in the reverse one. */
export const createStandalone = (dependencies: StandaloneDependencies): readonly Part[] => {
  const { settings, sessionSecret, log, store, background, webhooks, logger, onListening } = dependencies
  const now: Now = Date.now
  const newId = createNewId(now, randomBytes)
  const folds = createFolds(dependencies, newId)
  const { states, follower, flush, awaitPosition } = folds
  const directory = createCredentialDirectory(states)
  const tokens = createSessionTokens({ secret: sessionSecret, now, newId, lifetimeMs: SESSION_LIFETIME_MS })
  let isListening = false

  const routes = createRoutes(dependencies, folds, { now, newId, directory, tokens, isListening: () => isListening })
  const server = createHttpServer({
    routes,
    gate: createGate({ directory, tokens, adminSecret: settings.adminSecret, now, tenants: TENANTS, refreshMerchant: states.readIndex }),
    newId,
    now,
    logger: createLimitedLogger(logger),
    awaitPosition,
  })

  const listen = async (): Promise<void> => {
    const { url } = await server.listen(settings.port, settings.host)
    isListening = true
    onListening(url)
  }
  const close = async (): Promise<void> => {
    isListening = false
    await server.close()
  }
  return [
    { name: 'event log', start: async () => {}, stop: log.close },
    { name: 'read store', start: async () => {}, stop: store.close },
    { name: 'projections', start: async () => {}, stop: background.stop },
    { name: 'configuration', start: states.start, stop: states.stop },
    { name: 'windows', start: follower.start, stop: follower.stop },
    { name: 'appender', start: async () => {}, stop: flush },
    { name: 'webhooks', start: async () => {}, stop: webhooks.stop },
    { name: 'HTTP', start: listen, stop: close },
  ]
}

/** The line that a person gets when a start fails; bugs keep their stack. */
export const failureLine = (error: unknown): string => {
  if (isOperatingError(error)) return error.message
  return error instanceof Error
    ? (error.stack ?? error.message)
    : new OperatingError('SETTING_INVALID', String(error), { retryable: false }).message
}
