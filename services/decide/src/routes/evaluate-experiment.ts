import type { RuleEvaluated } from '@switchyard/events'
import {
  type Arm,
  algorithmById,
  armOf,
  type ConnectorReference,
  type Evaluation,
  experimentOf,
  planOf,
  type RoutingAlgorithms,
  type StoredAlgorithm,
  SUCCESS_RATE_ROUTING,
} from '@switchyard/routing'
import type { EvaluationRefusal } from './evaluate-refusals.ts'
import type { EvaluateRequest } from './evaluate-request.ts'

/** What answers an evaluation. */
export interface Answering {
  /** Of an arm that routes by success rates the experiment itself. */
  readonly algorithm: StoredAlgorithm
  /** The arm of an experiment that chose; null without one. */
  readonly arm: { readonly experimentId: string; readonly arm: Arm } | null
  /** What an arm that routes by success rates answers: the connector that the caller would fall back to; null for others. */
  readonly connector: ConnectorReference | null
}

/** The algorithm itself, or what the payment's arm of an experiment has in its place (rules.md 10). */
export const answeringFor = (
  state: RoutingAlgorithms,
  chosen: StoredAlgorithm,
  { paymentId, fallback }: EvaluateRequest,
): Answering | EvaluationRefusal => {
  const experiment = experimentOf(chosen)
  if (experiment === undefined) return { algorithm: chosen, arm: null, connector: null }
  const arm = { experimentId: chosen.id, arm: armOf(chosen.id, experiment, paymentId ?? '') }
  const { algorithmId } = planOf(experiment, arm.arm)
  if (algorithmId === SUCCESS_RATE_ROUTING) {
    const [connector] = fallback
    return connector === undefined ? { code: 'NO_FALLBACK_FOR_ARM' } : { algorithm: chosen, arm, connector }
  }
  const algorithm = algorithmById(state, algorithmId)
  return algorithm === undefined ? { code: 'ARM_ALGORITHM_NOT_FOUND', algorithmId } : { algorithm, arm, connector: null }
}

/** The answer of an arm that routes by success rates. */
export const fallbackEvaluation = (connector: ConnectorReference): Evaluation => ({
  status: 'SUCCESS',
  ruleName: null,
  label: null,
  output: { form: 'single', connector },
  evaluated: [connector],
  eligible: [connector],
  drawnSlot: null,
})

const LABELS: Readonly<Record<StoredAlgorithm['kind'], string | null>> = {
  SINGLE: 'straight_through',
  PRIORITY: 'priority',
  VOLUME_SPLIT: 'volume_split',
  ADVANCED: null,
  AB_TEST: SUCCESS_RATE_ROUTING,
  UNKNOWN: null,
}

/** The name under which audits list an evaluation: that of the arm, but of a program the rule that matched. */
export const labelOf = ({ algorithm, arm }: Answering, { label }: Evaluation): string | null => {
  const name = LABELS[algorithm.kind]
  return arm === null || name === null ? label : `ab_test_${arm.arm.toLowerCase()}_${name}`
}

/** What the event says of the algorithm's kind: an arm without an algorithm answers like a single connector. */
export const recordedKind = ({ kind }: StoredAlgorithm): RuleEvaluated['data']['kind'] => (kind === 'AB_TEST' ? 'SINGLE' : kind)
