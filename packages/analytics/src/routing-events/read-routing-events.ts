import type { ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { ROUTING_METHODS_PAGE_DOCUMENTS, ROUTING_METHODS_SCANNED_MAX } from '../limits.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from '../queries/freshness.ts'
import { compareText } from '../queries/groups.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { bucketOf, resolveWindow, type WindowQuery } from '../queries/window.ts'
import { ROUTING_EVENTS_BY_TIME, type RoutingEvent, type RoutingEvents, routingEvents } from './routing-events.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 168 * HOUR_MS
const SECOND_MS = 1_000

/** Which events are asked for; undefined asks for nothing. */
export interface RoutingEventsQuery {
  readonly window: WindowQuery
  readonly paymentMethodType: string | undefined
  readonly paymentMethod: string | undefined
  /** Outcomes that a new leader has at least. */
  readonly minSampleCount: number
  /** By how much it is better than a former leader that could still lead. */
  readonly minScoreDelta: number
  /** Most events of an answer. */
  readonly limit: number
  /** What times are rounded down to in `bucketMs` and in ids, milliseconds. */
  readonly bucketMs: number
}

/** A routing event as it is told. */
interface ToldEvent extends RoutingEvent {
  /** The same in every answer with the same width. */
  readonly id: string
  readonly bucketMs: number
  readonly paymentMethodType: string
  readonly paymentMethod: string
}

/** Events of a window, newest first. */
export interface RoutingFeed {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly events: readonly ToldEvent[]
  readonly freshness: Freshness
}

/** A long window is cut from its start (analytics.md 5.1). */
const cut = (startMs: number, endMs: number, bucketMs: number): number =>
  Math.max(startMs, endMs - (bucketMs === SECOND_MS ? HOUR_MS : WEEK_MS))

const isStrong = (event: RoutingEvent, { minSampleCount, minScoreDelta }: RoutingEventsQuery): boolean => {
  if (event.kind !== 'leader_changed') return true
  if ((event.sampleCount ?? 0) < minSampleCount) return false
  return event.previousScore === null || (event.score ?? 0) > event.previousScore + minScoreDelta
}

const idOf = (event: RoutingEvent, { merchantId, paymentMethodType, paymentMethod }: RoutingEvents, bucketMs: number): string => {
  const who = event.kind === 'leader_changed' ? `${event.previousGateway}>${event.gateway}` : event.gateway
  return `${event.kind}:${merchantId}:${paymentMethodType || '-'}:${paymentMethod || '-'}:${bucketMs}:${who}`
}

const isUnsetOr = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

/** The feed of routing events (analytics.md 5): facts as they were noticed; parameters leave some out and never change any. */
export const readRoutingEvents = async (
  store: ReadStore,
  now: number,
  merchantId: string,
  query: RoutingEventsQuery,
): Promise<RoutingFeed> => {
  const whole = resolveWindow(query.window, now)
  const window = { ...whole, startMs: cut(whole.startMs, whole.endMs, query.bucketMs) }
  const positions: IncludedPositions = new Map()
  const told = new Map<string, ToldEvent>()
  let isCut = false
  const range = {
    collection: routingEvents.name,
    index: ROUTING_EVENTS_BY_TIME,
    prefix: [keyPart(merchantId)],
    from: window.startMs,
    order: 'descending',
    documentsMax: ROUTING_METHODS_SCANNED_MAX,
    pageDocuments: ROUTING_METHODS_PAGE_DOCUMENTS,
  } as const
  const end = await scan<RoutingEvents>(
    store,
    range,
    ({ body }) => body.lastAtMs,
    ({ body, position }) => {
      include(positions, position)
      const { paymentMethodType, paymentMethod } = body
      if (!isUnsetOr(query.paymentMethodType, paymentMethodType) || !isUnsetOr(query.paymentMethod, paymentMethod)) return
      if (body.droppedAtMs >= window.startMs) isCut = true
      for (const event of body.events) {
        if (event.at < window.startMs || event.at > window.endMs || !isStrong(event, query)) continue
        const bucketMs = bucketOf(event.at, query.bucketMs)
        const id = idOf(event, body, bucketMs)
        told.set(id, { ...event, id, bucketMs, paymentMethodType, paymentMethod })
      }
    },
  )
  const events = [...told.values()].sort((a, b) => b.bucketMs - a.bucketMs || compareText(a.id, b.id)).slice(0, query.limit)
  return {
    merchantId,
    window: answeredWindow(window),
    events,
    freshness: freshnessOf(now, { positions, ends: [end, isCut ? 'truncated' : 'complete'] }),
  }
}
