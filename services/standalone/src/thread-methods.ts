import type { Position } from '@switchyard/kernel'
import type { AppendBatch } from './batched-append.ts'

/** What the main thread does for the thread of a service: only the owner of the log appends. */
export type LogMethods = {
  readonly append: (batch: AppendBatch) => Promise<readonly (readonly Position[])[]>
}
