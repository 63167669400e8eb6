import { EVENT_CATALOGUE, type EventCodec, type SwitchyardEvent } from '@switchyard/events'
import { assert, type EventLog, type NewId, type NewRecord, OperatingError, type Position, type Slice } from '@switchyard/kernel'
import { COMMAND_APPEND_MAX_MS, COMMAND_ATTEMPTS_MAX } from './limits.ts'
import type { RequestTraces } from './request-traces.ts'
import { aggregateOf, eventIdsOf } from './stream-fold.ts'
import type { VersionedStates } from './stream-states.ts'
import { systemTimers, type Timers, within } from './timers.ts'
import { createTurns } from './turns.ts'

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
  /** Which life of what has the key it is for, whoever sends it. Absent: the one as the command comes; of the admin's, whichever there is by then. */
  readonly life?: number
}

/** What became of a command. `position` is undefined when nothing had to be recorded. `CONFLICT`: others were faster several times in a row. */
export type CommandOutcome<State, Rejection> =
  | { readonly accepted: true; readonly state: State; readonly position: Position | undefined }
  | { readonly accepted: false; readonly rejection: Rejection | { readonly code: 'CONFLICT' } }

/**
 * The only place where log and decider meet: read the state (read index), decide, append with the versions read, wait for
 * the own fold to pass that position, see whether it took effect, else decide again (a few times). What was sent to a merchant that
 * was closed and registered again before its turn came is none of the new one's: a conflict.
 *
 * Rejects with the log's {@link OperatingError} (an answer 503). After `LOG_UNAVAILABLE` and `POSITION_NOT_REACHED` the
 * events may nevertheless stand in the log and take effect: the caller reads the state, or sends the command again, and
 * it is decided on what stands.
 */
export type HandleCommand = <Command, State, Event extends { readonly type: string }, Rejection>(
  slice: Slice<Command, State, Event, Rejection>,
  request: CommandRequest<Command>,
) => Promise<CommandOutcome<State, Rejection>>

/** What {@link createCommandHandler} needs. */
export interface CommandHandlerDependencies {
  readonly log: EventLog
  readonly codec: EventCodec
  readonly states: VersionedStates
  readonly newId: NewId
  /** How often whatever has this key has begun, as a merchant does that is registered, and registered again; absent: nothing does. */
  readonly lifeOf?: (key: string) => number
  /** The trace that a request is part of. */
  readonly traceOf?: RequestTraces['of']
  readonly timers?: Timers
}

const isSwitchyardEvent = <Event extends { readonly type: string }>(event: Event): event is Event & SwitchyardEvent =>
  Object.hasOwn(EVENT_CATALOGUE, event.type)

const catalogued = (events: readonly { readonly type: string }[]): readonly SwitchyardEvent[] =>
  events.map((event) => {
    assert(isSwitchyardEvent(event), `${event.type} is not an event of the catalogue`)
    return event
  })

const slow = (): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', `the log did not take the events in ${COMMAND_APPEND_MAX_MS} ms`, { retryable: true })

/**
 * The deployment's admin acts for whatever has a key by then; everybody else was let in for what had it when the command came, which may
 * have begun where this process has not heard of it yet.
 */
const isForAnyLife = ({ origin: { actor }, life: told }: CommandRequest<unknown>, life: number): boolean =>
  life === 0 || (actor === 'admin' && told === undefined)

const CONFLICT = { accepted: false, rejection: { code: 'CONFLICT' } } as const

/** Makes the records of a command's events. */
const createRecordsOf = ({ codec, states, newId, traceOf }: CommandHandlerDependencies) => {
  /** Each event expects the version that its predecessors of the same command leave behind. */
  const versionsOf = (key: string, events: readonly SwitchyardEvent[]): readonly number[] => {
    const versions = new Map<string, number>()
    return events.map((event) => {
      const aggregate = aggregateOf(event)
      const version = versions.get(aggregate) ?? states.versionOf(key, aggregate)
      versions.set(aggregate, version + 1)
      return version
    })
  }

  return (
    conflicts: 'by-version' | 'commute',
    { key, origin }: CommandRequest<unknown>,
    events: readonly SwitchyardEvent[],
  ): readonly NewRecord[] => {
    const ids = eventIdsOf(newId(), events.length)
    const versions = conflicts === 'by-version' ? versionsOf(key, events) : []
    const trace = traceOf?.(origin.requestId)
    return events.map((event, index) => {
      const expectedVersion = versions[index]
      const { subject: type } = EVENT_CATALOGUE[event.type]
      const headers = { id: ids[index] ?? newId(), type, correlation: origin.requestId, actor: origin.actor, ...trace }
      return { key, value: codec.encode(event), headers: expectedVersion === undefined ? headers : { ...headers, expectedVersion } }
    })
  }
}

/** {@link HandleCommand} over one log and the states that follow it. */
export const createCommandHandler = (dependencies: CommandHandlerDependencies): HandleCommand => {
  const { log, states, lifeOf = () => 0, timers = systemTimers } = dependencies
  const takeTurn = createTurns()
  const recordsOf = createRecordsOf(dependencies)

  /** Appends and waits for the fold; the position when the records took effect, undefined when others were faster. */
  const record = async (records: readonly NewRecord[]): Promise<Position | undefined> => {
    const watch = states.watch(records.map(({ headers }) => headers.id))
    try {
      const positions = await within(timers, log.append('config', records), COMMAND_APPEND_MAX_MS, slow)
      const position = positions.at(-1)
      assert(position !== undefined, 'the log gives a position for each record')
      await states.waitFor(position)
      return watch.tookEffect() ? position : undefined
    } finally {
      watch.release()
    }
  }

  const decide = async <Command, State, Event extends { readonly type: string }, Rejection>(
    slice: Slice<Command, State, Event, Rejection>,
    request: CommandRequest<Command>,
    isMeant: () => boolean,
  ): Promise<CommandOutcome<State, Rejection>> => {
    for (let attempt = 0; attempt < COMMAND_ATTEMPTS_MAX; attempt++) {
      await states.readIndex(request.key)
      const state = states.stateOf(slice, request.key)
      const decision = slice.decide(request.command, state)
      if (!decision.accepted) return decision
      if (!isMeant()) return CONFLICT
      if (decision.events.length === 0) return { accepted: true, state, position: undefined }
      const position = await record(recordsOf(slice.conflicts, request, catalogued(decision.events)))
      if (position !== undefined) return { accepted: true, state: states.stateOf(slice, request.key), position }
    }
    return CONFLICT
  }

  return async (slice, request) => {
    const { key, life = lifeOf(key) } = request
    const isMeant = (): boolean => isForAnyLife(request, life) || lifeOf(key) === life
    return slice.conflicts === 'commute'
      ? await decide(slice, request, isMeant)
      : ((await takeTurn(key, async () => await decide(slice, request, isMeant))) ?? CONFLICT)
  }
}
