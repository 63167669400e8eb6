import type { WebhooksEvent } from '@switchyard/events'
import { type Endpoint, isSuccess, RECOVERY_GRACE_MS, webhookEndpoints } from '@switchyard/webhooks'
import type { Parts } from '../parts.ts'
import { lookBy } from './endpoint-work.ts'
import type { HeldWork } from './held-work.ts'

/** What a dispatcher does when it hears of something. */
export interface Notices {
  /** An event was recorded. */
  readonly recorded: (event: WebhooksEvent) => void
  /** The configuration of a merchant has changed, or is known. */
  readonly configured: (merchantId: string) => void
}

/** {@link Notices} that lead to offers, and to looks at the index at the right time. */
export const createNotices = (parts: Parts, { engine, works, offer, letGo }: HeldWork, isOwn: (chainId: string) => boolean): Notices => {
  /** Configurations that were heard of: another endpoint's change, or the merchant's, is none of theirs. */
  const known = new WeakSet<Endpoint>()
  return {
    recorded: (event) => {
      switch (event.type) {
        case 'WebhookEventAccepted':
          if (event.data.isDeliverable) offer(works.of(event.data), { chainId: event.data.chainId, lane: 'new' })
          return
        case 'DeliveryAttemptStarted':
          return lookBy(works.of(event.data), event.data.deadlineAt + RECOVERY_GRACE_MS)
        case 'DeliveryAttemptFinished': {
          const { chainId, nextRetryAt, statusCode } = event.data
          const work = works.of(event.data)
          if (nextRetryAt !== null) lookBy(work, nextRetryAt)
          // It answered well to an attempt by hand: no need to probe it.
          if (isSuccess(statusCode) && !isOwn(chainId)) engine.trust(work.id)
          return
        }
        default:
      }
    },
    configured: (merchantId) => {
      for (const endpoint of parts.states.stateOf(webhookEndpoints, merchantId).endpoints) {
        if (known.has(endpoint)) continue
        known.add(endpoint)
        const work = works.of({ merchantId, profileId: endpoint.profileId })
        engine.trust(work.id)
        // An endpoint that is not active leaves what waits to the index.
        if (endpoint.status === 'active') lookBy(work, parts.now())
        else letGo(work, engine.withdraw(work.id))
      }
    },
  }
}
