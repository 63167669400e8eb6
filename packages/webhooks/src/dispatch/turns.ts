import type { Admission } from './admission.ts'
import { createAlarms } from './alarms.ts'
import type { Delivery, EndpointQueue, Lane } from './endpoint-queue.ts'
import { createLine, type Line } from './line.ts'

/**
 * Where endpoints stand: in the line of those that take turns, in one of the lines for a place in the process, asleep until a moment,
 * or nowhere, until something of theirs ends.
 */
export interface Turns<D extends Delivery> {
  readonly enter: (queue: EndpointQueue<D>) => void
  /** After an offer or an end: enters, unless it stands where that changes nothing. */
  readonly reconsider: (queue: EndpointQueue<D>, why: 'offered' | 'ended') => void
  readonly sleep: (queue: EndpointQueue<D>, untilMs: number) => void
  /** Waits for a place in the process for one of these lanes. */
  readonly crowd: (queue: EndpointQueue<D>, lanes: readonly Lane[]) => void
  readonly wakeUp: (queue: EndpointQueue<D>) => void
  /** Whose turn it is, out of its line. */
  readonly next: (nowMs: number) => EndpointQueue<D> | undefined
  readonly wakeAtMs: () => number | undefined
}

export const createTurns = <D extends Delivery>(admission: Admission<D>): Turns<D> => {
  const ready = createLine<EndpointQueue<D>>()
  /** By the place that will do: any, one that is not reserved, or one for retries. */
  const crowded: Readonly<Record<'any' | Lane, Line<EndpointQueue<D>>>> = { any: createLine(), new: createLine(), retry: createLine() }
  const alarms = createAlarms<EndpointQueue<D>>()
  let turn: Lane = 'retry'

  const wakeUp = (queue: EndpointQueue<D>): void => {
    alarms.cancel(queue)
    ready.join(queue)
  }
  const wakeAll = (nowMs: number): void => {
    for (let queue = alarms.earliest(); queue !== undefined && queue.wakeAtMs <= nowMs; queue = alarms.earliest()) wakeUp(queue)
  }
  /** New events and retries take turns here too. */
  const nextByKind = (): EndpointQueue<D> | undefined => {
    turn = turn === 'new' ? 'retry' : 'new'
    const forRetry = admission.hasRetryPlace() ? crowded.retry.first() : undefined
    return turn === 'new' ? (crowded.new.first() ?? forRetry) : (forRetry ?? crowded.new.first())
  }
  /** Of the endpoints that wait, one for which there is a place now. */
  const nextOfCrowd = (): EndpointQueue<D> | undefined => {
    if (!admission.hasAnyPlace()) return undefined
    const forAny = crowded.any.first()
    if (forAny !== undefined) return forAny
    return admission.hasGeneralPlace() ? nextByKind() : undefined
  }

  return {
    enter: (queue) => ready.join(queue),
    reconsider: (queue, why) => {
      const isCrowded = queue.line === crowded.retry || (why === 'ended' && queue.line === crowded.new)
      if (queue.alarm === -1 && (queue.line === undefined || isCrowded)) ready.join(queue)
    },
    sleep: (queue, untilMs) => alarms.set(queue, untilMs),
    crowd: (queue, lanes) => {
      const place = queue.underWay === 0 ? 'any' : 'new'
      crowded[lanes.includes('new') ? place : 'retry'].join(queue)
    },
    wakeUp,
    next: (nowMs) => {
      wakeAll(nowMs)
      const queue = nextOfCrowd() ?? ready.first()
      queue?.line?.leave(queue)
      return queue
    },
    wakeAtMs: () => alarms.earliest()?.wakeAtMs,
  }
}
