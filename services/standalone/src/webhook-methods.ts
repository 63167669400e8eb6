import type { DeliveryFigures } from '@switchyard/composition'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'

/** What the webhook thread does for the main thread. */
export type WebhookMethods = { readonly [Name in keyof WebhookOperations]: WebhookOperations[Name] } & {
  readonly figures: (nothing: null) => Promise<DeliveryFigures>
  readonly isReady: (nothing: null) => Promise<boolean>
  readonly stop: (nothing: null) => Promise<void>
}
