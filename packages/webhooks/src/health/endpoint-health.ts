import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import { isSuccess } from '../chains/chain.ts'
import { DISABLE_AFTER_FAILURES, DISABLE_AFTER_MS } from '../limits.ts'
import type { RecordedWebhook } from '../recorded-webhook.ts'

const NAME = 'webhook-endpoint-health-v1'

/** The collection of {@link endpointHealth}. */
export const endpointHealthCollection: CollectionSpec = { name: NAME, indexes: [] }

/** Failures of an endpoint since it last took an event; times are epoch milliseconds. */
export interface EndpointHealth {
  readonly firstFailureAt: number | null
  readonly failureCount: number
}

/** Failures by endpoint, key `[merchantId, profileId]`. */
export const endpointHealth: DocumentProjection<EndpointHealth, RecordedWebhook> = {
  name: NAME,
  keysOf: ({ event }) => (event.type === 'DeliveryAttemptFinished' ? [[event.data.merchantId, event.data.profileId]] : []),
  initialView: () => ({ firstFailureAt: null, failureCount: 0 }),
  project: (view, { event }) => {
    if (event.type !== 'DeliveryAttemptFinished') return view
    const { statusCode, at } = event.data
    if (!isSuccess(statusCode)) return { firstFailureAt: view.firstFailureAt ?? at, failureCount: view.failureCount + 1 }
    return view.failureCount === 0 ? view : { firstFailureAt: null, failureCount: 0 }
  },
}

/** Whether an endpoint that has been active since `activeSince` has failed for so long, and so often, that it is disabled (webhooks.md 10). */
export const isBeyondHope = ({ firstFailureAt, failureCount }: EndpointHealth, activeSince: number, at: number): boolean =>
  firstFailureAt !== null && failureCount >= DISABLE_AFTER_FAILURES && at - Math.max(firstFailureAt, activeSince) >= DISABLE_AFTER_MS
