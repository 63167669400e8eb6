import type { DispatchLimits } from './dispatch-limits.ts'
import type { Delivery, EndpointQueue } from './endpoint-queue.ts'

/** Endpoints of which more retries are due than they may hold. */
export interface ShortEndpoints<D extends Delivery> {
  readonly add: (queue: EndpointQueue<D>) => void
  readonly remove: (queue: EndpointQueue<D>) => void
  /** Those that can take more now, and how many, with that much room in the lane. */
  readonly list: (room: number, nowMs: number) => readonly { readonly endpointId: string; readonly count: number }[]
}

export const createShortEndpoints = <D extends Delivery>({ waitingPerEndpointMax }: DispatchLimits): ShortEndpoints<D> => {
  const short = new Set<EndpointQueue<D>>()
  /** Half of a full lane has to be gone first, so that few reads bring many. */
  const missing = (queue: EndpointQueue<D>, nowMs: number): number => {
    const size = queue.lanes.retry.size()
    return size * 2 > waitingPerEndpointMax || queue.breaker.state(nowMs) === 'open' ? 0 : waitingPerEndpointMax - size
  }
  return {
    add: (queue) => {
      queue.isShort = true
      short.add(queue)
    },
    remove: (queue) => {
      queue.isShort = false
      short.delete(queue)
    },
    list: (room, nowMs) =>
      [...short].map((queue) => ({ endpointId: queue.id, count: Math.min(missing(queue, nowMs), room) })).filter(({ count }) => count > 0),
  }
}
