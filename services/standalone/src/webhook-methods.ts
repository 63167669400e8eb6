import type { DeliveryFigures } from '@switchyard/composition'
import type { Position } from '@switchyard/kernel'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'
import type { AppendBatch } from './batched-append.ts'

/** What the webhook thread does for the main thread. */
export type WebhookMethods = { readonly [Name in keyof WebhookOperations]: WebhookOperations[Name] } & {
  readonly figures: (nothing: null) => Promise<DeliveryFigures>
  readonly isReady: (nothing: null) => Promise<boolean>
  readonly stop: (nothing: null) => Promise<void>
}

/** What the main thread does for the webhook thread: only the owner of the log appends. */
export type LogMethods = {
  readonly append: (batch: AppendBatch) => Promise<readonly (readonly Position[])[]>
}
