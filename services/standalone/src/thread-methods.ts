import type { Topic } from '@switchyard/kernel'

/** Records as the log of a thread has framed them; what is in the bytes only logs know. */
interface FramedRecords {
  readonly topic: Topic
  readonly partition: number
  readonly recordCount: number
  readonly bytes: Uint8Array
}

/** Puts framed records into the log, all or none; gives the offset of the first record of each. */
export type PutFramed = (framed: readonly FramedRecords[]) => Promise<readonly number[]>

/** The log as the main thread has it, for those that append through it. */
export interface OwnedLog {
  readonly putChunks: PutFramed
  /** Calls `listener` when somebody appends and no commit is on its way: what it appends at once is written along. */
  readonly onOpening: (listener: () => void) => void
}

/** What the main thread does for the thread of a service: only the owner of the log writes. */
export type LogMethods = {
  readonly append: PutFramed
}
