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
  /** Stores the state as of `positions`; `if-due` leaves it to the fold when. */
  readonly persist: (positions: Positions, when: 'if-due' | 'now') => Promise<void>
}

/** What document projections get: the event, and what it did. */
export interface RecordedEvent<Event, Effects> {
  readonly event: Event
  readonly effects: Effects
  readonly position: Position
  readonly eventId: string
  /** Who caused it, and with which request, as its headers say; null where they say nothing. */
  readonly actor: string | null
  readonly requestId: string | null
  /** Of that request. */
  readonly trace: RequestTrace
}
