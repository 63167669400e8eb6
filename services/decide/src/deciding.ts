import {
  type Configuration,
  createAwaitPosition,
  createConfiguration,
  createPayments,
  createRecorder,
  createTokens,
  type EdgeDependencies,
  type Engines,
  type Recorder,
  type Voices,
} from '@switchyard/composition'
import type { ContractRate } from '@switchyard/costs'
import type { Route } from '@switchyard/http'
import type { SchemaIds } from '@switchyard/kernel'
import { createRuleEvaluator, type GatewayErrorTable } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import type { Part, Settings } from '@switchyard/runtime'
import { assembleDecide } from './assemble.ts'
import { createCostFollower } from './costs/cost-follower.ts'
import type { DebitData } from './debit-data/load-debit-data.ts'
import type { RecentDecisions } from './recent-decisions.ts'

/** What the deployment knows beside the log. */
export interface DecisionData {
  readonly gatewayErrors: GatewayErrorTable
  readonly debitData: DebitData
  /** Rates by contract of merchants that told none of their own. */
  readonly deploymentRates: readonly ContractRate[]
  readonly ruleData: RuleData
}

/** What {@link assembleDeciding} needs. */
export interface DecidingSurroundings extends DecisionData {
  readonly settings: Pick<Settings, 'downtime' | 'scoring' | 'contractRatesDecide' | 'people'> & { readonly jwtSecret: string }
  readonly engines: Engines & { readonly schemaIds: Pick<SchemaIds, 'schemaOf'> }
  readonly voices: Voices
  /** Of all threads that decide; absent: there is no other. */
  readonly recentDecisions?: RecentDecisions
}

/** Whoever decides with nobody else in the same thread. */
export interface Deciding {
  readonly routes: readonly Route[]
  readonly configuration: Configuration
  readonly appender: Recorder['appender']
  /** What the edge asks of it. */
  readonly serving: Pick<EdgeDependencies, 'directory' | 'noteKey' | 'tokens' | 'refresh' | 'awaitPosition' | 'logger' | 'metrics'>
  /** In the order in which they start: behind them the folds have caught up. */
  readonly parts: readonly Part[]
}

/** Decisions and outcomes with states of their own, folded from the log: a process of a cluster, or a thread beside others. */
export const assembleDeciding = (surroundings: DecidingSurroundings): Deciding => {
  const { settings, engines, voices, gatewayErrors, debitData, deploymentRates, ruleData, recentDecisions } = surroundings
  const configuration = createConfiguration(engines, voices, settings)
  const payments = createPayments(engines, voices, configuration.keys)
  const { states, directory } = configuration
  const costs = createCostFollower({ ...engines, states, onFailure: voices.onFailure })
  const { appender, noteKey, part: recorder } = createRecorder(engines, voices)
  const { routes } = assembleDecide({
    settings,
    configuration,
    payments,
    costs,
    appender,
    gatewayErrors,
    debitData,
    deploymentRates,
    evaluator: createRuleEvaluator(ruleData.catalogue),
    eligibility: ruleData.eligibility,
    recentDecisions,
  })
  return {
    routes,
    configuration,
    appender,
    serving: {
      directory,
      noteKey,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, payments: payments.waitFor, costs: costs.waitFor }),
      logger: voices.logger,
      metrics: voices.metrics,
    },
    parts: [configuration.part, payments.part, costs.part, recorder],
  }
}
