import { assert } from '@switchyard/kernel'
import type { DispatchLimits } from './dispatch-limits.ts'
import type { Delivery, Lane } from './endpoint-queue.ts'
import type { EndpointQueues } from './endpoint-queues.ts'

/** What became of an offer: it waits; it was there already; its endpoint, or the whole lane, holds as many as it may. */
export type Offer = 'waits' | 'held_already' | 'endpoint_full' | 'lane_full'

/** The deliveries that wait or are under way, each chain once, within their bounds. */
export interface HeldDeliveries<D extends Delivery> {
  readonly offer: (delivery: D) => Offer
  readonly began: (delivery: D, call: number) => void
  /** Lets go of a delivery that was under way, and tells the call of its breaker. */
  readonly ended: (chainId: string) => { readonly delivery: D; readonly call: number }
  readonly withdraw: (endpointId: string) => readonly D[]
  readonly waiting: () => Readonly<Record<Lane, number>>
}

export const createHeldDeliveries = <D extends Delivery>(queues: EndpointQueues<D>, limits: DispatchLimits): HeldDeliveries<D> => {
  /** By chain; the call once it is under way. */
  const held = new Map<string, { readonly delivery: D; call: number | undefined }>()
  const waiting = { new: 0, retry: 0 }

  return {
    offer: (delivery) => {
      const { chainId, lane } = delivery
      if (held.has(chainId)) return 'held_already'
      if (waiting[lane] >= limits.waitingPerLaneMax) return 'lane_full'
      const queue = queues.ofDelivery(delivery)
      if (queue.lanes[lane].size() >= limits.waitingPerEndpointMax) return 'endpoint_full'
      queue.lanes[lane].push(delivery)
      held.set(chainId, { delivery, call: undefined })
      waiting[lane] += 1
      return 'waits'
    },
    began: ({ chainId, lane }, call) => {
      const entry = held.get(chainId)
      assert(entry !== undefined && entry.call === undefined, 'a delivery began that did not wait')
      entry.call = call
      waiting[lane] -= 1
    },
    ended: (chainId) => {
      const entry = held.get(chainId)
      assert(entry?.call !== undefined, 'a delivery ended that was not under way')
      held.delete(chainId)
      return { delivery: entry.delivery, call: entry.call }
    },
    withdraw: (endpointId) => {
      const queue = queues.find(endpointId)
      if (queue === undefined) return []
      const withdrawn = [...queue.lanes.new.drain(), ...queue.lanes.retry.drain()]
      for (const { chainId, lane } of withdrawn) {
        held.delete(chainId)
        waiting[lane] -= 1
      }
      return withdrawn
    },
    waiting: () => ({ ...waiting }),
  }
}
