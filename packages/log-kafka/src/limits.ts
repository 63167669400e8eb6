/** Bounds of one handle of the log. Tests shorten some; nobody else needs to. */
export interface KafkaLogLimits {
  /** Records of one request to the broker. */
  readonly batchCountMax: number
  /** A request is closed by the record that reaches this size. */
  readonly batchBytesMax: number
  /** How long the first record of a batch waits for company, milliseconds. */
  readonly lingerMs: number
  /** What may wait for the broker, bytes; appends beyond it are refused with `APPEND_BUFFER_FULL`. */
  readonly pendingBytesMax: number
  /** How long a batch is tried before its appends reject with `LOG_UNAVAILABLE`, milliseconds; longer than a broker restarts. */
  readonly deliveryMaxMs: number
  /** How long a read or a question for the end of the log is tried, milliseconds. */
  readonly readMaxMs: number
  /** How long the brokers may deny a topic, after they knew it, before it counts as lost, milliseconds. */
  readonly topicMissingMaxMs: number
  /** How long closing waits for the appends under way, milliseconds. */
  readonly closeMaxMs: number
}

/** {@link KafkaLogLimits} of a process that was told nothing else. */
export const KAFKA_LOG_LIMITS: KafkaLogLimits = {
  batchCountMax: 1_000,
  batchBytesMax: 512 * 1024,
  lingerMs: 1,
  pendingBytesMax: 64 * 1024 * 1024,
  deliveryMaxMs: 120_000,
  readMaxMs: 10_000,
  topicMissingMaxMs: 5_000,
  closeMaxMs: 5_000,
}

/** How long records of an inbox, and those that were set aside, are kept, milliseconds. */
export const INBOX_RETENTION_MS: number = 7 * 24 * 60 * 60 * 1000
export const DEAD_LETTER_RETENTION_MS: number = 30 * 24 * 60 * 60 * 1000

/** Largest batch of one partition that an inbox takes, bytes: what brokers take by default. */
export const INBOX_BATCH_BYTES_MAX = 1_048_588

/** How long it is tried to note how far a group is, milliseconds; the next batch notes it otherwise. */
export const COMMIT_MAX_MS = 2_000

/** Longest text of a reason beside a record that was set aside, in characters. */
export const REASON_LENGTH_MAX = 1_024

/** Largest record, in bytes of body; the topics allow for it. */
export const RECORD_BYTES_MAX: number = 4 * 1024 * 1024

/** What is appended together is written in one request up to this size, bytes. */
export const WHOLE_APPEND_BYTES_MAX: number = 4 * 1024 * 1024

/** Largest batch of one partition that a topic takes, bytes: a record of {@link RECORD_BYTES_MAX} beside a full batch. */
export const TOPIC_BATCH_BYTES_MAX: number = 8 * 1024 * 1024

/** What one answer to a fetch holds, for all partitions and for one, bytes; a larger record comes alone. */
export const FETCH_BYTES_MAX: number = 1024 * 1024
export const FETCH_PARTITION_BYTES_MAX: number = 256 * 1024

/** How long the broker holds a fetch when there is nothing new, milliseconds; new records answer it at once. */
export const FETCH_WAIT_MAX_MS = 1_000

/** First and longest pause between two attempts, milliseconds. */
export const RETRY_FIRST_MS = 20
export const RETRY_MAX_MS = 500

/** Time for one connection, for its authentication, and for one request, milliseconds. */
export const CONNECT_MAX_MS = 3_000
export const AUTHENTICATION_MAX_MS = 10_000
export const REQUEST_MAX_MS = 10_000

/** How long what is known of topics and brokers is taken for true when nothing fails, milliseconds. */
export const METADATA_AGE_MAX_MS = 300_000

/** How long topics may take to be created, milliseconds. */
export const CREATE_TOPICS_MAX_MS = 30_000

/** Keys whose partition is remembered. */
export const PARTITION_CACHE_COUNT_MAX = 20_000

/** After this silence a member of a group is taken for gone, and how often it shows that it is there, milliseconds. */
export const GROUP_SESSION_MS = 10_000
export const GROUP_HEARTBEAT_MS = 300
