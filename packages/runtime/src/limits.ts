/** How long a reader waits for a position before it is told `POSITION_NOT_REACHED`, milliseconds. */
export const POSITION_WAIT_MAX_MS = 5_000

/** Readers that may wait for positions of one topic at the same time. */
export const POSITION_WAITERS_MAX = 20_000

/** How long a read index waits for the log to name its end, milliseconds. */
export const READ_INDEX_MAX_MS = 5_000

/** How often a command is decided before it is answered with CONFLICT. */
export const COMMAND_ATTEMPTS_MAX = 5

/** How long a command waits for the log to take its events before `LOG_UNAVAILABLE`, milliseconds; they may come to stand in it later. */
export const COMMAND_APPEND_MAX_MS = 5_000

/** Commands of one key that may wait for their turn in this process. */
export const COMMANDS_WAITING_PER_KEY_MAX = 256

/**
 * Aggregates of one kind under one key whose versions are remembered, the newest: more than can be open at a time. What
 * is recorded of one that was forgotten counts from 0 again, so that a larger number may follow, but no smaller one.
 */
export const VERSIONS_PER_KIND_MAX = 10_000

/** Records whose effect is being watched at the same time. */
export const WATCHED_RECORDS_MAX = 20_000

/** Records of a replay after which it stores how far it has come, whether or not many documents have changed. */
export const REPLAY_FLUSH_RECORDS = 20_000

/** Documents of one page when states are loaded at start. */
export const LOAD_PAGE_COUNT = 500

/** Collections whose documents are looked up at the same time. */
export const LOADS_AT_ONCE_MAX = 8

/** Documents of one write to the store. */
export const WRITE_BATCH_COUNT_MAX = 500

/** Such writes that are under way at the same time: an engine that flushes to disk does it once for all that wait. */
export const WRITE_BATCHES_AT_ONCE_MAX = 16

/** Traces that a process remembers for requests whose events are still to be written. */
export const REMEMBERED_TRACE_COUNT_MAX = 10_000

/** Bounds of the way of payment events into the log. */
export interface AppenderLimits {
  /** Decisions that may wait; beyond it the oldest is dropped. */
  readonly lossyCountMax: number
  /** Bytes that they may take, beyond which the oldest is dropped, too: one between a hundred gateways takes as much as a hundred others. */
  readonly lossyBytesMax: number
  /** Acknowledged events that may wait; beyond it they are refused with `APPEND_BUFFER_FULL`. */
  readonly awaitedCountMax: number
  /** A batch is closed by what reaches it: events that were appended together stay together. */
  readonly batchCountMax: number
  /** As {@link batchCountMax}. */
  readonly batchBytesMax: number
  /** How long a decision waits for company, milliseconds. */
  readonly lingerMs: number
  /** How long an acknowledged event waits for the log before `LOG_UNAVAILABLE`, milliseconds. */
  readonly awaitedMaxMs: number
  /** How long closing may flush, milliseconds. */
  readonly closeMaxMs: number
}

/** {@link AppenderLimits} of a process that was told nothing else. */
export const APPENDER_LIMITS: AppenderLimits = {
  lossyCountMax: 40_000,
  lossyBytesMax: 256 * 1024 * 1024,
  awaitedCountMax: 10_000,
  batchCountMax: 1_000,
  batchBytesMax: 512 * 1024,
  lingerMs: 5,
  awaitedMaxMs: 5_000,
  closeMaxMs: 5_000,
}

/** Bounds of a projector. */
export interface ProjectorLimits {
  /** Records that are folded before their documents are loaded together. */
  readonly sliceCountMax: number
  /** Changed documents that are held before a flush. */
  readonly dirtyCountMax: number
  /** Unchanged documents that are kept for the next events. */
  readonly cachedCountMax: number
  /** Memory that they take at most, about, bytes. */
  readonly cachedBytesMax: number
  /** How long a change waits for a flush, milliseconds. */
  readonly flushDelayMs: number
  /** How long it waits when somebody waits for it to be stored, milliseconds. */
  readonly awaitedFlushDelayMs: number
  /** How long it waits for company after fewer than `sliceCountMax` records, milliseconds: small batches cost several times as much. */
  readonly gatherMs: number
}

/** Records that changed a document take at least this before its memory is looked at, bytes: below that, documents are bounded by their number. */
export const SMALL_DOCUMENT_BYTES = 1024

/** {@link ProjectorLimits} of a process that was told nothing else. */
export const PROJECTOR_LIMITS: ProjectorLimits = {
  sliceCountMax: 500,
  dirtyCountMax: 10_000,
  cachedCountMax: 20_000,
  cachedBytesMax: 128 * 1024 * 1024,
  flushDelayMs: 100,
  awaitedFlushDelayMs: 100,
  gatherMs: 20,
}

/** How long `caughtUp` waits for a projector, milliseconds. */
export const CAUGHT_UP_WAIT_MAX_MS = 600_000

/** Pause between two looks at how far others have projected, while somebody waits for it, milliseconds. */
export const READ_MODEL_LOOK_PAUSE_MS = 25

/** Payment events that are folded at a stretch beside decisions that want answers (law 8). */
export const FOLLOW_SLICE_COUNT = 32

/** The same of a large batch: after so many turns of the event loop it is folded, unless that would hold up answers for milliseconds. */
export const FOLLOW_TURNS = 4
export const FOLLOW_SLICE_COUNT_MAX = 256

/** When the state of the payment fold is stored. */
export interface SnapshotLimits {
  /** Events since the last snapshot. */
  readonly eventCountMax: number
  /** Milliseconds since the last snapshot, when there were events. */
  readonly intervalMs: number
}

/** {@link SnapshotLimits} of a process that was told nothing else. */
export const SNAPSHOT_LIMITS: SnapshotLimits = { eventCountMax: 20_000, intervalMs: 10_000 }

/** Size of one stored piece of a snapshot, bytes. */
export const SNAPSHOT_CHUNK_BYTES: number = 1024 * 1024

/** First and longest pause between two attempts, milliseconds. */
export const RETRY_FIRST_MS = 20
export const RETRY_MAX_MS = 1_000

/** How long one part of the process may take to stop, milliseconds. */
export const STOP_PART_MAX_MS = 10_000

/** Files of merchants' keys that are read at the same time. */
export const KEY_FILES_AT_ONCE_MAX = 64

/** Keys of merchants that a start looks at until one is found that its secrets unwrap: nearly always it is the first. */
export const KEYS_LOOKED_AT_MAX = 100_000
