import type { CollectionSpec, DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart, merchantOf } from '../keys.ts'
import { LEADER_WINDOWS_MAX, ROUTING_EVENTS_MAX } from '../limits.ts'
import { type OutcomeEffect, outcomesOf, type RecordedPayment } from '../recorded-payment.ts'
import { type Leadership, ledAfter, NO_LEADERSHIP } from './leadership.ts'

/** What happened to the order of gateways, as it was noticed at the time. */
export interface RoutingEvent {
  readonly kind: 'leader_changed' | 'gateway_entered_downtime' | 'gateway_left_downtime'
  /** Epoch milliseconds. */
  readonly at: number
  readonly gateway: string
  /** The former leader; null for downtime. */
  readonly previousGateway: string | null
  /** Of the gateway, 0 to 1; null when its window is not known. */
  readonly score: number | null
  /** Of the former leader; null when it had none that still counts. */
  readonly previousScore: number | null
  /** Real outcomes behind the score. */
  readonly sampleCount: number | null
}

interface LedWindow extends Leadership {
  /** Whose scores can be held against each other. */
  readonly window: string
  /** Epoch milliseconds. */
  readonly lastAtMs: number
}

/** Leaders and events of the payments of one method. */
export interface RoutingEvents {
  readonly merchantId: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly windows: readonly LedWindow[]
  /** The newest {@link ROUTING_EVENTS_MAX}, in the order of the log. */
  readonly events: readonly RoutingEvent[]
  /** Time of the newest event, epoch milliseconds; 0 before the first. */
  readonly lastAtMs: number
  /** Time of the newest event that is not kept any more; 0 while all are. */
  readonly droppedAtMs: number
}

const withEvent = (view: RoutingEvents, event: RoutingEvent): RoutingEvents => {
  const dropped = view.events.length < ROUTING_EVENTS_MAX ? undefined : view.events[0]
  return {
    ...view,
    events: [...(dropped === undefined ? view.events : view.events.slice(1)), event],
    lastAtMs: Math.max(view.lastAtMs, event.at),
    droppedAtMs: Math.max(view.droppedAtMs, dropped?.at ?? 0),
  }
}

const withWindow = (windows: readonly LedWindow[], next: LedWindow): readonly LedWindow[] => {
  const index = windows.findIndex(({ window }) => window === next.window)
  if (index >= 0) return windows.with(index, next)
  if (windows.length < LEADER_WINDOWS_MAX) return [...windows, next]
  const oldest = windows.reduce((a, b) => (b.lastAtMs < a.lastAtMs ? b : a))
  return [...windows.filter((window) => window !== oldest), next]
}

const withScore = (view: RoutingEvents, { gateway, at, score, payment }: OutcomeEffect): RoutingEvents => {
  if (score === null || payment === null) return view
  const known = view.windows.find(({ window }) => window === payment.window) ?? NO_LEADERSHIP
  const { next, flip } = ledAfter(known, { gateway, score: score.value, sampleCount: score.sampleCount, at })
  const led = { ...view, windows: withWindow(view.windows, { ...next, window: payment.window, lastAtMs: at }) }
  if (flip === null) return led
  const { best, previous, previousScore } = flip
  const event = { at, gateway: best.gateway, previousGateway: previous, score: best.score, previousScore, sampleCount: best.sampleCount }
  return withEvent(led, { kind: 'leader_changed', ...event })
}

const withHealth = (view: RoutingEvents, { gateway, at, score, health }: OutcomeEffect): RoutingEvents =>
  health === null
    ? view
    : withEvent(view, {
        kind: health === 'down' ? 'gateway_entered_downtime' : 'gateway_left_downtime',
        at,
        gateway,
        previousGateway: null,
        score: score?.value ?? null,
        previousScore: null,
        sampleCount: score?.sampleCount ?? null,
      })

const keyOf = ({ merchantId, payment }: OutcomeEffect): DocumentKey | undefined =>
  payment === null ? undefined : [keyPart(merchantId), keyPart(payment.paymentMethodType), keyPart(payment.paymentMethod)]

const isAbout = (effect: OutcomeEffect, key: DocumentKey): boolean => {
  const own = keyOf(effect)
  return own !== undefined && own.every((part, index) => part === key[index])
}

/** Leader changes and downtime as facts: noticed once, when they happen, and the same for every reader (analytics.md 5). */
export const routingEvents: DocumentProjection<RoutingEvents, RecordedPayment> = {
  name: 'routing-events-v1',
  endedBy,

  keysOf: (record) => {
    const moved = outcomesOf(record).filter(({ score, health }) => score !== null || health !== null)
    const keys = moved.flatMap((effect): DocumentKey[] => {
      const key = keyOf(effect)
      return key === undefined ? [] : [key]
    })
    return keys.length < 2 ? keys : [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  },

  initialView: (key) => ({
    merchantId: merchantOf(key),
    paymentMethodType: String(key[1]),
    paymentMethod: String(key[2]),
    windows: [],
    events: [],
    lastAtMs: 0,
    droppedAtMs: 0,
  }),

  project: (view, record, key) =>
    outcomesOf(record)
      .filter((effect) => isAbout(effect, key))
      .reduce((next, effect) => withHealth(withScore(next, effect), effect), view),
}

/** Declared order: by the time of the newest event, within a merchant. */
export const ROUTING_EVENTS_BY_TIME = 'by-last-event'

/** The collection and the order that the feed reads by. */
export const routingEventsCollection: CollectionSpec = {
  name: routingEvents.name,
  indexes: [{ name: ROUTING_EVENTS_BY_TIME, fields: ['merchantId', 'lastAtMs'] }],
}
