// Generated from schemas/ by `npm run generate`. Do not edit.
import type { DeliveryAttemptKind } from './shared.ts'

/** The schedule of an event ran out while its endpoint was disabled; there are no further automatic retries. */
export interface DeliveryAbandoned {
  readonly type: 'DeliveryAbandoned'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Event id of the initial attempt: names all attempts at this event. */
    readonly chainId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An attempt at delivering has come to its end. */
export interface DeliveryAttemptFinished {
  readonly type: 'DeliveryAttemptFinished'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Event id of the initial attempt: names all attempts at this event. */
    readonly chainId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** Id of the attempt. */
    readonly eventId: string
    /** Headers and body of the answer, encrypted with the merchant's data key; null when there was none. */
    readonly response: Uint8Array | null
    /** Status of the answer, 100 to 599, without a unit; null when there was none. */
    readonly statusCode: number | null
    /** Why the delivery failed: a class word or a short text; null after a success. */
    readonly errorMessage: string | null
    /** From the start of the attempt, milliseconds. */
    readonly durationMs: number
    /** When the next automatic retry is due, epoch milliseconds; null after a success, after the last one, and for manual attempts. */
    readonly nextRetryAt: number | null
    /** Recovery that the attempt belongs to. */
    readonly taskId: string | null
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An attempt at delivering is about to be sent. An effective record claims it: nobody else sends it. */
export interface DeliveryAttemptStarted {
  readonly type: 'DeliveryAttemptStarted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Event id of the initial attempt: names all attempts at this event. */
    readonly chainId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** Id of this attempt. */
    readonly eventId: string
    /** Id of this claim alone: of two processes that start the same attempt, each finds out whose claim counts. */
    readonly claimId: string
    /** Why the attempt is made. */
    readonly kind: DeliveryAttemptKind
    /** Address and headers as they are sent, encrypted with the merchant's data key. */
    readonly request: Uint8Array
    /** When the attempt is over at the latest, epoch milliseconds. */
    readonly deadlineAt: number
    /** Key under which a manual retry was asked for. */
    readonly idempotencyKey: string | null
    /** Recovery that the attempt belongs to. */
    readonly taskId: string | null
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A recovery has attempted all that it found. */
export interface RecoveryFinished {
  readonly type: 'RecoveryFinished'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Id of the recovery. */
    readonly taskId: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Sending the events of a time span again was started. */
export interface RecoveryStarted {
  readonly type: 'RecoveryStarted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Id of the recovery. */
    readonly taskId: string
    /** Beginning of the span of creation times, inclusive, epoch milliseconds. */
    readonly sinceAt: number
    /** End of that span, inclusive, epoch milliseconds. */
    readonly untilAt: number
    /** Only events of this profile; null for all. */
    readonly profileId: string | null
    /** Only events of these types; empty for all. */
    readonly eventTypes: readonly string[]
    /** Whether delivered events are left out. */
    readonly onlyUndelivered: boolean
    /** Events that were found. */
    readonly matchedCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An event was accepted to be delivered to the merchant's endpoint. */
export interface WebhookEventAccepted {
  readonly type: 'WebhookEventAccepted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Event id of the initial attempt: names all attempts at this event. */
    readonly chainId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** Id of the object that the event concerns: a payment, a refund. */
    readonly objectId: string
    /** Type of the event as the interface names it, for example payment_succeeded. */
    readonly eventType: string
    /** Merchant whose processor credentials were used. */
    readonly processorMerchantId: string | null
    /** The frozen body that every attempt sends, encrypted with the merchant's data key. */
    readonly body: Uint8Array
    /** Whether an active endpoint was there; else the initial attempt counts as failed. */
    readonly isDeliverable: boolean
    /** Hash by which the same event is recognised when it is submitted again. */
    readonly dedupeKey: string
    /** Hash of what was submitted, to tell another content under the same idempotency key. */
    readonly contentHash: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An event had been accepted twice at the same time; this one is not delivered and not shown. */
export interface WebhookEventRetracted {
  readonly type: 'WebhookEventRetracted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Event id of the initial attempt: names all attempts at this event. */
    readonly chainId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** Chain of the one that stays. */
    readonly duplicateOf: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Every event of the topic `webhooks`. */
export type WebhooksEvent =
  | DeliveryAbandoned
  | DeliveryAttemptFinished
  | DeliveryAttemptStarted
  | RecoveryFinished
  | RecoveryStarted
  | WebhookEventAccepted
  | WebhookEventRetracted
