import { assembleCommandApi, assembleExperimentGuard } from '@switchyard/command-api'
import {
  type Configuration,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createPayments,
  createRecorder,
  createTokens,
  now,
  type Payments,
  readStorePart,
  type Voices,
} from '@switchyard/composition'
import { assembleDecide, type DebitData } from '@switchyard/decide'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { AwaitPosition } from '@switchyard/http'
import type { EventLog, Mailer, Position, ReadStore } from '@switchyard/kernel'
import { assembleQueryApi } from '@switchyard/query-api'
import { createRuleEvaluator, type GatewayErrorTable } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import type { Part, Settings } from '@switchyard/runtime'
import { assembleTuner } from '@switchyard/tuner'
import { webhookRoutes } from '@switchyard/webhook-dispatcher'
import type { Background } from './background.ts'
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
  readonly gatewayErrors: GatewayErrorTable
  readonly ruleData: RuleData
  readonly debitData: DebitData
  readonly mailer: Mailer
  /** Hears the address once the service listens. */
  readonly onListening: (url: string) => void
}

const awaitPositionIn = (
  { log, background, webhooks }: Pick<StandaloneDependencies, 'log' | 'background' | 'webhooks'>,
  { states }: Configuration,
  payments: Payments,
): AwaitPosition =>
  createAwaitPosition({
    log,
    config: states.waitFor,
    payments: payments.waitFor,
    projectedPayments: (position) => background.projectedUpTo('payments', position),
    projectedConfig: (position) => background.projectedUpTo('config', position),
    webhooks: webhooks.operations.waitFor,
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

/** All services in one process, as parts that start in this order and stop in the reverse one. */
export const createStandalone = (dependencies: StandaloneDependencies): readonly Part[] => {
  const { settings, sessionSecret, log, store, background, webhooks, mailer, logger, metrics, report, onListening } = dependencies
  const { gatewayErrors, ruleData, debitData } = dependencies
  const engines = { log: metrics.ofLog(log), store, codec: createEventCodec(publishedSchemaIds(), { strict: false }) }
  const configuration = createConfiguration(engines, dependencies, settings)
  const payments = createPayments(engines, dependencies)
  const { appender, noteKey, part: recorder } = createRecorder(engines, dependencies)
  const { states, directory } = configuration
  const tokens = createTokens(sessionSecret, settings)
  const evaluator = createRuleEvaluator(ruleData.catalogue)
  const { eligibility } = ruleData
  const { queries, journal, simulatePage, lookAtBackTest } = background
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
  })

  metrics.watchProjections(background.projections)
  metrics.watchDeliveries(webhooks.figures)

  const edge = createEdge({
    settings,
    routes: (isListening) => {
      const health = { isReady: async () => isListening() && background.isReady() && webhooks.isReady(), probe: background.probe }
      return [
        ...commandApi.routes,
        ...assembleDecide({ settings, configuration, payments, appender, gatewayErrors, debitData, evaluator, eligibility }).routes,
        ...assembleQueryApi({ queries, journal, simulatePage, lookAtBackTest, configuration, health }).routes,
        ...webhookRoutes({ operations: webhooks.operations, now }),
      ]
    },
    directory,
    noteKey,
    tokens,
    refresh: { refreshMerchant: states.readIndex },
    awaitPosition: awaitPositionIn(dependencies, configuration, payments),
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
    recorder,
    { name: 'webhooks', start: async () => {}, stop: webhooks.stop },
    commandApi.part,
    ...watchers(dependencies, configuration),
    edge,
  ]
}
