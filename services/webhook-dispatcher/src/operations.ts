import type { HeaderPair, Position, RequestTrace } from '@switchyard/kernel'
import type { Endpoint, EventClass, EventType, Recovery } from '@switchyard/webhooks'

/** Why something is not done. */
export type WebhookRefusal =
  | 'MERCHANT_NOT_FOUND'
  | 'PROFILE_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'RECOVERY_NOT_FOUND'
  | 'ENDPOINT_NOT_FOUND'
  | 'ENDPOINT_MISSING'
  | 'ENDPOINT_DISABLED'
  | 'ENDPOINT_ADDRESS_REFUSED'
  | 'CONTENT_FORGOTTEN'
  | 'CONTENT_DIFFERS'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_MANY_RETRIES'
  | 'TOO_MANY_PINGS'
  | 'TOO_MANY_ENDPOINTS'
  | 'TOO_MANY_SECRETS'
  | 'RETRY_UNDER_WAY'
  | 'RECOVERY_RUNNING'
  | 'RECOVERY_TOO_LARGE'
  | 'CONFLICT'

/** What an operation gives, or why it was not done. `position` is that of what was recorded. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value; readonly position?: Position | undefined }
  | { readonly ok: false; readonly refusal: WebhookRefusal; readonly detail?: string }

/** Who asks: stands in the headers of the events. */
export interface Origin {
  readonly actor: string
  readonly requestId: string
  /** Absent: the request is part of none. */
  readonly trace?: RequestTrace | undefined
}

/** A row of the list (webhooks.md 2); times are epoch milliseconds. */
export interface EventRow {
  readonly eventId: string
  readonly merchantId: string
  readonly profileId: string
  readonly objectId: string
  readonly eventType: EventType
  readonly eventClass: EventClass
  readonly isDelivered: boolean | null
  readonly initialAttemptId: string
  readonly processorMerchantId: string | null
  readonly createdAt: number
}

/** What was sent and answered; nulls where nothing was, or is kept no longer. */
export interface Exchanged {
  readonly request: { readonly body: string; readonly headers: readonly HeaderPair[] }
  readonly response: {
    readonly body: string | null
    readonly headers: readonly HeaderPair[] | null
    readonly statusCode: number | null
    readonly errorMessage: string | null
  }
}

/** One attempt as it is shown. */
export interface EventDetail extends EventRow, Exchanged {
  readonly kind: 'initial_attempt' | 'automatic_retry' | 'manual_retry'
}

/** An endpoint as it is shown: no secret, no header value. */
export interface EndpointView {
  readonly endpoint: Omit<Endpoint, 'secrets' | 'customHeaders'>
  readonly secretHint: string
  readonly firstFailureAt: number | null
  /** In clear only when it was just generated. */
  readonly generatedSecret: string | null
}

/** What a merchant sets of an endpoint, checked; `secret` null keeps or generates one. */
export interface EndpointWish {
  readonly url: string
  readonly secret: string | null
  readonly customHeaders: Readonly<Record<string, string>>
  readonly eventTypes: readonly EventType[] | null
  readonly isEnabled: boolean
  readonly timeoutSeconds: number
  readonly maxConcurrencyCount: number
  readonly maxPerSecondCount: number | null
  readonly retryDelaysSeconds: readonly number[] | null
}

/** Whose endpoint. */
export interface EndpointPlace {
  readonly merchantId: string
  readonly profileId: string
  readonly origin: Origin
}

/** An event to deliver, checked. */
export interface Submission {
  readonly merchantId: string
  readonly profileId: string
  readonly eventType: EventType
  readonly objectId: string
  /** A JSON object, compact, with its numbers as they were written. */
  readonly content: string
  readonly processorMerchantId: string | null
  /** Epoch milliseconds; null: when it is accepted. */
  readonly occurredAt: number | null
  readonly idempotencyKey: string | null
  readonly origin: Origin
}

/** What became of a submission. */
export type Submitted = { readonly kind: 'filtered' } | { readonly kind: 'accepted' | 'duplicate'; readonly row: EventRow }

/** What a list shows; times are epoch milliseconds, inclusive. */
export interface EventFilter {
  readonly merchantId: string
  readonly profileId: string | null
  readonly objectId: string | null
  readonly eventId: string | null
  /** Null: all. */
  readonly types: readonly EventType[] | null
  readonly isDelivered: boolean | null
  readonly createdAfter: number
  readonly createdBefore: number
  readonly limit: number
  readonly offset: number
}

/** A page of a list; `isComplete` is false when there was more than is looked at, and the count a minimum. */
export interface EventPage {
  readonly rows: readonly EventRow[]
  readonly totalCount: number
  readonly isComplete: boolean
}

/** Which attempt of which merchant. */
interface EventPlace {
  readonly merchantId: string
  readonly eventId: string
}

/** What a recovery sends again; times are epoch milliseconds. */
export interface RecoveryWish {
  readonly merchantId: string
  readonly sinceAt: number
  readonly untilAt: number
  readonly profileId: string | null
  readonly eventTypes: readonly EventType[]
  readonly onlyUndelivered: boolean
  readonly origin: Origin
}

/** Everything that can be done about outgoing events. Arguments and answers are plain data: the other side may be a thread of its own. */
export interface WebhookOperations {
  readonly configureEndpoint: (request: EndpointPlace & { readonly wish: EndpointWish }) => Promise<Answer<EndpointView>>
  readonly readEndpoint: (place: EndpointPlace) => Promise<Answer<EndpointView>>
  readonly removeEndpoint: (place: EndpointPlace) => Promise<Answer<null>>
  readonly rotateSecret: (
    request: EndpointPlace & { readonly secret: string | null; readonly graceMs: number },
  ) => Promise<Answer<{ readonly secret: string; readonly previousValidUntil: number }>>
  readonly testEndpoint: (place: EndpointPlace) => Promise<Answer<Exchanged>>
  readonly submit: (submission: Submission) => Promise<Answer<Submitted>>
  readonly retry: (
    request: EventPlace & { readonly idempotencyKey: string | null; readonly origin: Origin },
  ) => Promise<Answer<EventDetail>>
  readonly list: (filter: EventFilter) => Promise<Answer<EventPage>>
  readonly attempts: (request: EventPlace & { readonly limit: number; readonly offset: number }) => Promise<Answer<readonly EventDetail[]>>
  readonly retrieve: (place: EventPlace) => Promise<Answer<EventDetail>>
  readonly recover: (wish: RecoveryWish) => Promise<Answer<Recovery>>
  readonly readRecovery: (request: { readonly merchantId: string; readonly taskId: string }) => Promise<Answer<Recovery>>
  /** Waits until everything shown includes `position` of the topic; `POSITION_NOT_REACHED` after a bound. */
  readonly waitFor: (position: Position) => Promise<void>
}
