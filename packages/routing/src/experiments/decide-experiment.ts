import type { ExperimentArmPromoted, ExperimentOverrides, ExperimentStopped } from '@switchyard/events'
import { accept, type Decision, reject } from '@switchyard/kernel'
import { parseDefinition } from '../algorithms/definition.ts'
import { algorithmById, isActive, type KnownPurpose, type RoutingAlgorithms, type StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import { type Arm, type ArmPlan, type Experiment, planOf, refersTo, SUCCESS_RATE_ROUTING } from './experiment.ts'
import { armProblems, armsProblems, type ExperimentProblem, type KindOfAlgorithm } from './experiment-problems.ts'

/** What shows that a variant loses more approvals than allowed; rates in percentage points. */
export type GuardrailBreach = Pick<
  ExperimentStopped['data'],
  'gainAtMostPp' | 'controlResolvedCount' | 'controlSuccessCount' | 'variantResolvedCount' | 'variantSuccessCount'
>

/** What can be done with a stored experiment beside switching it on and off. */
export type ExperimentCommand =
  | {
      readonly type: 'PromoteExperimentArm'
      readonly merchantId: string
      readonly algorithmId: string
      readonly arm: Arm
      readonly at: number
    }
  | {
      readonly type: 'StopExperiment'
      readonly merchantId: string
      readonly algorithmId: string
      /** When the run began that the breach was found in, epoch milliseconds: one that was started since goes on. */
      readonly startedAt: number
      readonly breach: GuardrailBreach
      readonly at: number
    }

/** Why that is refused. */
export type ExperimentRejection =
  | { readonly code: 'NOT_AN_EXPERIMENT' | 'ALGORITHM_NOT_FOUND'; readonly algorithmId: string }
  | { readonly code: 'ALGORITHM_IN_EXPERIMENT'; readonly algorithmId: string; readonly experimentId: string }
  | { readonly code: 'ALGORITHM_INVALID'; readonly problems: readonly ExperimentProblem[]; readonly conditions: readonly [] }

/** The experiment that a stored algorithm is; undefined for others. */
export const experimentOf = ({ kind, definition }: StoredAlgorithm): Experiment | undefined => {
  if (kind !== 'AB_TEST') return undefined
  const algorithm = parseDefinition(kind, definition)
  return algorithm.kind === 'AB_TEST' ? algorithm.experiment : undefined
}

/** When the newest run of an experiment began, epoch milliseconds; 0 before the first. */
export const startOf = ({ life }: StoredAlgorithm): number => life?.startedAt ?? 0

/** What is known of a merchant's algorithms for a purpose: one for another purpose would go live for this one. */
export const kindIn =
  (state: RoutingAlgorithms, purpose: KnownPurpose): KindOfAlgorithm =>
  (algorithmId) => {
    const stored = algorithmById(state, algorithmId)
    return stored?.purpose === purpose ? stored.kind : undefined
  }

/** The live experiment that compares this algorithm: until it ends the algorithm stays as it is (rules.md Q9). */
export const experimentWith = (state: RoutingAlgorithms, algorithmId: string): string | undefined =>
  state.active
    .map((entry) => algorithmById(state, entry.algorithmId))
    .find((stored) => {
      const experiment = stored && experimentOf(stored)
      return experiment !== undefined && refersTo(experiment, algorithmId)
    })?.id

/** What keeps an experiment from going live: its arms may have gone since it was stored. */
export const startProblems = (stored: StoredAlgorithm, state: RoutingAlgorithms): readonly ExperimentProblem[] => {
  const experiment = experimentOf(stored)
  return experiment === undefined ? [] : armsProblems(experiment, kindIn(state, stored.purpose))
}

/** The settings that become the merchant's when an arm goes live: those of success rates, which decide payments and nothing else. */
export const promotedOverrides = ({ algorithmId, overrides }: ArmPlan, purpose: KnownPurpose): ExperimentOverrides | null =>
  algorithmId === SUCCESS_RATE_ROUTING && purpose === 'PAYMENT' ? overrides : null

/** Decides about an experiment that is stored. */
export const decideExperiment = (
  command: ExperimentCommand,
  stored: StoredAlgorithm,
  state: RoutingAlgorithms,
): Decision<ExperimentArmPromoted | ExperimentStopped, ExperimentRejection> => {
  const { merchantId, at } = command
  const { id: algorithmId, purpose } = stored
  const experiment = experimentOf(stored)
  if (experiment === undefined) return reject({ code: 'NOT_AN_EXPERIMENT', algorithmId })
  const isLive = isActive(state, algorithmId)
  if (command.type === 'StopExperiment') {
    const { guardrailThresholdPp } = experiment
    return isLive && startOf(stored) === command.startedAt
      ? accept({ type: 'ExperimentStopped', data: { merchantId, algorithmId, purpose, guardrailThresholdPp, ...command.breach, at } })
      : accept()
  }
  const plan = planOf(experiment, command.arm)
  const { algorithmId: armId } = plan
  const promotedAlgorithmId = armId === SUCCESS_RATE_ROUTING ? null : armId
  const kindOf = kindIn(state, purpose)
  if (promotedAlgorithmId !== null && kindOf(promotedAlgorithmId) === undefined) {
    return reject({ code: 'ALGORITHM_NOT_FOUND', algorithmId: promotedAlgorithmId })
  }
  const problems = armProblems(command.arm === 'CONTROL' ? 'controlAlgorithmId' : 'variantAlgorithmId', plan, kindOf)
  if (problems.length > 0) return reject({ code: 'ALGORITHM_INVALID', problems, conditions: [] })
  const data = {
    merchantId,
    algorithmId,
    purpose,
    arm: command.arm,
    promotedAlgorithmId,
    overrides: promotedOverrides(plan, purpose),
    at,
  }
  return accept({ type: 'ExperimentArmPromoted', data })
}
