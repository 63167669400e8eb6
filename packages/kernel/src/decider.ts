/** Business rules of one stream as pure functions: no clock, no I/O, no randomness. */
export interface Decider<Command, State, Event, Rejection> {
  readonly initialState: State
  readonly decide: (command: Command, state: State) => Decision<Event, Rejection>
  readonly evolve: (state: State, event: Event) => State
}

/** Accepted with zero or more events, or rejected with a reason the caller can act on. */
export type Decision<Event, Rejection> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/** Accepts a command; no event means that nothing had to change. */
export const accept = <Event>(...events: readonly Event[]): Decision<Event, never> => ({ accepted: true, events })

/** Rejects a command: an expected answer, not an exception. */
export const reject = <Rejection>(rejection: Rejection): Decision<never, Rejection> => ({ accepted: false, rejection })

/**
 * A decider with what the runtime needs to know of it. One key of the topic `config` (a merchant, a user) carries the
 * states of several slices side by side. States are plain JSON: they are stored and loaded as documents.
 */
export interface Slice<Command, State, Event extends { readonly type: string }, Rejection>
  extends Decider<Command, State, Event, Rejection> {
  /** Never changes: stored documents name the slice's state by it. */
  readonly name: string
  /** Raised when `evolve` or the state changes: states that an earlier version stored are left alone, and the log is replayed. */
  readonly version: number
  /** Events that `evolve` folds; all others of the key pass by. */
  readonly folds: readonly Event['type'][]
  /** `by-version`: events carry the version they were decided on, a race is settled by the log (law 5). `commute`: order does not matter. */
  readonly conflicts: 'by-version' | 'commute'
}
