import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedWebhook } from '../recorded-webhook.ts'

const BODIES = 'webhook-bodies-v1'
const ATTEMPTS = 'webhook-attempts-v1'

/** Documents by the time of their last event: what is too old is forgotten. */
export const AGE_INDEX = 'age'

/** The collections of what was sent and answered, encrypted; it is kept for a bounded time. */
export const webhookContentCollections: readonly CollectionSpec[] = [BODIES, ATTEMPTS].map((name) => ({
  name,
  indexes: [{ name: AGE_INDEX, fields: ['at'] }],
}))

/** The frozen body of a chain, encrypted; null when it is not known. */
export interface StoredBody {
  readonly body: Uint8Array | null
  /** Epoch milliseconds. */
  readonly at: number
}

/** Bodies, key `[merchantId, chainId]`. */
export const webhookBodies: DocumentProjection<StoredBody, RecordedWebhook> = {
  name: BODIES,
  keysOf: ({ event }) => (event.type === 'WebhookEventAccepted' ? [[event.data.merchantId, event.data.chainId]] : []),
  initialView: () => ({ body: null, at: 0 }),
  project: (view, { event }) =>
    event.type === 'WebhookEventAccepted' && view.body === null ? { body: event.data.body, at: event.data.at } : view,
}

/** What an attempt sent and was answered, encrypted, and the chain it belongs to; an unknown attempt has no chain. */
export interface StoredAttempt {
  readonly chainId: string | null
  readonly request: Uint8Array | null
  readonly response: Uint8Array | null
  /** Epoch milliseconds. */
  readonly at: number
}

const keyOf = ({ event }: RecordedWebhook): readonly [string, string] | undefined => {
  switch (event.type) {
    case 'WebhookEventAccepted':
      return [event.data.merchantId, event.data.chainId]
    case 'DeliveryAttemptStarted':
    case 'DeliveryAttemptFinished':
      return [event.data.merchantId, event.data.eventId]
    default:
      return undefined
  }
}

/**
 * Attempts, key `[merchantId, eventId]`. Also those that lost a race and were never sent: only what stands in the chain is shown.
 */
export const webhookAttempts: DocumentProjection<StoredAttempt, RecordedWebhook> = {
  name: ATTEMPTS,
  keysOf: (recorded) => {
    const key = keyOf(recorded)
    return key === undefined ? [] : [key]
  },
  initialView: () => ({ chainId: null, request: null, response: null, at: 0 }),
  project: (view, { event }) => {
    switch (event.type) {
      case 'WebhookEventAccepted':
        return { ...view, chainId: event.data.chainId, at: event.data.at }
      case 'DeliveryAttemptStarted':
        // All who claim an initial attempt do so under its chain's id: the first one sends, the others have no effect (law 5).
        return view.request === null ? { ...view, chainId: event.data.chainId, request: event.data.request, at: event.data.at } : view
      case 'DeliveryAttemptFinished':
        return view.response === null ? { ...view, response: event.data.response, at: event.data.at } : view
      default:
        return view
    }
  },
}
