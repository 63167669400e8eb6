import { createDispatchEngine, type Delivery, type DispatchEngine } from '@switchyard/webhooks'
import { DISPATCH_LIMITS, DUE_RETRY_MS } from '../limits.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { createEndpointWorks, type EndpointWork, type EndpointWorks, lookBy } from './endpoint-work.ts'

/** What waits for its turn, and what is known of the endpoints that have more. */
export interface HeldWork {
  readonly engine: DispatchEngine<Delivery>
  readonly works: EndpointWorks
  /** Takes a chain, or notes that there is more to do than there is room for. */
  readonly offer: (work: EndpointWork, delivery: Pick<Delivery, 'chainId' | 'lane'>) => void
  /** So many are not held any more: an endpoint that had more takes it from the index. */
  readonly letGo: (work: EndpointWork, count: number) => void
}

/** An endpoint takes more from the index when it holds no more than this. */
const HELD_LOW: number = DISPATCH_LIMITS.waitingPerEndpointMax / 2

/** Nothing is held yet. */
export const createHeldWork = (parts: Pick<Parts, 'states' | 'now'>): HeldWork => {
  const works = createEndpointWorks()
  const engine = createDispatchEngine<Delivery>({
    limits: DISPATCH_LIMITS,
    endpointSettings: (endpointId) => {
      const work = works.find(endpointId)
      const endpoint = work === undefined ? undefined : currentEndpoint(parts, work.merchantId, work.profileId)
      return { concurrencyMax: endpoint?.maxConcurrencyCount ?? 1, perSecondMax: endpoint?.maxPerSecondCount ?? null }
    },
  })

  return {
    engine,
    works,
    offer: (work, { chainId, lane }) => {
      switch (engine.offer({ chainId, lane, endpointId: work.id, merchantId: work.merchantId })) {
        case 'waits':
          work.heldCount += 1
          return
        case 'held_already':
          return
        case 'endpoint_full':
          work.isShort = true
          return
        default:
          // Others hold all there is room for; nothing of this endpoint may come to its end and bring it back.
          lookBy(work, parts.now() + DUE_RETRY_MS)
      }
    },
    letGo: (work, count) => {
      work.heldCount -= count
      if (!work.isShort || work.heldCount > HELD_LOW) return
      work.isShort = false
      work.isHungry = true
      lookBy(work, parts.now())
    },
  }
}
