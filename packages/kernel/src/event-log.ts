import type { Position, Positions } from './position.ts'
import type { RequestTrace } from './request-trace.ts'

/** The topics of the system (ARCHITECTURE.md, 2). The key of a record is the merchant id, for accounts of people the user id. */
export type Topic = 'config' | 'payments' | 'webhooks' | 'costs'
export const TOPICS: readonly Topic[] = ['config', 'payments', 'webhooks', 'costs']

/** What travels beside the body of a record; the trace is that of the request that led to it. A text is at most {@link RECORD_TEXT_BYTES_MAX} bytes long. */
export interface RecordHeaders extends RequestTrace {
  /** Unique id of the event. */
  readonly id: string
  /** Full name of the event's schema, for example `switchyard.config.FeatureEnabled`. */
  readonly type: string
  /** Request id that led to the event. */
  readonly correlation?: string
  /** Who caused it: `user:<id>`, `key:<id>` or `admin`. */
  readonly actor?: string
  /**
   * Version of the aggregate that the event was decided on, at most {@link EXPECTED_VERSION_MAX}; with another version the
   * event has no effect (law 5).
   */
  readonly expectedVersion?: number
  /** Of records of an inbox only, as it was sent: under one key a record has its effect once. The log does not keep it. */
  readonly idempotencyKey?: string
}

/** A record to append. `value` is the framed Avro body; the key is bound as the headers are. */
export interface NewRecord {
  readonly key: string
  readonly value: Uint8Array
  readonly headers: RecordHeaders
  /**
   * What `value` encodes, or the part of it that tails look at, where the appender has it at hand. It is never stored: a tail of the
   * same handle may get it and save itself the decoding, every other reader has the bytes alone. Must not change any more.
   */
  readonly event?: object
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
  /**
   * Starts behind these positions. A partition that is absent starts at the first record that is kept; {@link BEFORE_FIRST}
   * asks for the first record there ever was, and fails with `LOG_TRUNCATED` once that is gone.
   */
  readonly from: Positions
  /**
   * Gets the records of one partition in order, each exactly once for this subscription. The next batch waits until the
   * returned promise resolves (back-pressure).
   */
  readonly handle: (records: readonly LogRecord[]) => Promise<void> | void
  /**
   * Called once when the tail can't go on; the tail has stopped then. The handler threw, the log is gone (`LOG_LOST`), was
   * closed before the call (`LOG_CLOSED`), or does not have `from` (`LOG_TRUNCATED`: forgotten, behind its end, or of no partition of it).
   * A tail that is stopped, or running when the log is closed, ends without it.
   */
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
   * `LOG_UNAVAILABLE` some of the records may nevertheless stand in the log. Takes the bytes as they are at the call.
   */
  readonly append: (topic: Topic, records: readonly NewRecord[]) => Promise<readonly Position[]>
  /**
   * Reads from behind `from` (as {@link SubscribeOptions.from}, with the same `LOG_TRUNCATED`) to the end as it was when the
   * call was made, in batches of one partition each, then finishes.
   */
  readonly read: (topic: Topic, from: Positions) => AsyncIterable<readonly LogRecord[]>
  /** Tails the topic for ever. */
  readonly subscribe: (options: SubscribeOptions) => Subscription
  /** Position of the last record in the partition of this key; offset {@link BEFORE_FIRST} when it is empty. */
  readonly endPosition: (topic: Topic, key: string) => Promise<Position>
  /** Positions of the last records of all partitions; every partition is named, also the empty ones. */
  readonly endPositions: (topic: Topic) => Promise<Positions>
  /** Waits for the appends under way, then stops the tails. Later calls end with `LOG_CLOSED`; closing twice is no mistake. */
  readonly close: () => Promise<void>
}
