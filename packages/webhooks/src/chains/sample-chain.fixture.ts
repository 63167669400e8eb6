import type { DeliveryAttemptFinished, DeliveryAttemptKind, DeliveryAttemptStarted, WebhookEventAccepted } from '@switchyard/events'

/** The chain of these samples. */
export const merchantId = 'm1'
export const chainId = 'e1'
export const profileId = 'p1'

/** When it was accepted. */
export const T0: number = Date.parse('2026-01-05T10:00:00.000Z')

export const accepted = (change: Partial<WebhookEventAccepted['data']> = {}): WebhookEventAccepted => ({
  type: 'WebhookEventAccepted',
  data: {
    merchantId,
    chainId,
    profileId,
    objectId: 'pay_77',
    eventType: 'payment_succeeded',
    processorMerchantId: null,
    body: new Uint8Array([1]),
    isDeliverable: true,
    dedupeKey: 'd1',
    contentHash: 'c1',
    at: T0,
    ...change,
  },
})

export const started = (eventId: string, kind: DeliveryAttemptKind, at: number): DeliveryAttemptStarted => ({
  type: 'DeliveryAttemptStarted',
  data: {
    merchantId,
    chainId,
    profileId,
    eventId,
    claimId: 'c',
    kind,
    request: new Uint8Array(),
    deadlineAt: at + 15_000,
    idempotencyKey: null,
    taskId: null,
    at,
  },
})

export const finished = (
  eventId: string,
  at: number,
  statusCode: number | null,
  nextRetryAt: number | null,
  ...[durationMs = 0, errorMessage = statusCode === 200 ? null : 'no']: readonly [durationMs?: number, errorMessage?: string | null]
): DeliveryAttemptFinished => ({
  type: 'DeliveryAttemptFinished',
  data: { merchantId, chainId, profileId, eventId, response: null, statusCode, errorMessage, durationMs, nextRetryAt, taskId: null, at },
})
