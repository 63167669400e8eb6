import type { LogRecord, Subscription } from './event-log.ts'

/** A record that can't be taken, and why. */
export interface DeadRecord {
  readonly record: LogRecord
  /** A code in capitals. */
  readonly reason: string
  /** For a person. */
  readonly message: string
}

/** Records of an inbox that were never read. */
export interface MissedRecords {
  readonly partition: number
  readonly count: number
}

/** What to do with the records of an inbox. */
export interface ReceiveOptions {
  /**
   * Gets records of one partition in order, at least once each; the next ones wait until the returned promise resolves
   * (back-pressure). Resolves when all of them have had their effect durably, with those that can't have any: they are set aside
   * before the batch counts as done. Rejects only when the receiving should end.
   */
  readonly handle: (records: readonly LogRecord[]) => Promise<readonly DeadRecord[]>
  /** The inbox had forgotten records before they were read. */
  readonly onMissed: (missed: MissedRecords) => void
  /** Called once when the receiving can't go on. */
  readonly onFailure: (error: unknown) => void
}

/**
 * A topic that others write, and what could not be taken of it. All processes that receive share its partitions; how far they
 * are is kept by the engine. Key and headers of its records are whatever was sent.
 */
export interface Inbox {
  /** Receives until it is stopped. */
  readonly receive: (options: ReceiveOptions) => Subscription
  /** Records that are still to be taken, of all partitions, whoever reads them; rejects while the engine does not answer. */
  readonly lagCount: () => Promise<number>
  /** Breaks the connections; stop receiving first. */
  readonly close: () => void
}
