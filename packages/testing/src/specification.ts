import { deepStrictEqual } from 'node:assert/strict'
import type { Decider, Decision } from '@switchyard/kernel'

/** What became of the command, in the words of a specification. Each method throws when it is not so. */
export interface Expectation<Event, Rejection> {
  readonly emits: (...events: readonly Event[]) => void
  readonly emitsNothing: () => void
  readonly isRejectedWith: (rejection: Rejection) => void
}

/** The past, then the command. */
export interface Scenario<Command, Event, Rejection> {
  readonly when: (command: Command) => Expectation<Event, Rejection>
}

const expectationOf = <Event, Rejection>(decision: Decision<Event, Rejection>): Expectation<Event, Rejection> => {
  const emits = (...events: readonly Event[]): void => deepStrictEqual(decision, { accepted: true, events })
  return {
    emits,
    emitsNothing: () => emits(),
    isRejectedWith: (rejection) => deepStrictEqual(decision, { accepted: false, rejection }),
  }
}

/** A decider's rules as `given(past).when(command).emits(events)`, `.emitsNothing()` or `.isRejectedWith(rejection)`. */
export const specificationOf =
  <Command, State, Event, Rejection>({
    initialState,
    decide,
    evolve,
  }: Decider<Command, State, Event, Rejection>): ((...past: readonly Event[]) => Scenario<Command, Event, Rejection>) =>
  (...past) => ({
    when: (command) => expectationOf(decide(command, past.reduce(evolve, initialState))),
  })
