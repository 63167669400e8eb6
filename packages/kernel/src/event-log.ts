import type { Position, Positions } from './position.ts'

/** The topics of the system (ARCHITECTURE.md, 2). The key of a record is the merchant id, for accounts of people the user id. */
export type Topic = 'config' | 'payments'
export const TOPICS: readonly Topic[] = ['config', 'payments']

/** What travels beside the body of a record. */
export interface RecordHeaders {
  /** Unique id of the event. */
  readonly id: string
  /** Full name of the event's schema, for example `switchyard.config.FeatureEnabled`. */
  readonly type: string
  /** Request id that led to the event. */
  readonly correlation?: string
  /** Who caused it: `user:<id>`, `key:<id>` or `admin`. */
  readonly actor?: string
  /** Version of the aggregate that the event was decided on; with another version the event has no effect (law 5). */
  readonly expectedVersion?: number
}

/** A record to append. `value` is the framed Avro body. */
export interface NewRecord {
  readonly key: string
  readonly value: Uint8Array
  readonly headers: RecordHeaders
}

/** A record as it stands in the log. */
export interface LogRecord extends NewRecord {
  readonly position: Position
}

/** A running tail. */
export interface Subscription {
  /** Stops; resolves when no handler runs any more. */
  readonly stop: () => Promise<void>
}

/** What to tail, and what to do with it. */
export interface SubscribeOptions {
  readonly topic: Topic
  /** Starts behind these positions. */
  readonly from: Positions
  /**
   * Gets the records of one partition in order, each exactly once for this subscription. The next batch waits until the
   * returned promise resolves (back-pressure).
   */
  readonly handle: (records: readonly LogRecord[]) => Promise<void> | void
  /** Called once when the tail can't go on (the handler threw, the log is lost or truncated); the tail has stopped then. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The only truth: an ordered, durable, partitioned log of records (ARCHITECTURE.md, 2). Every method may be slow or
 * reject with an {@link OperatingError}.
 */
export interface EventLog {
  /**
   * Appends all records, or rejects. Resolves when they are durable, with their positions in the same order. Records of
   * one key keep their order, also across concurrent calls in the order of the calls. After a rejection with code
   * `LOG_UNAVAILABLE` some of the records may nevertheless stand in the log.
   */
  readonly append: (topic: Topic, records: readonly NewRecord[]) => Promise<readonly Position[]>
  /** Reads from behind `from` to the end as it was when the call was made, in batches of one partition each, then finishes. */
  readonly read: (topic: Topic, from: Positions) => AsyncIterable<readonly LogRecord[]>
  /** Tails the topic for ever. */
  readonly subscribe: (options: SubscribeOptions) => Subscription
  /** Position of the last record in the partition of this key; offset {@link BEFORE_FIRST} when it is empty. */
  readonly endPosition: (topic: Topic, key: string) => Promise<Position>
  /** Positions of the last records of all partitions; every partition is named, also the empty ones. */
  readonly endPositions: (topic: Topic) => Promise<Positions>
  readonly close: () => Promise<void>
}
