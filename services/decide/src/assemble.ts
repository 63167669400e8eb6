import { type Configuration, now, type Payments } from '@switchyard/composition'
import type { ContractRate } from '@switchyard/costs'
import {
  type EligibilityTable,
  type GatewayErrorTable,
  type RuleEvaluator,
  SHIPPED_ELIMINATION_RULES,
  SHIPPED_SCORING_DEFAULTS,
} from '@switchyard/routing'
import type { PaymentAppender, Settings } from '@switchyard/runtime'
import type { CostFollower } from './costs/cost-follower.ts'
import type { DebitData } from './debit-data/load-debit-data.ts'
import { createDecideService, type DecideService } from './decide-service.ts'
import type { RecentDecisions } from './recent-decisions.ts'

/** What a process has for this service. */
export interface DecideSurroundings {
  readonly settings: Pick<Settings, 'downtime' | 'scoring' | 'contractRatesDecide'>
  readonly configuration: Configuration
  readonly payments: Payments
  readonly costs: CostFollower
  readonly appender: PaymentAppender
  readonly gatewayErrors: GatewayErrorTable
  readonly debitData: DebitData
  readonly deploymentRates: readonly ContractRate[]
  readonly evaluator: RuleEvaluator
  readonly eligibility: EligibilityTable
  /** Of all threads that decide; absent: there is no other. */
  readonly recentDecisions?: RecentDecisions | undefined
}

const monotonicUs = (): number => Math.round(performance.now() * 1000)

/** The service in a process, alone or beside others. */
export const assembleDecide = ({
  settings,
  configuration,
  payments,
  costs,
  appender,
  gatewayErrors,
  debitData,
  deploymentRates,
  evaluator,
  eligibility,
  recentDecisions,
}: DecideSurroundings): DecideService =>
  createDecideService({
    states: configuration.states,
    handle: configuration.handle,
    fold: payments.fold,
    readPayments: payments.readPayments,
    costs,
    appender,
    now,
    monotonicUs,
    draw: Math.random,
    gatewayErrors,
    debitData,
    deploymentRates,
    evaluator,
    eligibility,
    contractRatesDecide: settings.contractRatesDecide,
    ...(recentDecisions === undefined ? {} : { recentDecisions }),
    scoringDefaults: { ...SHIPPED_SCORING_DEFAULTS, ...settings.scoring },
    eliminationRules: { ...SHIPPED_ELIMINATION_RULES, ...settings.downtime },
  })
