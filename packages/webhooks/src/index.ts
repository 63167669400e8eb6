export type { FirstAcceptance } from './acceptance/webhook-dedupe.ts'
export { isRecent, webhookDedupe } from './acceptance/webhook-dedupe.ts'
export type { Attempt, Chain, ChainEvent, ChainStatus } from './chains/chain.ts'
export { isDelivered as isChainDelivered, isSuccess } from './chains/chain.ts'
export type { AttemptResult, DeliveryCommand, DeliveryRejection } from './chains/delivery.ts'
export { delivery, isAttemptDue, mustNotRace } from './chains/delivery.ts'
export { CREATED_INDEX, DUE_INDEX, OBJECT_INDEX, webhookChains } from './chains/webhook-chains.ts'
export type { StoredAttempt, StoredBody } from './contents/webhook-contents.ts'
export { AGE_INDEX, webhookAttempts, webhookBodies } from './contents/webhook-contents.ts'
export type {
  Endpoint,
  EndpointSecret,
  EndpointSettings,
  EndpointStatus,
  EndpointsCommand,
  EndpointsEvent,
  EndpointsRejection,
  EndpointsState,
  ProtectedSecret,
} from './endpoints/webhook-endpoints.ts'
export { endpointOf, validSecrets, webhookEndpoints } from './endpoints/webhook-endpoints.ts'
export type { EnvelopeParts } from './envelope.ts'
export { envelopeOf } from './envelope.ts'
export type { EventClass, EventType } from './event-types.ts'
export { classOf, contentTagOf, EVENT_CLASSES, EVENT_TYPES, isEventType, typesOf } from './event-types.ts'
export type { EndpointHealth } from './health/endpoint-health.ts'
export { endpointHealth, isBeyondHope } from './health/endpoint-health.ts'
export * from './limits.ts'
export { wantedTypes } from './lists/wanted-types.ts'
export { webhookCollections } from './read-models.ts'
export type { RecordedWebhook } from './recorded-webhook.ts'
export type { Recovery } from './recoveries/webhook-recoveries.ts'
export { RUNNING_INDEX, webhookRecoveries } from './recoveries/webhook-recoveries.ts'
export { customHeadersFault, maskedHeaders } from './requests/custom-headers.ts'
export { deliveryError, isDelivered, isGone } from './requests/delivery-error.ts'
export type { DeliveryHeaderSources } from './requests/delivery-headers.ts'
export { deliveryHeaders } from './requests/delivery-headers.ts'
export type { FailedAttempt, NextRetry } from './schedule/next-retry.ts'
export { firstRetry, nextRetry } from './schedule/next-retry.ts'
export type { AskedToWait } from './schedule/retry-after.ts'
export { retryAfterMs } from './schedule/retry-after.ts'
export type { RetrySchedule, ScheduleText } from './schedule/schedule-text.ts'
export { DEFAULT_SCHEDULE, SCHEDULE_STEPS_MAX, STEP_SECONDS_MAX, scheduleFault, scheduleOf } from './schedule/schedule-text.ts'
export { secretFault, secretHint, secretOf } from './signatures/secrets.ts'
export type { SignedMessage } from './signatures/signatures.ts'
export { signatureHeaders } from './signatures/signatures.ts'
export type { ReceivedMessage, SignatureFault } from './signatures/verify-signatures.ts'
export { bodySignatureFault, standardSignatureFault } from './signatures/verify-signatures.ts'
