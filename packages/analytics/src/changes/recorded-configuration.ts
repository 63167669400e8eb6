import type { ConfigEvent } from '@switchyard/events'
import type { Position } from '@switchyard/kernel'

/** A state that an event changed, as it was and as it is: plain JSON; `before` is undefined when nothing had been recorded for it. */
interface ChangedState {
  /** Name of the slice that folds it. */
  readonly slice: string
  readonly before: unknown
  readonly after: unknown
}

/** An event of the topic `config` that took effect, with the states it changed: what the journal of changes reads. */
export interface RecordedConfiguration {
  readonly event: ConfigEvent
  readonly effects: { readonly key: string; readonly states: readonly ChangedState[] }
  readonly position: Position
  readonly eventId: string
  /** Who caused it; null in records of other writers. */
  readonly actor: string | null
  readonly requestId: string | null
}
