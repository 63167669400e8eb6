import type { DeliveryFigures, ThreadFigures } from '@switchyard/composition'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'

/** What the webhook thread does for the main thread. */
export type WebhookMethods = { readonly [Name in keyof WebhookOperations]: WebhookOperations[Name] } & {
  readonly figures: (nothing: null) => Promise<DeliveryFigures>
  /** What this thread has counted of log and read models. */
  readonly metrics: (nothing: null) => Promise<ThreadFigures>
  readonly isReady: (nothing: null) => Promise<boolean>
  readonly stop: (nothing: null) => Promise<void>
}
