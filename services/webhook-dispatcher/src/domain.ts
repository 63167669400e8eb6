import type { ProjectionOf } from '@switchyard/runtime'
import {
  endpointHealth,
  type RecordedWebhook,
  webhookAttempts,
  webhookBodies,
  webhookChains,
  webhookDedupe,
  webhookRecoveries,
} from '@switchyard/webhooks'

/** Every read model of the topic `webhooks`. */
export const webhookProjections: readonly ProjectionOf<RecordedWebhook>[] = [
  webhookChains,
  webhookBodies,
  webhookAttempts,
  webhookDedupe,
  endpointHealth,
  webhookRecoveries,
]
