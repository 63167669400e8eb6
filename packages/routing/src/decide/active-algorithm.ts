import type { ConnectorReference } from '../algorithms/algorithm.ts'
import { compiledAlgorithmOf } from '../algorithms/compile-algorithm.ts'
import { type Evaluation, isEvaluationError } from '../algorithms/evaluation.ts'
import { paymentParameters } from '../algorithms/payment-parameters.ts'
import { activePaymentAlgorithm, type RoutingAlgorithms } from '../algorithms/stored-algorithm.ts'
import type { PriorityPlan } from './decision.ts'
import { candidateOrder, planByAlgorithm } from './priority-plan.ts'
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

/**
 * The priority list of a payment: what the merchant's live payment algorithm answers for it (decide.md 9.1). Without one,
 * and when it can't be evaluated, the candidates stand in the order sent; the latter is told in `run`.
 */
export const planByActiveAlgorithm = (
  algorithms: RoutingAlgorithms,
  { payment }: DecisionRequest,
  candidates: readonly string[],
): PriorityPlan => {
  const live = activePaymentAlgorithm(algorithms)
  if (live === undefined) return candidateOrder(candidates)
  const context = { paymentId: payment.paymentId, draw: NO_DRAW, fallback: [] }
  const result = compiledAlgorithmOf(live).evaluate(paymentParameters(payment), context)
  if (isEvaluationError(result)) {
    const run = { name: live.name, failure: 'PL_EVALUATION_FAILED' } as const
    return { ...candidateOrder(candidates), algorithmId: live.id, tag: live.name, run }
  }
  const run = { name: result.ruleName ?? live.name, failure: null }
  return planByAlgorithm({ algorithmId: live.id, run, gateways: restBySplit(result) }, candidates)
}
