import type { Position } from '@switchyard/kernel'
import type { PackedAppends } from './packed-appends.ts'

/** What the main thread does for the thread of a service: only the owner of the log appends. */
export type LogMethods = {
  readonly append: (batch: PackedAppends) => Promise<readonly (readonly Position[])[]>
}
