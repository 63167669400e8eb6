import { createAlarms } from './alarms.ts'
import type { Delivery, EndpointQueue } from './endpoint-queue.ts'
import { createLine } from './line.ts'
import type { ProcessPlaces } from './process-places.ts'

/**
 * Where endpoints stand: in the line of those that take turns, in a line for a place of the process or the merchant, asleep until a
 * moment, or nowhere, until something of theirs ends.
 */
export interface Turns<D extends Delivery> {
  readonly enter: (queue: EndpointQueue<D>) => void
  /** After an offer or an end: enters, unless it stands where that changes nothing. */
  readonly reconsider: (queue: EndpointQueue<D>, why: 'offered' | 'ended') => void
  readonly sleep: (queue: EndpointQueue<D>, untilMs: number) => void
  readonly wakeUp: (queue: EndpointQueue<D>) => void
  /** Whose turn it is, out of its line. */
  readonly next: (nowMs: number) => EndpointQueue<D> | undefined
  readonly wakeAtMs: () => number | undefined
}

export const createTurns = <D extends Delivery>(places: ProcessPlaces<D>): Turns<D> => {
  const ready = createLine<EndpointQueue<D>>()
  const alarms = createAlarms<EndpointQueue<D>>()

  const wakeUp = (queue: EndpointQueue<D>): void => {
    alarms.cancel(queue)
    ready.join(queue)
  }
  const wakeAll = (nowMs: number): void => {
    for (let queue = alarms.earliest(); queue !== undefined && queue.wakeAtMs <= nowMs; queue = alarms.earliest()) wakeUp(queue)
  }

  return {
    enter: (queue) => ready.join(queue),
    reconsider: (queue, why) => {
      if (queue.alarm === -1 && (queue.line === undefined || places.mayHaveChanged(queue, why))) ready.join(queue)
    },
    sleep: (queue, untilMs) => alarms.set(queue, untilMs),
    wakeUp,
    next: (nowMs) => {
      wakeAll(nowMs)
      const queue = places.nextWaiting() ?? ready.first()
      queue?.line?.leave(queue)
      return queue
    },
    wakeAtMs: () => alarms.earliest()?.wakeAtMs,
  }
}
