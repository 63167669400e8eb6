import type { Position, Slice } from '@switchyard/kernel'

/** Who and what caused a command; stands in the headers of its events. */
export interface CommandOrigin {
  /** `user:<id>`, `key:<id>`, `admin` or `anonymous`. */
  readonly actor: string
  readonly requestId: string
}

/** A command for one slice of one key. */
export interface CommandRequest<Command> {
  /** Merchant id or user id: the key of the records. */
  readonly key: string
  readonly command: Command
  readonly origin: CommandOrigin
}

/** What became of a command. `position` is undefined when nothing had to be recorded. `CONFLICT`: others were faster several times in a row. */
export type CommandOutcome<State, Rejection> =
  | { readonly accepted: true; readonly state: State; readonly position: Position | undefined }
  | { readonly accepted: false; readonly rejection: Rejection | { readonly code: 'CONFLICT' } }

/**
 * The only place where log and decider meet: read the state (read index), decide, append with the versions read, wait for
 * the own fold to pass that position, see whether it took effect, else decide again (a few times).
 */
export type HandleCommand = <Command, State, Event extends { readonly type: string }, Rejection>(
  slice: Slice<Command, State, Event, Rejection>,
  request: CommandRequest<Command>,
) => Promise<CommandOutcome<State, Rejection>>
