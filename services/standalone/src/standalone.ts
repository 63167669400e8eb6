import { assembleCommandApi, assembleExperimentGuard } from '@switchyard/command-api'
import {
  type Configuration,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createPayments,
  createRecorder,
  createTokens,
  newId,
  now,
  type Payments,
  readStorePart,
  type Voices,
} from '@switchyard/composition'
import { costRoutes, type Spool } from '@switchyard/cost-ingestion'
import { assembleDecide, type CostFollower, createCostFollower, type DebitData } from '@switchyard/decide'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { AwaitPosition } from '@switchyard/http'
import type { EventLog, Mailer, ReadStore } from '@switchyard/kernel'
import { assembleQueryApi } from '@switchyard/query-api'
import { createRuleEvaluator, type GatewayErrorTable } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import type { KeyVault, Part, Settings } from '@switchyard/runtime'
import { webhookRoutes } from '@switchyard/webhook-dispatcher'
import type { Background } from './background.ts'
import type { Costs } from './costs.ts'
import type { Webhooks } from './webhooks.ts'

/** What the process works on and was told. */
export interface StandaloneDependencies extends Voices {
  readonly settings: Settings
  /** Signs session tokens. */
  readonly sessionSecret: string
  readonly log: EventLog
  readonly store: ReadStore
  readonly background: Background
  readonly webhooks: Webhooks
  readonly reports: Costs
  /** Where uploaded reports wait for {@link StandaloneDependencies.reports}. */
  readonly spool: Spool
  readonly gatewayErrors: GatewayErrorTable
  readonly ruleData: RuleData
  readonly debitData: DebitData
  readonly mailer: Mailer
  /** Where the data keys of merchants are kept, and what wraps them. */
  readonly keys: { readonly vault: KeyVault; readonly secret: string }
  /** Hears the address once the service listens. */
  readonly onListening: (url: string) => void
}

const awaitPositionIn = (
  { log, background, webhooks }: Pick<StandaloneDependencies, 'log' | 'background' | 'webhooks'>,
  { states }: Configuration,
  payments: Payments,
  costs: CostFollower,
): AwaitPosition =>
  createAwaitPosition({
    log,
    config: states.waitFor,
    payments: payments.waitFor,
    projectedPayments: (position) => background.projectedUpTo('payments', position),
    projectedConfig: (position) => background.projectedUpTo('config', position),
    projectedCosts: (position) => background.projectedUpTo('costs', position),
    webhooks: webhooks.operations.waitFor,
    costs: costs.waitFor,
  })

/** They were started before all parts, and are ended among them. */
const threadParts = ({ webhooks, reports }: Pick<StandaloneDependencies, 'webhooks' | 'reports'>): readonly Part[] => [
  { name: 'webhooks', start: async () => {}, stop: webhooks.stop },
  { name: 'reports', start: async () => {}, stop: reports.stop },
]

const schemaIds = publishedSchemaIds()

const areThreadsReady = (threads: Pick<StandaloneDependencies, 'background' | 'webhooks' | 'reports'>): boolean =>
  [threads.background, threads.webhooks, threads.reports].every((thread) => thread.isReady())

/** All services in one process, as parts that start in this order and stop in the reverse one. */
export const createStandalone = (dependencies: StandaloneDependencies): readonly Part[] => {
  const { settings, sessionSecret, log, store, background, webhooks, reports, mailer, logger, metrics, report, onListening } = dependencies
  const { gatewayErrors, debitData } = dependencies
  const { catalogue, eligibility } = dependencies.ruleData
  const engines = { log: metrics.ofLog(log), store, codec: createEventCodec(schemaIds, { strict: false }) }
  const configuration = createConfiguration(engines, dependencies, settings)
  const payments = createPayments(engines, dependencies)
  const costs = createCostFollower({ ...engines, schemaIds, onFailure: dependencies.onFailure })
  const { appender, noteKey, part: recorder } = createRecorder(engines, dependencies)
  const tokens = createTokens(sessionSecret, settings)
  const evaluator = createRuleEvaluator(catalogue)
  const { queries, journal, simulatePage, readSavings } = background
  const commandApi = assembleCommandApi({
    settings,
    configuration,
    tokens,
    sessionSecret,
    mailer,
    appender,
    evaluator,
    readKeyUses: queries.keyUses,
    report,
    keys: dependencies.keys,
  })

  metrics.watchProjections(background.projections)

  const edge = createEdge({
    settings,
    routes: (isListening) => {
      const health = { isReady: async () => isListening() && areThreadsReady(dependencies), probe: background.probe }
      return [
        ...commandApi.routes,
        ...assembleDecide({ settings, configuration, payments, costs, appender, gatewayErrors, debitData, evaluator, eligibility }).routes,
        ...assembleQueryApi({ queries, journal, simulatePage, readSavings, configuration, health }).routes,
        ...webhookRoutes({ operations: webhooks.operations, now }),
        ...costRoutes({ operations: reports.operations, spool: dependencies.spool, newId, samplesDir: settings.reports.samplesDir }),
      ]
    },
    directory: configuration.directory,
    noteKey,
    tokens,
    refresh: { refreshMerchant: configuration.states.readIndex },
    awaitPosition: awaitPositionIn(dependencies, configuration, payments, costs),
    logger,
    metrics,
    onListening,
  })
  return [
    { name: 'event log', start: async () => {}, stop: log.close },
    readStorePart(store, dependencies),
    { name: 'projections', start: async () => {}, stop: background.stop },
    configuration.part,
    payments.part,
    costs.part,
    recorder,
    ...threadParts(dependencies),
    commandApi.part,
    assembleExperimentGuard({ configuration, queries, report: dependencies.report }),
    edge,
  ]
}
