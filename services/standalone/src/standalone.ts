import { assembleCommandApi, assembleExperimentGuard } from '@switchyard/command-api'
import {
  assertOwnDataSecrets,
  type Configuration,
  costProjections,
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
import { type ContractRate, createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { AwaitPosition, Route } from '@switchyard/http'
import type { EventLog, Mailer, Position, ReadStore } from '@switchyard/kernel'
import { assembleQueryApi } from '@switchyard/query-api'
import { createRuleEvaluator, type GatewayErrorTable, type RuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { createReadModelProgress, type MerchantCipherDependencies, type Part, type Settings } from '@switchyard/runtime'
import { assembleTuner } from '@switchyard/tuner'
import { webhookRoutes } from '@switchyard/webhook-dispatcher'
import type { Background } from './background.ts'
import type { Costs } from './costs.ts'
import type { DecisionWorkers } from './decision-workers.ts'
import type { OwnedLog } from './thread-methods.ts'
import type { Webhooks } from './webhooks.ts'

/** What the process works on and was told. */
export interface StandaloneDependencies extends Voices {
  readonly settings: Settings
  /** Signs session tokens. */
  readonly sessionSecret: string
  readonly log: EventLog & Pick<OwnedLog, 'onOpening'>
  readonly store: ReadStore
  readonly background: Background
  readonly webhooks: Webhooks
  readonly reports: Costs
  /** Absent: the main thread decides alone. */
  readonly workers?: DecisionWorkers | undefined
  /** Where uploaded reports wait for {@link StandaloneDependencies.reports}. */
  readonly spool: Spool
  readonly gatewayErrors: GatewayErrorTable
  readonly ruleData: RuleData
  readonly debitData: DebitData
  /** Rates by contract of merchants that told none of their own. */
  readonly deploymentRates: readonly ContractRate[]
  readonly mailer: Mailer
  /** Where the data keys of merchants are kept, and what wraps them. */
  readonly keys: Pick<MerchantCipherDependencies, 'vault' | 'secrets'>
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

/** What looks after experiments and knobs. */
const watchers = ({ settings, log, background, report }: StandaloneDependencies, configuration: Configuration): readonly Part[] => {
  const { queries } = background
  const projectedUpTo = (position: Position): Promise<void> => background.projectedUpTo('payments', position)
  return [
    assembleExperimentGuard({ configuration, queries, report }),
    assembleTuner({ configuration, queries, log, projectedUpTo, settings: settings.tuning, report }),
  ]
}

type Threads = Pick<StandaloneDependencies, 'background' | 'webhooks' | 'reports' | 'workers'>

const isReady = ({ background, webhooks, reports, workers }: Threads): boolean =>
  background.isReady() && webhooks.isReady() && reports.isReady() && (workers?.isReady() ?? true)

const commandsOf = ({ settings, sessionSecret, mailer, report, keys, background, deploymentRates }: StandaloneDependencies) => ({
  settings,
  deploymentRates,
  sessionSecret,
  mailer,
  report,
  keys,
  readKeyUses: background.queries.keyUses,
})

/** What the services of the process are made of. */
interface Assembled {
  readonly commandApi: ReturnType<typeof assembleCommandApi>
  readonly configuration: Configuration
  readonly payments: Payments
  readonly costFollower: CostFollower
  readonly appender: ReturnType<typeof createRecorder>['appender']
  readonly evaluator: RuleEvaluator
}

/** The routes of all services. */
const routesIn =
  (dependencies: StandaloneDependencies, { commandApi, configuration, costFollower, ...deciding }: Assembled) =>
  (isListening: () => boolean): readonly Route[] => {
    const { settings, background, webhooks, reports, workers, spool, ruleData, gatewayErrors, debitData, deploymentRates } = dependencies
    const { queries, journal, simulatePage, lookAtBackTest, readSavings } = background
    const health = { isReady: async () => isListening() && isReady(dependencies), probe: background.probe }
    const { eligibility } = ruleData
    const data = { gatewayErrors, debitData, deploymentRates, eligibility, recentDecisions: workers?.recentDecisions }
    return [
      ...commandApi.routes,
      ...assembleDecide({ settings, configuration, costs: costFollower, ...deciding, ...data }).routes,
      ...assembleQueryApi({ queries, journal, simulatePage, lookAtBackTest, readSavings, configuration, health }).routes,
      ...webhookRoutes({ operations: webhooks.operations, now }),
      ...costRoutes({ ...configuration, operations: reports.operations, spool, now, newId, samplesDir: settings.reports.samplesDir }),
    ]
  }

/** All services in one process, as parts that start in this order and stop in the reverse one. */
export const createStandalone = (dependencies: StandaloneDependencies): readonly Part[] => {
  const { settings, sessionSecret, log, store, background, webhooks, reports, workers, logger, metrics, onListening } = dependencies
  const schemaIds = publishedSchemaIds()
  const engines = { log: metrics.ofLog(log), store, codec: createEventCodec(schemaIds, { strict: false }) }
  const configuration = createConfiguration(engines, dependencies, settings)
  const payments = createPayments(engines, dependencies, configuration.keys)
  const costFollower = createCostFollower({ ...engines, schemaIds, states: configuration.states, onFailure: dependencies.onFailure })
  const { appender, noteKey, part: recorder } = createRecorder(engines, dependencies)
  // Threads that append have their events written by this one's log, and its own decisions go along.
  log.onOpening(appender.sendAlong)
  const { states, directory } = configuration
  const tokens = createTokens(sessionSecret, settings)
  const evaluator = createRuleEvaluator(dependencies.ruleData.catalogue)
  const costDocuments = createReadModelProgress({ log, store, topic: 'costs', projections: costProjections.map(({ name }) => name) })
  const commandApi = assembleCommandApi({
    ...commandsOf(dependencies),
    configuration,
    tokens,
    appender,
    evaluator,
    costs: costDocuments.readModels,
  })

  metrics.watchProjections(background.projections)
  metrics.watchDeliveries(webhooks.figures)
  metrics.addThreads(async () => {
    const [ofWebhooks, ofReports, ofWorkers] = await Promise.all([webhooks.metrics(), reports.metrics(), workers?.figures() ?? []])
    return [ofWebhooks, ofReports, ...ofWorkers]
  })

  const edge = createEdge({
    settings,
    routes: routesIn(dependencies, { commandApi, configuration, payments, costFollower, appender, evaluator }),
    directory,
    noteKey,
    tokens,
    refresh: { refreshMerchant: states.readIndex },
    awaitPosition: awaitPositionIn(dependencies, configuration, payments, costFollower),
    logger,
    metrics,
    onListening,
    ...(workers === undefined ? {} : { helpers: workers }),
  })
  return [
    { name: 'event log', start: async () => {}, stop: log.close },
    readStorePart(store, dependencies, settings.mongodbUri),
    { name: 'projections', start: async () => {}, stop: background.stop },
    { name: 'read models of costs', start: async () => {}, stop: async () => costDocuments.stop() },
    configuration.part,
    { name: 'data keys', start: () => assertOwnDataSecrets(configuration, dependencies.keys), stop: async () => {} },
    payments.part,
    costFollower.part,
    recorder,
    { name: 'webhooks', start: async () => {}, stop: webhooks.stop },
    { name: 'reports', start: async () => {}, stop: reports.stop },
    commandApi.part,
    ...watchers(dependencies, configuration),
    ...(workers === undefined ? [] : [workers.part]),
    edge,
  ]
}
