import type { CostsEvent } from '@switchyard/events'
import type { Position } from '@switchyard/kernel'

/** An event of the topic `costs` as the projections get it. */
export interface RecordedCost {
  readonly event: CostsEvent
  readonly effects: {
    /** Version of the aggregate that the event was decided on, where that matters (law 5). */
    readonly expectedVersion: number | undefined
  }
  readonly position: Position
  readonly eventId: string
}
