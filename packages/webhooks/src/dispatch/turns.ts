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
  /** By the kind of place that they need. */
  const crowded: Readonly<Record<Lane, Line<EndpointQueue<D>>>> = { new: createLine(), retry: createLine() }
  const alarms = createAlarms<EndpointQueue<D>>()
  let turn: Lane = 'retry'

  const wakeUp = (queue: EndpointQueue<D>): void => {
    alarms.cancel(queue)
    ready.join(queue)
  }
  const wakeAll = (nowMs: number): void => {
    for (let queue = alarms.earliest(); queue !== undefined && queue.wakeAtMs <= nowMs; queue = alarms.earliest()) wakeUp(queue)
  }
  /** Of the endpoints that wait for a place there is now; new events and retries take turns here too. */
  const nextOfCrowd = (): EndpointQueue<D> | undefined => {
    const forNew = admission.hasGeneralPlace() ? crowded.new.first() : undefined
    const forRetry = admission.hasRetryPlace() ? crowded.retry.first() : undefined
    if (forNew !== undefined && forRetry !== undefined) turn = turn === 'new' ? 'retry' : 'new'
    return turn === 'new' ? (forNew ?? forRetry) : (forRetry ?? forNew)
  }

  return {
    enter: (queue) => ready.join(queue),
    reconsider: (queue, why) => {
      const isCrowded = queue.line === crowded.retry || (why === 'ended' && queue.line === crowded.new)
      if (queue.alarm === -1 && (queue.line === undefined || isCrowded)) ready.join(queue)
    },
    sleep: (queue, untilMs) => alarms.set(queue, untilMs),
    crowd: (queue, lanes) => crowded[lanes.includes('new') ? 'new' : 'retry'].join(queue),
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
