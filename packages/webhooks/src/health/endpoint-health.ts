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
  /** When the newest failed attempts began, {@link DISABLE_AFTER_FAILURES} at most; absent: there are none, or an earlier release counted them. */
  readonly failedStartsAt?: readonly number[]
}

/** Failures by endpoint, key `[merchantId, profileId]`. */
export const endpointHealth: DocumentProjection<EndpointHealth, RecordedWebhook> = {
  name: NAME,
  keysOf: ({ event }) => (event.type === 'DeliveryAttemptFinished' ? [[event.data.merchantId, event.data.profileId]] : []),
  initialView: () => ({ firstFailureAt: null, failureCount: 0 }),
  project: (view, { event }) => {
    if (event.type !== 'DeliveryAttemptFinished') return view
    const { statusCode, durationMs, at } = event.data
    if (!isSuccess(statusCode))
      return {
        firstFailureAt: view.firstFailureAt ?? at,
        failureCount: view.failureCount + 1,
        failedStartsAt: [...(view.failedStartsAt ?? []), at - durationMs].slice(-DISABLE_AFTER_FAILURES),
      }
    return view.failureCount === 0 ? view : { firstFailureAt: null, failureCount: 0 }
  },
}

/** Failed attempts that began since `activeSince`, as far as they are timed: enough to tell whether they disable the endpoint. */
const failuresSince = ({ firstFailureAt, failureCount, failedStartsAt = [] }: EndpointHealth, activeSince: number): number => {
  const timedCount = failedStartsAt.filter((startedAt) => startedAt >= activeSince).length
  const isWhole = failedStartsAt.length === Math.min(failureCount, DISABLE_AFTER_FAILURES)
  // Those that an earlier release counted have no times; the first of them came before all others.
  const isUntimedSince = !isWhole && firstFailureAt !== null && firstFailureAt >= activeSince
  return isUntimedSince ? timedCount + failureCount - failedStartsAt.length : timedCount
}

/** Whether an endpoint that has been active since `activeSince` has failed for so long, and so often, that it is disabled (webhooks.md 10). */
export const isBeyondHope = (health: EndpointHealth, activeSince: number, at: number): boolean =>
  health.firstFailureAt !== null &&
  at - Math.max(health.firstFailureAt, activeSince) >= DISABLE_AFTER_MS &&
  failuresSince(health, activeSince) >= DISABLE_AFTER_FAILURES

/**
 * Since when an endpoint that stands there since `createdAt` has been failing; null while it has not. Failures from before are those of one that stood
 * there before, perhaps another merchant's of this id. When all that are timed are its own, the first of them may have been forgotten.
 */
export const failingSince = ({ firstFailureAt, failedStartsAt = [] }: EndpointHealth, createdAt: number): number | null => {
  if (firstFailureAt === null || firstFailureAt >= createdAt) return firstFailureAt
  const own = failedStartsAt.filter((startedAt) => startedAt >= createdAt)
  return own.length === DISABLE_AFTER_FAILURES ? createdAt : (own[0] ?? null)
}
