import type { ContractRate } from '@switchyard/costs'
import type { Now } from '@switchyard/kernel'
import type {
  EligibilityTable,
  EliminationRules,
  GatewayErrorTable,
  PaymentFold,
  RuleEvaluator,
  ScoringDefaults,
} from '@switchyard/routing'
import type { HandleCommand, PaymentAppender, StreamStates } from '@switchyard/runtime'
import type { CostFollower } from './costs/cost-follower.ts'
import type { DebitData } from './debit-data/load-debit-data.ts'
import type { RecentDecisions } from './recent-decisions.ts'

/** What the service works with. */
export interface DecideServiceDependencies {
  /** Configuration of the merchants, kept in step with the log by somebody else. */
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  /** Windows and open decisions, kept in step with the log by somebody else. */
  readonly fold: Pick<PaymentFold, 'scoresOf' | 'downAmong' | 'reserveProbe' | 'hasDecision' | 'windowCountOf' | 'uploadedLine'>
  /** What is learned about costs, kept in step with the log by somebody else. */
  readonly costs: Pick<CostFollower, 'modelOf'>
  readonly appender: Pick<PaymentAppender, 'append' | 'appendAll' | 'enqueue'>
  /** Changes configuration: a reset takes along what the self-tuning job wrote. */
  readonly handle: HandleCommand
  readonly now: Now
  /** A clock that never goes back, in microseconds. */
  readonly monotonicUs: () => number
  /** Waits until the fold has seen what stands in the merchant's payments now; asked before a strict report is turned away and around a reset. */
  readonly readPayments: (merchantId: string) => Promise<void>
  /** A number in [0, 1): draws the splits of evaluations that name no payment. */
  readonly draw: () => number
  /** The vocabulary of rules, and what prepares algorithms for their payments. */
  readonly evaluator: RuleEvaluator
  /** Which connectors take which payments. */
  readonly eligibility: EligibilityTable
  /** What the deployment knows of gateways' errors. */
  readonly gatewayErrors: GatewayErrorTable
  /** What the deployment knows of debit networks. */
  readonly debitData: DebitData
  /** Whether rates of contracts price decisions; by default they do not. */
  readonly contractRatesDecide?: boolean
  /** Rates of merchants that told none of their own; by default there are none. */
  readonly deploymentRates?: readonly ContractRate[]
  /** Payments decided a moment ago; by default those of this service alone. */
  readonly recentDecisions?: RecentDecisions
  /** What merchants leave open; by default the shipped settings. */
  readonly scoringDefaults?: ScoringDefaults
  /** When gateways are taken for down; by default the shipped settings. */
  readonly eliminationRules?: EliminationRules
}
