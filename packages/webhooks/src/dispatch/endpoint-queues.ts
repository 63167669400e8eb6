import type { BreakerSettings } from './circuit-breaker.ts'
import { createEndpointQueue, type Delivery, type EndpointQueue, waitingCount } from './endpoint-queue.ts'

const SWEEP_FROM = 1_024

/** The endpoints that have, or lately had, something to do. */
export interface EndpointQueues<D extends Delivery> {
  readonly find: (endpointId: string) => EndpointQueue<D> | undefined
  readonly ofDelivery: (delivery: D) => EndpointQueue<D>
  /** Forgets an endpoint without work and without failures worth remembering. */
  readonly retire: (queue: EndpointQueue<D>, nowMs: number) => void
  readonly count: () => number
  /** Those with an open breaker; looks at each. */
  readonly openCount: (nowMs: number) => number
}

export const createEndpointQueues = <D extends Delivery>(breaker: BreakerSettings): EndpointQueues<D> => {
  const queues = new Map<string, EndpointQueue<D>>()
  let sweepAt = SWEEP_FROM

  const retire = (queue: EndpointQueue<D>, nowMs: number): void => {
    const isIdle = queue.underWay === 0 && waitingCount(queue) === 0
    if (isIdle && queue.line === undefined && queue.alarm === -1 && queue.breaker.isPristine(nowMs)) queues.delete(queue.id)
  }
  /** Failures that were worth remembering are so no longer when they have left the window. */
  const sweep = (nowMs: number): void => {
    for (const queue of queues.values()) retire(queue, nowMs)
    sweepAt = Math.max(SWEEP_FROM, queues.size * 2)
  }

  return {
    find: (endpointId) => queues.get(endpointId),
    ofDelivery: (delivery) => {
      const known = queues.get(delivery.endpointId)
      if (known !== undefined) return known
      const queue = createEndpointQueue(delivery, breaker)
      queues.set(delivery.endpointId, queue)
      return queue
    },
    retire: (queue, nowMs) => {
      retire(queue, nowMs)
      if (queues.size > sweepAt) sweep(nowMs)
    },
    count: () => queues.size,
    openCount: (nowMs) => {
      let count = 0
      for (const { breaker } of queues.values()) if (breaker.state(nowMs) === 'open') count += 1
      return count
    },
  }
}
