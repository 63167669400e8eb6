import type { ExperimentAssignment, ExperimentExclusion } from '@switchyard/events'
import { unitInterval } from '@switchyard/kernel'
import type { RuleEvaluator } from '../algorithms/rule-evaluator.ts'
import { activePaymentAlgorithm, algorithmById, type RoutingAlgorithms, type StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import { type AlgorithmAnswer, answerOfAlgorithm, type RoutedPayment } from '../decide/active-algorithm.ts'
import type { PriorityPlan } from '../decide/decision.ts'
import { namedCandidates } from '../decide/priority-plan.ts'
import { experimentOf } from './decide-experiment.ts'
import { type Arm, type Experiment, planOf, SUCCESS_RATE_ROUTING } from './experiment.ts'

/** An experiment that runs, and the algorithms that its arms name. */
export interface LiveExperiment {
  readonly id: string
  readonly experiment: Experiment
  readonly algorithms: RoutingAlgorithms
}

/** States never change, they are replaced: what is derived from one is kept as long as it lives. */
const live = new WeakMap<RoutingAlgorithms, LiveExperiment | null>()

const liveIn = (algorithms: RoutingAlgorithms): LiveExperiment | null => {
  const stored = activePaymentAlgorithm(algorithms)
  const experiment = stored && experimentOf(stored)
  return stored === undefined || experiment === undefined ? null : { id: stored.id, experiment, algorithms }
}

/** The live experiment of a merchant's payments, if that is what its live algorithm is. */
const liveExperiment = (algorithms: RoutingAlgorithms): LiveExperiment | undefined => {
  const known = live.get(algorithms)
  if (known !== undefined) return known ?? undefined
  const found = liveIn(algorithms)
  live.set(algorithms, found)
  return found ?? undefined
}

/**
 * The arm that a payment falls into: a well-mixed hash of experiment and payment (analytics.md 6.2 "Ours"), so that a retry
 * stays in its arm, experiments are independent of each other, and a larger split only ever moves payments to the variant.
 */
export const armOf = (experimentId: string, { variantSplitPercent }: Pick<Experiment, 'variantSplitPercent'>, paymentId: string): Arm =>
  unitInterval(experimentId, paymentId) * 100 < variantSplitPercent ? 'VARIANT' : 'CONTROL'

/** The part of a payment in a live experiment. */
export const assignmentOf = ({ id, experiment }: LiveExperiment, paymentId: string): ExperimentAssignment => {
  const arm = armOf(id, experiment, paymentId)
  const { algorithmId, overrides } = planOf(experiment, arm)
  const isSuccessRate = algorithmId === SUCCESS_RATE_ROUTING
  return {
    experimentId: id,
    arm,
    algorithmId: isSuccessRate ? null : algorithmId,
    overrides: isSuccessRate ? overrides : null,
    exclusion: null,
  }
}

const STATIC_TAGS: Readonly<Record<StoredAlgorithm['kind'], string | null>> = {
  SINGLE: 'ab_test_static_single',
  PRIORITY: 'ab_test_static_priority',
  VOLUME_SPLIT: 'ab_test_static_volume_split',
  ADVANCED: 'ab_test_rule_based',
  AB_TEST: null,
  UNKNOWN: null,
}

/** The gateways that the algorithm of an arm gives a payment, or why it gives none. */
type ArmResult = { readonly plan: PriorityPlan } | { readonly exclusion: Exclude<ExperimentExclusion, 'UNKNOWN'> }

const armPlan = (stored: StoredAlgorithm, { gateways, ruleName }: AlgorithmAnswer, candidates: readonly string[]): ArmResult => {
  const named = namedCandidates(gateways, candidates)
  if (named.length === 0) return { exclusion: 'NO_CANDIDATE' }
  const tag = ruleName ?? STATIC_TAGS[stored.kind]
  return { plan: { gateways: named, tag, algorithmId: stored.id, run: { name: tag, failure: null } } }
}

/** What a decision asks about experiments. */
export interface ExperimentSources {
  readonly live: (merchantId: string) => LiveExperiment | undefined
  /** The candidates that the arm's algorithm names, best first (analytics.md 6.3 "Ours": only candidates are ever chosen). */
  readonly byAlgorithm: (
    live: LiveExperiment,
    algorithmId: string,
    payment: RoutedPayment & { readonly candidates: readonly string[] },
  ) => ArmResult
}

/** Experiments of merchants whose algorithms are `algorithmsOf`. */
export const createExperimentSources = (
  evaluator: RuleEvaluator,
  algorithmsOf: (merchantId: string) => RoutingAlgorithms,
): ExperimentSources => ({
  live: (merchantId) => liveExperiment(algorithmsOf(merchantId)),
  byAlgorithm: ({ algorithms }, algorithmId, payment) => {
    const stored = algorithmById(algorithms, algorithmId)
    if (stored === undefined) return { exclusion: 'ALGORITHM_MISSING' }
    const answer = answerOfAlgorithm(evaluator, stored, payment)
    return answer === undefined ? { exclusion: 'ALGORITHM_FAILED' } : armPlan(stored, answer, payment.candidates)
  },
})
