import type {
  ExperimentArmPromoted,
  ExperimentStopped,
  RoutingAlgorithmActivated,
  RoutingAlgorithmDeactivated,
  RoutingAlgorithmDiscarded,
  RoutingAlgorithmDrafted,
  RoutingAlgorithmRevised,
} from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import {
  decideExperiment,
  type ExperimentCommand,
  type ExperimentRejection,
  experimentWith,
  kindIn,
  startProblems,
} from '../experiments/decide-experiment.ts'
import { afterEnd, afterPromotion, afterRevision, afterStart } from '../experiments/experiment-life.ts'
import { experimentProblems } from '../experiments/experiment-problems.ts'
import type { MerchantLife } from '../merchant-life.ts'
import type { Algorithm } from './algorithm.ts'
import { type AlgorithmProblem, algorithmProblems } from './algorithm-problems.ts'
import type { Catalogue } from './catalogue.ts'
import { type ConditionProblem, conditionProblems } from './condition-problems.ts'
import { definitionBytes, printDefinition } from './definition.ts'
import { ALGORITHM_COUNT_MAX, DEFINITION_BYTES_MAX, DEFINITIONS_BYTES_MAX } from './limits.ts'
import { withListedSpellings } from './listed-spellings.ts'
import { algorithmById, isActive, type KnownPurpose, type RoutingAlgorithms, type StoredAlgorithm } from './stored-algorithm.ts'

/** What can be done with stored algorithms; times in epoch milliseconds. */
export type RoutingAlgorithmsCommand =
  | {
      readonly type: 'DraftRoutingAlgorithm'
      readonly merchantId: string
      readonly algorithmId: string
      readonly name: string
      readonly description: string
      readonly purpose: KnownPurpose
      readonly algorithm: Algorithm
      /** The vocabulary that its conditions are checked against. */
      readonly catalogue: Catalogue
      /** JSON text of the client. */
      readonly metadata: string | null
      readonly at: number
    }
  | {
      readonly type: 'ReviseRoutingAlgorithm'
      readonly merchantId: string
      readonly algorithmId: string
      readonly name: string
      readonly description: string
      readonly algorithm: Algorithm
      /** The vocabulary that its conditions are checked against. */
      readonly catalogue: Catalogue
      readonly at: number
    }
  | {
      readonly type: 'DiscardRoutingAlgorithm' | 'ActivateRoutingAlgorithm' | 'DeactivateRoutingAlgorithm'
      readonly merchantId: string
      readonly algorithmId: string
      readonly at: number
    }
  | ExperimentCommand

/** What the algorithms of a merchant follow from. */
export type RoutingAlgorithmsEvent =
  | MerchantLife
  | RoutingAlgorithmDrafted
  | RoutingAlgorithmRevised
  | RoutingAlgorithmDiscarded
  | RoutingAlgorithmActivated
  | RoutingAlgorithmDeactivated
  | ExperimentArmPromoted
  | ExperimentStopped

/** Why an algorithm is not stored, discarded or switched; `limit` counts algorithms or bytes of their definitions. */
export type RoutingAlgorithmsRejection =
  | MerchantNotFound
  | ExperimentRejection
  | { readonly code: 'ALGORITHM_EXISTS' | 'ALGORITHM_NOT_FOUND' | 'ALGORITHM_ACTIVE'; readonly algorithmId: string }
  | {
      readonly code: 'ALGORITHM_INVALID'
      readonly problems: readonly AlgorithmProblem[]
      readonly conditions: readonly ConditionProblem[]
    }
  | { readonly code: 'TOO_MANY_ALGORITHMS' | 'DEFINITION_TOO_LONG' | 'DEFINITIONS_TOO_LONG'; readonly limit: number }

type OwnEvent = Exclude<RoutingAlgorithmsEvent, MerchantLife>
type OwnRejection = Exclude<RoutingAlgorithmsRejection, MerchantNotFound>
type Decided = Decision<OwnEvent, OwnRejection>
type Command<Type extends RoutingAlgorithmsCommand['type']> = RoutingAlgorithmsCommand & { readonly type: Type }

const initialState: RoutingAlgorithms = { registered: false, algorithms: [], active: [] }

/** What is written of an algorithm, or why it is not. */
type Written = { readonly definition: string } | OwnRejection

/** What an algorithm is for, and the others that it is to join. */
interface Place {
  readonly purpose: KnownPurpose
  readonly state: RoutingAlgorithms
}

/** A program that is over a limit is not looked at any further. */
const conditionProblemsOf = (
  algorithm: Algorithm,
  catalogue: Catalogue,
  problems: readonly AlgorithmProblem[],
): readonly ConditionProblem[] =>
  algorithm.kind !== 'ADVANCED' || problems.some((problem) => 'limit' in problem) ? [] : conditionProblems(catalogue, algorithm.program)

const problemsOf = (algorithm: Algorithm, { purpose, state }: Place): readonly AlgorithmProblem[] =>
  algorithm.kind === 'AB_TEST' ? experimentProblems(algorithm.experiment, kindIn(state, purpose)) : algorithmProblems(algorithm)

/** The definition of an algorithm, in the spellings of the catalogue. */
const write = (algorithm: Algorithm, catalogue: Catalogue, place: Place): Written => {
  const problems = problemsOf(algorithm, place)
  const conditions = conditionProblemsOf(algorithm, catalogue, problems)
  if (problems.length > 0 || conditions.length > 0) return { code: 'ALGORITHM_INVALID', problems, conditions }
  const definition = printDefinition(withListedSpellings(catalogue, algorithm))
  const bytes = definitionBytes(definition)
  if (bytes > DEFINITION_BYTES_MAX) return { code: 'DEFINITION_TOO_LONG', limit: DEFINITION_BYTES_MAX }
  const total = place.state.algorithms.reduce((sum, other) => sum + definitionBytes(other.definition), bytes)
  return total > DEFINITIONS_BYTES_MAX ? { code: 'DEFINITIONS_TOO_LONG', limit: DEFINITIONS_BYTES_MAX } : { definition }
}

const draft = (command: Command<'DraftRoutingAlgorithm'>, state: RoutingAlgorithms): Decided => {
  const { algorithms } = state
  const { merchantId, algorithmId, name, description, purpose, algorithm, catalogue, metadata, at } = command
  if (algorithms.some(({ id }) => id === algorithmId)) return reject({ code: 'ALGORITHM_EXISTS', algorithmId })
  if (algorithms.length >= ALGORITHM_COUNT_MAX) return reject({ code: 'TOO_MANY_ALGORITHMS', limit: ALGORITHM_COUNT_MAX })
  const written = write(algorithm, catalogue, { purpose, state })
  if ('code' in written) return reject(written)
  const data = { merchantId, algorithmId, name, description, purpose, kind: algorithm.kind, ...written, metadata, at }
  return accept({ type: 'RoutingAlgorithmDrafted', data })
}

const revise = (command: Command<'ReviseRoutingAlgorithm'>, { purpose }: StoredAlgorithm, state: RoutingAlgorithms): Decided => {
  const { merchantId, algorithmId, name, description, algorithm, catalogue, at } = command
  const others = state.algorithms.filter(({ id }) => id !== algorithmId)
  const written = write(algorithm, catalogue, { purpose, state: { ...state, algorithms: others } })
  if ('code' in written) return reject(written)
  const data = { merchantId, algorithmId, name, description, kind: algorithm.kind, ...written, at }
  return accept({ type: 'RoutingAlgorithmRevised', data })
}

type CommandOnStored = Exclude<RoutingAlgorithmsCommand, { readonly type: 'DraftRoutingAlgorithm' } | ExperimentCommand>

const decideActive = ({ type, merchantId, at }: CommandOnStored, { id: algorithmId, purpose }: StoredAlgorithm): Decided => {
  switch (type) {
    case 'ReviseRoutingAlgorithm':
    case 'DiscardRoutingAlgorithm':
      return reject({ code: 'ALGORITHM_ACTIVE', algorithmId })
    case 'ActivateRoutingAlgorithm':
      return accept()
    case 'DeactivateRoutingAlgorithm':
      return accept({ type: 'RoutingAlgorithmDeactivated', data: { merchantId, algorithmId, purpose, at } })
    default:
      return assertNever(type)
  }
}

const activate = (command: CommandOnStored, stored: StoredAlgorithm, state: RoutingAlgorithms): Decided => {
  const problems = startProblems(stored, state)
  if (problems.length > 0) return reject({ code: 'ALGORITHM_INVALID', problems, conditions: [] })
  const { merchantId, at } = command
  return accept({ type: 'RoutingAlgorithmActivated', data: { merchantId, algorithmId: stored.id, purpose: stored.purpose, at } })
}

const decideInactive = (command: CommandOnStored, stored: StoredAlgorithm, state: RoutingAlgorithms): Decided => {
  const { merchantId, at } = command
  const { id: algorithmId } = stored
  const isChange = command.type === 'ReviseRoutingAlgorithm' || command.type === 'DiscardRoutingAlgorithm'
  const experimentId = isChange ? experimentWith(state, algorithmId) : undefined
  if (experimentId !== undefined) return reject({ code: 'ALGORITHM_IN_EXPERIMENT', algorithmId, experimentId })
  switch (command.type) {
    case 'ReviseRoutingAlgorithm':
      return revise(command, stored, state)
    case 'DiscardRoutingAlgorithm':
      return accept({ type: 'RoutingAlgorithmDiscarded', data: { merchantId, algorithmId, at } })
    case 'ActivateRoutingAlgorithm':
      return activate(command, stored, state)
    case 'DeactivateRoutingAlgorithm':
      return accept()
    default:
      return assertNever(command)
  }
}

const withRevision = (state: RoutingAlgorithms, { data }: RoutingAlgorithmRevised): RoutingAlgorithms => {
  const { algorithmId, name, description, kind, definition, at } = data
  const revised = { name, description, kind, definition, modifiedAt: at }
  const revisionOf = (stored: StoredAlgorithm): StoredAlgorithm => afterRevision(stored, { ...stored, ...revised })
  return { ...state, algorithms: state.algorithms.map((stored) => (stored.id === algorithmId ? revisionOf(stored) : stored)) }
}

const withActivation = (state: RoutingAlgorithms, { data: { purpose, algorithmId, at } }: RoutingAlgorithmActivated): RoutingAlgorithms =>
  purpose === 'UNKNOWN' ? state : afterStart(state, { purpose, id: algorithmId }, at)

const withPromotion = (state: RoutingAlgorithms, { data }: ExperimentArmPromoted): RoutingAlgorithms => {
  const { purpose, algorithmId: id, arm, promotedAlgorithmId: promotedId, at } = data
  return purpose === 'UNKNOWN' ? state : afterPromotion(state, { purpose, id }, { arm: arm === 'UNKNOWN' ? null : arm, promotedId, at })
}

/** Stored routing algorithms of one merchant, and which one is live for each purpose (rules.md 3). A purpose of a later release is passed over. */
export const routingAlgorithms: Slice<RoutingAlgorithmsCommand, RoutingAlgorithms, RoutingAlgorithmsEvent, RoutingAlgorithmsRejection> = {
  name: 'routing-algorithms',
  version: 4,
  folds: [
    'MerchantRegistered',
    'MerchantClosed',
    'RoutingAlgorithmDrafted',
    'RoutingAlgorithmRevised',
    'RoutingAlgorithmDiscarded',
    'RoutingAlgorithmActivated',
    'RoutingAlgorithmDeactivated',
    'ExperimentArmPromoted',
    'ExperimentStopped',
  ],
  conflicts: 'by-version',
  ...ofMerchant<RoutingAlgorithmsCommand, RoutingAlgorithms, OwnEvent, OwnRejection>({
    initialState,

    decide: (command, state) => {
      if (command.type === 'DraftRoutingAlgorithm') return draft(command, state)
      const stored = algorithmById(state, command.algorithmId)
      if (stored === undefined) return reject({ code: 'ALGORITHM_NOT_FOUND', algorithmId: command.algorithmId })
      if (command.type === 'PromoteExperimentArm' || command.type === 'StopExperiment') return decideExperiment(command, stored, state)
      return isActive(state, stored.id) ? decideActive(command, stored) : decideInactive(command, stored, state)
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'RoutingAlgorithmDrafted': {
          const { algorithmId: id, name, description, purpose, kind, definition, at } = event.data
          if (purpose === 'UNKNOWN') return state
          const drafted = { id, name, description, purpose, kind, definition, createdAt: at, modifiedAt: at }
          return { ...state, algorithms: [...state.algorithms, drafted] }
        }
        case 'RoutingAlgorithmRevised':
          return withRevision(state, event)
        case 'RoutingAlgorithmDiscarded':
          return { ...state, algorithms: state.algorithms.filter(({ id }) => id !== event.data.algorithmId) }
        case 'RoutingAlgorithmActivated':
          return withActivation(state, event)
        case 'RoutingAlgorithmDeactivated':
          return afterEnd(state, event.data.algorithmId, 'DEACTIVATED', event.data.at)
        case 'ExperimentStopped':
          return afterEnd(state, event.data.algorithmId, 'GUARDRAIL', event.data.at)
        case 'ExperimentArmPromoted':
          return withPromotion(state, event)
        default:
          return assertNever(event)
      }
    },
  }),
}
