import { assertNever } from '@switchyard/kernel'
import { type Delivery, type EndpointQueue, type EndpointSettings, type Lane, readinessOf } from './endpoint-queue.ts'
import type { EndpointQueues } from './endpoint-queues.ts'
import type { MerchantPlaces } from './merchant-places.ts'
import type { ProcessPlaces } from './process-places.ts'
import type { Turns } from './turns.ts'

interface Places<D extends Delivery> {
  readonly places: ProcessPlaces<D>
  readonly merchants: MerchantPlaces<D>
  readonly turns: Turns<D>
  readonly queues: EndpointQueues<D>
  readonly endpointSettings: (endpointId: string) => EndpointSettings
}

/** For an endpoint whose turn it is: the lane to start from, or nothing, and then it stands where it will be found when it can. */
export const createPlacement = <D extends Delivery>({
  places,
  merchants,
  turns,
  queues,
  endpointSettings,
}: Places<D>): ((queue: EndpointQueue<D>, nowMs: number) => Lane | undefined) => {
  const lanePlaced = (queue: EndpointQueue<D>, lanes: readonly Lane[]): Lane | undefined => {
    const lane = places.laneFor(queue, lanes)
    if (lane !== undefined) return merchants.has(queue) ? lane : undefined
    places.wait(queue, lanes)
    return undefined
  }
  return (queue, nowMs) => {
    const readiness = readinessOf(queue, endpointSettings(queue.id), nowMs)
    switch (readiness.kind) {
      case 'empty':
        queues.retire(queue, nowMs)
        return undefined
      case 'busy':
        return undefined
      case 'sleeps':
        turns.sleep(queue, readiness.untilMs)
        return undefined
      case 'ready':
        return lanePlaced(queue, readiness.lanes)
      default:
        return assertNever(readiness)
    }
  }
}
