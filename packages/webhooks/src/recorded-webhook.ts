import type { WebhooksEvent } from '@switchyard/events'
import type { Position } from '@switchyard/kernel'

/** An event of the topic `webhooks` as the projections get it. */
export interface RecordedWebhook {
  readonly event: WebhooksEvent
  readonly effects: {
    /** Version of the chain that the event was decided on, where that matters (law 5). */
    readonly expectedVersion: number | undefined
  }
  readonly position: Position
  readonly eventId: string
}
