import type { AlgorithmKind, AlgorithmPurpose } from '@switchyard/events'
import type { ExperimentLife } from '../experiments/experiment.ts'

/** Purposes of this release; one that is not known here is never stored, so that it acts as no other. */
export type KnownPurpose = Exclude<AlgorithmPurpose, 'UNKNOWN'>

/** An algorithm as it is stored; times in epoch milliseconds. */
export interface StoredAlgorithm {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly purpose: KnownPurpose
  readonly kind: AlgorithmKind
  /** Text of `printDefinition`. */
  readonly definition: string
  readonly createdAt: number
  readonly modifiedAt: number
  /** Of an experiment that was live at least once. */
  readonly life?: ExperimentLife
  /** Of an experiment whose arms or split were changed: when, for the last time. */
  readonly rearrangedAt?: number
}

/** The live algorithm of a purpose. */
export interface ActiveAlgorithm {
  readonly purpose: KnownPurpose
  readonly algorithmId: string
}

/** Algorithms of one merchant, oldest first. */
export interface RoutingAlgorithms {
  readonly registered: boolean
  readonly algorithms: readonly StoredAlgorithm[]
  readonly active: readonly ActiveAlgorithm[]
}

/** Whether this algorithm is live. */
export const isActive = ({ active }: RoutingAlgorithms, algorithmId: string): boolean =>
  active.some((entry) => entry.algorithmId === algorithmId)

/** The algorithm with this id. */
export const algorithmById = ({ algorithms }: RoutingAlgorithms, algorithmId: string): StoredAlgorithm | undefined =>
  algorithms.find(({ id }) => id === algorithmId)

/** The live algorithm of a purpose. */
export const activeAlgorithm = (state: RoutingAlgorithms, purpose: KnownPurpose): StoredAlgorithm | undefined => {
  const entry = state.active.find((candidate) => candidate.purpose === purpose)
  return entry && algorithmById(state, entry.algorithmId)
}

/** The live algorithm of payments (rules.md 6.3, Q5). */
export const activePaymentAlgorithm = (state: RoutingAlgorithms): StoredAlgorithm | undefined => activeAlgorithm(state, 'PAYMENT')
