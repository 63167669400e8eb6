import type { Position, Slice } from '@switchyard/kernel'

/** The part of a slice that reading its state needs. */
export type StateOf<State> = Pick<Slice<never, State, never, never>, 'name' | 'initialState'>

/**
 * The topic `config`, folded in memory: for each key the states of all slices, and the versions of its aggregates (law 5).
 * One instance a process (a thread) serves command handling and decisions.
 */
export interface StreamStates {
  /** The slice's state for a key; its initial state when nothing was recorded. Same object until it changes. */
  readonly stateOf: <State>(slice: StateOf<State>, key: string) => State
  /** Waits until the fold has included `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly waitFor: (position: Position) => Promise<void>
  /** Linearizable reads (law 6): waits until everything that stands in the key's partition now is folded. Coalesced. */
  readonly readIndex: (key: string) => Promise<void>
  /** {@link readIndex} over all partitions, for look-ups that do not know their key. */
  readonly readIndexOfAll: () => Promise<void>
  /** Calls `listener` for every key whose states changed (and for every key once when it is loaded). */
  readonly onChange: (listener: (key: string) => void) => void
}
