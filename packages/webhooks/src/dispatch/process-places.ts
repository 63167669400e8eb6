import type { DispatchLimits } from './dispatch-limits.ts'
import type { Delivery, EndpointQueue, Lane } from './endpoint-queue.ts'
import { createLine, type Line } from './line.ts'

/** Places for attempts in the process, and the endpoints that wait for one. */
export interface ProcessPlaces<D extends Delivery> {
  /** The first of these lanes that may start now. */
  readonly laneFor: (queue: EndpointQueue<D>, lanes: readonly Lane[]) => Lane | undefined
  /** Waits for a place for one of these lanes. */
  readonly wait: (queue: EndpointQueue<D>, lanes: readonly Lane[]) => void
  /** Of the endpoints that wait, one for which there is a place now. */
  readonly nextWaiting: () => EndpointQueue<D> | undefined
  /** Whether it waits here for something that an offer, or an end, of its own may have changed. */
  readonly mayHaveChanged: (queue: EndpointQueue<D>, why: 'offered' | 'ended') => boolean
  readonly began: (lane: Lane) => void
  readonly ended: (lane: Lane) => void
  readonly underWay: () => Readonly<Record<Lane, number>>
}

export const createProcessPlaces = <D extends Delivery>(limits: DispatchLimits): ProcessPlaces<D> => {
  const underWay = { new: 0, retry: 0 }
  /** By the place that will do: any, one that is not reserved, or one for retries. */
  const waiting: Readonly<Record<'any' | Lane, Line<EndpointQueue<D>>>> = { any: createLine(), new: createLine(), retry: createLine() }
  let turn: Lane = 'retry'

  const hasAnyPlace = (): boolean => underWay.new + underWay.retry < limits.underWayMax
  const hasGeneralPlace = (): boolean => underWay.new + underWay.retry < limits.underWayMax - limits.reservedCount
  /** While new events wait for places, retries take no more than a few. */
  const hasRetryPlace = (): boolean => {
    const isCrowded = waiting.new.first() !== undefined || waiting.any.first() !== undefined
    return hasGeneralPlace() && underWay.retry < (isCrowded ? limits.retriesUnderWayMin : limits.retriesUnderWayMax)
  }
  const mayStart = (queue: EndpointQueue<D>, lane: Lane): boolean => {
    if (lane === 'retry') return hasRetryPlace()
    return hasGeneralPlace() || (queue.underWay === 0 && hasAnyPlace())
  }
  const nextInTurn = (): EndpointQueue<D> | undefined => {
    turn = turn === 'new' ? 'retry' : 'new'
    const forRetry = hasRetryPlace() ? waiting.retry.first() : undefined
    return turn === 'new' ? (waiting.new.first() ?? forRetry) : (forRetry ?? waiting.new.first())
  }

  return {
    laneFor: (queue, lanes) => lanes.find((lane) => mayStart(queue, lane)),
    wait: (queue, lanes) => {
      const place = queue.underWay === 0 ? 'any' : 'new'
      waiting[lanes.includes('new') ? place : 'retry'].join(queue)
    },
    nextWaiting: () => {
      const forAny = hasAnyPlace() ? waiting.any.first() : undefined
      return forAny ?? (hasGeneralPlace() ? nextInTurn() : undefined)
    },
    mayHaveChanged: ({ line }, why) => line === waiting.retry || (why === 'ended' && line === waiting.new),
    began: (lane) => {
      underWay[lane] += 1
    },
    ended: (lane) => {
      underWay[lane] -= 1
    },
    underWay: () => underWay,
  }
}
