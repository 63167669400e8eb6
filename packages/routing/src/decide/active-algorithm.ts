import type { ConnectorReference } from '../algorithms/algorithm.ts'
import { type Evaluation, isEvaluationError } from '../algorithms/evaluation.ts'
import { type PaymentAttributes, paymentParameters } from '../algorithms/payment-parameters.ts'
import type { RuleEvaluator } from '../algorithms/rule-evaluator.ts'
import { activePaymentAlgorithm, type RoutingAlgorithms, type StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import type { PriorityPlan } from './decision.ts'
import { candidateOrder, planByAlgorithm, preferring } from './priority-plan.ts'
import type { DecisionRequest } from './request.ts'

/** Of a split the drawn gateway stays first, the others follow by their share, the largest first (contract/README.md 7). */
const restBySplit = ({ evaluated, output }: Evaluation): readonly ConnectorReference[] => {
  if (output.form !== 'volumeSplit') return evaluated
  const weights = new Map(output.splits.map(({ connector, weight }) => [connector, weight]))
  const weightOf = (connector: ConnectorReference): number => weights.get(connector) ?? 0
  return [...evaluated.slice(0, 1), ...evaluated.slice(1).sort((a, b) => weightOf(b) - weightOf(a))]
}

/** Never asked: a payment always has an id, and its splits are drawn from that. */
const NO_DRAW = (): number => 0

/** What an algorithm looks at. */
export interface RoutedPayment extends PaymentAttributes {
  readonly paymentId: string
}

/** What an algorithm gives a payment. */
export interface AlgorithmAnswer {
  /** Best first. */
  readonly gateways: readonly ConnectorReference[]
  /** The rule that matched; null for other than programs and when none did. */
  readonly ruleName: string | null
}

/** The answer of an algorithm for a payment; undefined when it can't be evaluated. */
export const answerOfAlgorithm = (
  { catalogue, compiledOf }: RuleEvaluator,
  stored: StoredAlgorithm,
  payment: RoutedPayment,
): AlgorithmAnswer | undefined => {
  const context = { paymentId: payment.paymentId, draw: NO_DRAW, fallback: [] }
  const result = compiledOf(stored).evaluate(paymentParameters(catalogue, payment), context)
  return isEvaluationError(result) ? undefined : { gateways: restBySplit(result), ruleName: result.ruleName }
}

/** The candidates in the order that an algorithm gives them for a payment; as sent when it can't be evaluated, which is told in `run`. */
export const planByStoredAlgorithm = (
  evaluator: RuleEvaluator,
  stored: StoredAlgorithm,
  payment: RoutedPayment,
  candidates: readonly string[],
): PriorityPlan => {
  const answer = answerOfAlgorithm(evaluator, stored, payment)
  if (answer === undefined) {
    const run = { name: stored.name, failure: 'PL_EVALUATION_FAILED' } as const
    return { ...candidateOrder(candidates), algorithmId: stored.id, tag: stored.name, run }
  }
  const run = { name: answer.ruleName ?? stored.name, failure: null }
  return planByAlgorithm({ algorithmId: stored.id, run, gateways: answer.gateways }, candidates)
}

/**
 * The priority list of a payment: what the merchant's live payment algorithm answers for it (decide.md 9.1). Without one,
 * and outside an experiment that is live in its place, the candidates stand in the order sent.
 */
export const planByActiveAlgorithm = (
  evaluator: RuleEvaluator,
  algorithms: RoutingAlgorithms,
  { payment }: DecisionRequest,
  candidates: readonly string[],
): PriorityPlan => {
  const live = activePaymentAlgorithm(algorithms)
  return live === undefined || live.kind === 'AB_TEST'
    ? candidateOrder(candidates)
    : planByStoredAlgorithm(evaluator, live, payment, candidates)
}

/** A payment whose gateway was decided before. */
export interface DecidedPayment extends RoutedPayment {
  readonly candidates: readonly string[]
  readonly preferredGateway: string | null
}

/**
 * The gateway that an algorithm gives a payment when nothing is down; undefined when it can't be evaluated, and when the
 * payment had no candidates.
 */
export const gatewayByStoredAlgorithm = (
  evaluator: RuleEvaluator,
  stored: StoredAlgorithm,
  payment: DecidedPayment,
): string | undefined => {
  const { candidates, preferredGateway } = payment
  const plan = planByStoredAlgorithm(evaluator, stored, payment, candidates)
  return plan.run?.failure ? undefined : preferring(plan, preferredGateway, candidates).gateways[0]
}
