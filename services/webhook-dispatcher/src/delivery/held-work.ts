import { createDispatchEngine, type Delivery, type DispatchEngine, type Lane, type Offer } from '@switchyard/webhooks'
import { DISPATCH_LIMITS, DUE_RETRY_MS } from '../limits.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { type DuePage, LANES } from './due-chains.ts'
import { createEndpointWorks, type EndpointWork, type EndpointWorks, lookBy } from './endpoint-work.ts'

/** What waits for its turn, and what is known of the endpoints that have more. */
export interface HeldWork {
  readonly engine: DispatchEngine<Delivery>
  readonly works: EndpointWorks
  /** Takes a chain, or notes that there is more to do than there is room for. */
  readonly offer: (work: EndpointWork, delivery: Pick<Delivery, 'chainId' | 'lane'>) => void
  /** Takes a page of the index. What an endpoint leaves that is not active stays there; only attempts that were begun come to their end. */
  readonly take: (work: EndpointWork, page: DuePage, isActive: boolean) => void
  /** These are not held any more: an endpoint that had more in a lane takes it from the index when that has room. */
  readonly letGo: (work: EndpointWork, deliveries: readonly Pick<Delivery, 'lane'>[]) => void
}

/** An endpoint takes more from the index when it holds no more than this in a lane. */
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

  const offer = (work: EndpointWork, { chainId, lane }: Pick<Delivery, 'chainId' | 'lane'>): Offer => {
    const became = engine.offer({ chainId, lane, endpointId: work.id, merchantId: work.merchantId })
    if (became === 'waits') work.lanes[lane].heldCount += 1
    else if (became === 'endpoint_full') work.lanes[lane].isShort = true
    // Others hold all there is room for; nothing of this endpoint may come to its end and bring it back.
    else if (became === 'lane_full') lookBy(work, parts.now() + DUE_RETRY_MS)
    return became
  }

  const letGo: HeldWork['letGo'] = (work, deliveries) => {
    for (const { lane } of deliveries) work.lanes[lane].heldCount -= 1
    for (const lane of LANES) {
      const { isShort, heldCount } = work.lanes[lane]
      if (!isShort || heldCount > HELD_LOW) continue
      work.lanes[lane].isShort = false
      work.isHungry = true
      lookBy(work, parts.now())
    }
  }

  return {
    engine,
    works,
    offer: (work, delivery) => void offer(work, delivery),
    take: (work, { due, full, nextAt }, isActive) => {
      const crowded = new Set<Lane>()
      for (const found of due) if ((isActive || found.isBegun) && offer(work, found) === 'lane_full') crowded.add(found.lane)
      // Behind a lane that is full of others' it is looked again in a while, not as soon as nothing of its own is left.
      for (const lane of full) if (isActive && !crowded.has(lane)) work.lanes[lane].isShort = true
      if (nextAt !== undefined) lookBy(work, nextAt)
      letGo(work, [])
    },
    letGo,
  }
}
