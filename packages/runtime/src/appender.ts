import type { PaymentsEvent } from '@switchyard/events'
import type { Position } from '@switchyard/kernel'

/**
 * The ordered way of payment events into the log: decisions and outcomes share one queue, so that a decision stands before
 * its outcome. Bounded by count and by milliseconds.
 */
export interface PaymentAppender {
  /** For what is acknowledged: resolves with the position when the event is durable. */
  readonly append: (event: PaymentsEvent) => Promise<Position>
  /** For decisions: returns at once. While the log is away events wait in the buffer; an overflow drops the oldest and counts it. */
  readonly enqueue: (event: PaymentsEvent) => void
  readonly status: () => AppenderStatus
  /** Flushes what is buffered, within a bound, and refuses everything after that. */
  readonly close: () => Promise<void>
}

/** For metrics and diagnostics. */
export interface AppenderStatus {
  readonly bufferedCount: number
  readonly bufferedCountMax: number
  readonly droppedCount: number
}
