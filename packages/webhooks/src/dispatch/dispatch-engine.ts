import { assert } from '@switchyard/kernel'
import type { BreakerState, CallResult } from './circuit-breaker.ts'
import type { DispatchLimits } from './dispatch-limits.ts'
import { type Delivery, type EndpointQueue, type EndpointSettings, endCall, type Lane, startFrom } from './endpoint-queue.ts'
import { createEndpointQueues } from './endpoint-queues.ts'
import { createHeldDeliveries, type Offer } from './held-deliveries.ts'
import { createMerchantPlaces } from './merchant-places.ts'
import { createPlacement } from './placement.ts'
import { createProcessPlaces } from './process-places.ts'
import { createTurns } from './turns.ts'

/** Figures of a moment. */
export interface DispatchFigures {
  readonly waiting: Readonly<Record<Lane, number>>
  readonly underWay: Readonly<Record<Lane, number>>
  readonly endpointCount: number
  /** Breakers that are open. */
  readonly openCircuitCount: number
}

/**
 * Decides which attempt starts next. Endpoints take turns; within one, new events and retries do. Nothing in it sends, waits or
 * knows the time: whoever drives it offers what is due, starts what {@link DispatchEngine.next} gives until it gives nothing, tells how
 * each ended, and comes back at {@link DispatchEngine.wakeAtMs}, after an offer and after an end. Each step costs O(log endpoints).
 */
export interface DispatchEngine<D extends Delivery> {
  /** A chain is held once, waiting or under way. */
  readonly offer: (delivery: D) => Offer
  /** The attempt to start now; it counts as under way until {@link DispatchEngine.ended}. */
  readonly next: (nowMs: number) => D | undefined
  readonly ended: (chainId: string, result: CallResult, nowMs: number) => void
  /** When there may be something to start that can't start now; an end or an offer may come before. */
  readonly wakeAtMs: () => number | undefined
  /** Gives back what waits for an endpoint that is not to be asked any more; what is under way ends as usual. */
  readonly withdraw: (endpointId: string) => readonly D[]
  /** Forgets the failures of an endpoint: it was configured anew, or answered well elsewhere. */
  readonly trust: (endpointId: string) => void
  readonly breakerOf: (endpointId: string, nowMs: number) => BreakerState
  readonly figures: (nowMs: number) => DispatchFigures
}

/** What an engine is told once. */
export interface DispatchEngineOptions {
  readonly limits: DispatchLimits
  /** Asked whenever it is an endpoint's turn: as it is configured now. */
  readonly endpointSettings: (endpointId: string) => EndpointSettings
}

/** An engine that holds nothing yet. */
export const createDispatchEngine = <D extends Delivery>({ limits, endpointSettings }: DispatchEngineOptions): DispatchEngine<D> => {
  const places = createProcessPlaces<D>(limits)
  const merchants = createMerchantPlaces<D>(limits.underWayPerMerchantMax)
  const turns = createTurns(places)
  const queues = createEndpointQueues<D>(limits.breaker)
  const held = createHeldDeliveries(queues, limits)

  const start = (queue: EndpointQueue<D>, lane: Lane, nowMs: number): D => {
    const { delivery, call } = startFrom(queue, lane, endpointSettings(queue.id), nowMs)
    held.began(delivery, call)
    places.began(delivery.lane)
    merchants.began(delivery.merchantId)
    turns.enter(queue)
    return delivery
  }
  /** A place of a merchant that one endpoint does not take is the next one's. */
  const passOn = (merchantId: string): void => {
    const other = merchants.next(merchantId)
    if (other !== undefined) turns.enter(other)
  }
  const laneOf = createPlacement({ places, merchants, turns, queues, endpointSettings })

  return {
    offer: (delivery) => {
      const offer = held.offer(delivery)
      if (offer === 'waits') turns.reconsider(queues.ofDelivery(delivery), 'offered')
      return offer
    },
    next: (nowMs) => {
      for (let queue = turns.next(nowMs); queue !== undefined; queue = turns.next(nowMs)) {
        const lane = laneOf(queue, nowMs)
        if (lane !== undefined) return start(queue, lane, nowMs)
        passOn(queue.merchantId)
      }
      return undefined
    },
    ended: (chainId, result, nowMs) => {
      const { delivery, call } = held.ended(chainId)
      const queue = queues.find(delivery.endpointId)
      assert(queue !== undefined, 'an attempt ended of an endpoint that is not known')
      endCall(queue, delivery, { call, result, nowMs })
      places.ended(delivery.lane)
      merchants.ended(delivery.merchantId)
      turns.reconsider(queue, 'ended')
      passOn(delivery.merchantId)
    },
    wakeAtMs: turns.wakeAtMs,
    withdraw: held.withdraw,
    trust: (endpointId) => {
      const queue = queues.find(endpointId)
      if (queue === undefined) return
      queue.breaker.reset()
      turns.wakeUp(queue)
    },
    breakerOf: (endpointId, nowMs) => queues.find(endpointId)?.breaker.state(nowMs) ?? 'closed',
    figures: (nowMs) => ({
      waiting: held.waiting(),
      underWay: { ...places.underWay() },
      endpointCount: queues.count(),
      openCircuitCount: queues.openCount(nowMs),
    }),
  }
}
