import type { LogRecord, Position, Positions, RequestTrace } from '@switchyard/kernel'

/**
 * The state of a topic that a projector keeps in memory and stores with its positions: what an event did depends on what
 * came before it. One writer; `apply` is never called while `persist` runs.
 */
export interface TopicFold<Event, Effects> {
  /** Loads what was stored of the partitions wanted; the log is read from behind these positions. */
  readonly restore: (isWanted: (partition: number) => boolean) => Promise<Positions>
  /** Throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
  readonly decode: (value: Uint8Array) => Event
  /** What the event did; undefined when it had no effect, or when the state and all documents include it already. */
  readonly apply: (record: LogRecord, event: Event) => Effects | undefined
  /** Stores the state as of `positions`; all but `now` leave it to the fold whether. */
  readonly persist: (positions: Positions, when: PersistWhen) => Promise<void>
  /** How long what {@link persist} left may wait for the next call, milliseconds; undefined when nothing was left. Absent: it leaves nothing. */
  readonly leftForMs?: () => number | undefined
}

/** On the way; at the end of the log, where there is time for what took too much of it on the way; before it is too late. */
export type PersistWhen = 'if-due' | 'caught-up' | 'now'

/** What document projections get: the event, and what it did. */
export interface RecordedEvent<Event, Effects> {
  readonly event: Event
  readonly effects: Effects
  readonly position: Position
  /** Of its record. */
  readonly bytes: number
  readonly eventId: string
  /** Who caused it, and with which request, as its headers say; null where they say nothing. */
  readonly actor: string | null
  readonly requestId: string | null
  /** Of that request. */
  readonly trace: RequestTrace
}
