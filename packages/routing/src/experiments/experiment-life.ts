import type { RoutingAlgorithms, StoredAlgorithm } from '../algorithms/stored-algorithm.ts'
import type { Arm, ExperimentEnding, ExperimentLife } from './experiment.ts'

const withLife = (
  state: RoutingAlgorithms,
  algorithmId: string,
  lifeOf: (stored: StoredAlgorithm) => ExperimentLife | undefined,
): RoutingAlgorithms => ({
  ...state,
  algorithms: state.algorithms.map((stored) => {
    const life = stored.id === algorithmId && stored.kind === 'AB_TEST' ? lifeOf(stored) : undefined
    return life === undefined ? stored : { ...stored, life }
  }),
})

/** The state after an algorithm that was live is not any more; says so of an experiment. */
export const afterEnd = (state: RoutingAlgorithms, algorithmId: string, ending: ExperimentEnding, at: number): RoutingAlgorithms => ({
  ...withLife(state, algorithmId, ({ life }) => life && { ...life, endedAt: at, ending, promotedArm: null }),
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

/**
 * The state after an arm of an experiment went live; `promotedId` is null when it routes by success rates. An experiment that was over
 * before ended when it did, and as it did.
 */
export const afterPromotion = (
  state: RoutingAlgorithms,
  experiment: Pick<StoredAlgorithm, 'purpose' | 'id'>,
  { arm, promotedId, at }: { readonly arm: Arm | null; readonly promotedId: string | null; readonly at: number },
): RoutingAlgorithms => {
  const { purpose, id } = experiment
  const before = state.active.find((entry) => entry.purpose === purpose)?.algorithmId
  const vacated = before === undefined ? state : afterEnd(state, before, before === id ? 'PROMOTED' : 'REPLACED', at)
  const over = withLife(vacated, id, ({ life }) => life && { ...life, promotedArm: arm })
  return promotedId === null ? over : afterStart(over, { purpose, id: promotedId }, at)
}
