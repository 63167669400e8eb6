import type { RoutingAlgorithms, StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import { experimentOf } from './decide-experiment.ts'
import { type Arm, type ExperimentEnding, type ExperimentLife, isArrangedAs } from './experiment.ts'

const withLife = (
  state: RoutingAlgorithms,
  algorithmId: string,
  lifeOf: (stored: StoredAlgorithm) => ExperimentLife,
): RoutingAlgorithms => ({
  ...state,
  algorithms: state.algorithms.map((stored) =>
    stored.id === algorithmId && stored.kind === 'AB_TEST' ? { ...stored, life: lifeOf(stored) } : stored,
  ),
})

const ended = (
  { life }: StoredAlgorithm,
  end: { readonly at: number; readonly ending: ExperimentEnding; readonly arm: Arm | null },
): ExperimentLife => ({ startedAt: life?.startedAt ?? null, endedAt: end.at, ending: end.ending, promotedArm: end.arm })

/** A revised algorithm; says so of an experiment that compares other things, or by another split, from now on. */
export const afterRevision = (before: StoredAlgorithm, revised: StoredAlgorithm): StoredAlgorithm => {
  const [old, current] = [experimentOf(before), experimentOf(revised)]
  if (current === undefined || (old !== undefined && isArrangedAs(old, current))) return revised
  return { ...revised, rearrangedAt: revised.modifiedAt }
}

/** The state after an algorithm that was live is not any more; says so of an experiment. */
export const afterEnd = (state: RoutingAlgorithms, algorithmId: string, ending: ExperimentEnding, at: number): RoutingAlgorithms => ({
  ...withLife(state, algorithmId, (stored) => ended(stored, { at, ending, arm: null })),
  active: state.active.filter((entry) => entry.algorithmId !== algorithmId),
})

/** The state after an algorithm went live for a purpose in place of the one before it. */
export const afterStart = (
  state: RoutingAlgorithms,
  { purpose, id }: Pick<StoredAlgorithm, 'purpose' | 'id'>,
  at: number,
): RoutingAlgorithms => {
  const before = state.active.find((entry) => entry.purpose === purpose)
  const vacated = before === undefined || before.algorithmId === id ? state : afterEnd(state, before.algorithmId, 'REPLACED', at)
  const started = withLife(vacated, id, () => ({ startedAt: at, endedAt: null, ending: null, promotedArm: null }))
  return { ...started, active: [...started.active.filter((entry) => entry.purpose !== purpose), { purpose, algorithmId: id }] }
}

/** The state after an arm of an experiment went live; `promotedId` is null when it routes by success rates. */
export const afterPromotion = (
  state: RoutingAlgorithms,
  experiment: Pick<StoredAlgorithm, 'purpose' | 'id'>,
  { arm, promotedId, at }: { readonly arm: Arm | null; readonly promotedId: string | null; readonly at: number },
): RoutingAlgorithms => {
  const { purpose } = experiment
  const before = state.active.find((entry) => entry.purpose === purpose)
  const vacated = before === undefined ? state : afterEnd(state, before.algorithmId, 'REPLACED', at)
  const over = withLife(vacated, experiment.id, (stored) => ended(stored, { at, ending: 'PROMOTED', arm }))
  return promotedId === null ? over : afterStart(over, { purpose, id: promotedId }, at)
}
