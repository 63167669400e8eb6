import { assert } from '@switchyard/kernel'
import type { Sleeper } from './alarms.ts'
import { type BreakerSettings, type CallResult, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { createFifo, type Fifo } from './fifo.ts'
import type { Standing } from './line.ts'

/** First attempts, or automatic retries that are due. */
export type Lane = 'new' | 'retry'

/** A delivery that waits for its attempt. */
export interface Delivery {
  readonly chainId: string
  readonly endpointId: string
  readonly merchantId: string
  readonly lane: Lane
}

/** What an endpoint takes at a time. */
export interface EndpointSettings {
  /** At least 1. */
  readonly concurrencyMax: number
  readonly perSecondMax: number | null
}

/** How late a start may be and still not shift the next ones: timers are not exact. */
const PACE_SLACK_MS = 50

/** All that is known of one endpoint: what waits, what is under way, and where it stands itself. */
export interface EndpointQueue<D extends Delivery> extends Standing<EndpointQueue<D>>, Sleeper {
  readonly id: string
  readonly merchantId: string
  readonly lanes: Readonly<Record<Lane, Fifo<D>>>
  readonly breaker: CircuitBreaker
  underWay: number
  retriesUnderWay: number
  lastLane: Lane
  /** Not before this moment, for the rate. */
  nextStartAtMs: number
}

export const createEndpointQueue = <D extends Delivery>({ endpointId, merchantId }: D, breaker: BreakerSettings): EndpointQueue<D> => ({
  id: endpointId,
  merchantId,
  lanes: { new: createFifo(), retry: createFifo() },
  breaker: createCircuitBreaker(breaker),
  underWay: 0,
  retriesUnderWay: 0,
  lastLane: 'retry',
  nextStartAtMs: 0,
  line: undefined,
  before: undefined,
  behind: undefined,
  wakeAtMs: 0,
  alarm: -1,
})

/** What an endpoint can do by itself: start one of these lanes, wait until a moment, wait until something of it ends, or nothing. */
export type Readiness =
  | { readonly kind: 'ready'; readonly lanes: readonly Lane[] }
  | { readonly kind: 'sleeps'; readonly untilMs: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'empty' }

const BUSY: Readiness = { kind: 'busy' }
const EMPTY: Readiness = { kind: 'empty' }
const OTHER: Readonly<Record<Lane, Lane>> = { new: 'retry', retry: 'new' }

/** Retries leave one place free for new events, if there is more than one. */
const retryCountMax = ({ concurrencyMax }: EndpointSettings): number => Math.max(1, concurrencyMax - 1)

/** Lanes with something to start, the one whose turn it is first: new events and retries alternate. */
const startableLanes = <D extends Delivery>(queue: EndpointQueue<D>, settings: EndpointSettings): readonly Lane[] => {
  const canRetry = queue.retriesUnderWay < retryCountMax(settings)
  const turn = OTHER[queue.lastLane]
  return [turn, OTHER[turn]].filter((lane) => queue.lanes[lane].size() > 0 && (lane === 'new' || canRetry))
}

/** How many deliveries wait. */
export const waitingCount = <D extends Delivery>({ lanes }: EndpointQueue<D>): number => lanes.new.size() + lanes.retry.size()

/** {@link Readiness} under its own concurrency, breaker and rate. */
export const readinessOf = <D extends Delivery>(queue: EndpointQueue<D>, settings: EndpointSettings, nowMs: number): Readiness => {
  if (waitingCount(queue) === 0) return EMPTY
  const state = queue.breaker.state(nowMs)
  if (state === 'open') return { kind: 'sleeps', untilMs: queue.breaker.probeAtMs() }
  if (state === 'probing' || queue.underWay >= settings.concurrencyMax) return BUSY
  if (settings.perSecondMax !== null && queue.nextStartAtMs > nowMs) return { kind: 'sleeps', untilMs: queue.nextStartAtMs }
  const lanes = startableLanes(queue, settings)
  return lanes.length === 0 ? BUSY : { kind: 'ready', lanes }
}

/** Takes the next delivery of a lane that is ready, and counts it as under way; `call` is that of the breaker. */
export const startFrom = <D extends Delivery>(
  queue: EndpointQueue<D>,
  lane: Lane,
  { perSecondMax }: EndpointSettings,
  nowMs: number,
): { readonly delivery: D; readonly call: number } => {
  const delivery = queue.lanes[lane].shift()
  assert(delivery !== undefined, 'nothing waits in a lane that is ready')
  queue.underWay += 1
  if (lane === 'retry') queue.retriesUnderWay += 1
  queue.lastLane = lane
  if (perSecondMax !== null) queue.nextStartAtMs = Math.max(queue.nextStartAtMs, nowMs - PACE_SLACK_MS) + 1000 / perSecondMax
  return { delivery, call: queue.breaker.began(nowMs) }
}

/** An attempt of this endpoint is over. */
export const endCall = <D extends Delivery>(
  queue: EndpointQueue<D>,
  { lane }: D,
  { call, result, nowMs }: { readonly call: number; readonly result: CallResult; readonly nowMs: number },
): void => {
  queue.underWay -= 1
  if (lane === 'retry') queue.retriesUnderWay -= 1
  queue.breaker.ended(call, result, nowMs)
}
