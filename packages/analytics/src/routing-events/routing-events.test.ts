import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import { ROUTING_EVENTS_MAX } from '../limits.ts'
import type { OutcomeEffect } from '../recorded-payment.ts'
import { dimensions, effectOf, inLog, MERCHANT, outcome, projected, recorded, writesOf } from '../sample-records.fixture.ts'
import { type RoutingEventsQuery, readRoutingEvents } from './read-routing-events.ts'
import { routingEvents } from './routing-events.ts'

const NOW = 1_000_000_000

const scored = (at: number, gateway: string, value: number, change: Partial<OutcomeEffect> = {}) => {
  const report = outcome(`p${at}`, at, { gateway })
  return recorded(report, [effectOf(report, { score: { value, sampleCount: 20, bucketSize: 125 }, ...change })])
}

const past = [
  scored(NOW - 600_000, 'adyen', 0.8),
  scored(NOW - 500_000, 'stripe', 0.9),
  scored(NOW - 400_000, 'stripe', 0.5, { health: 'down' }),
  scored(NOW - 300_000, 'adyen', 0.8),
  scored(NOW - 200_000, 'stripe', 0.6, { health: 'up' }),
]

const feed = async (records: Parameters<typeof inLog>[0], change: Partial<RoutingEventsQuery> = {}) => {
  const store = createMemoryStore({ collections: analyticsCollections })
  await store.write(writesOf(routingEvents, inLog(records)))
  return await readRoutingEvents(store, NOW, MERCHANT, {
    window: { range: '1h', startMs: undefined, endMs: undefined, bucket: undefined, historySince: 0 },
    paymentMethodType: undefined,
    paymentMethod: undefined,
    minSampleCount: 10,
    minScoreDelta: 0.01,
    limit: 50,
    bucketMs: 300_000,
    ...change,
  })
}

describe('routing events', () => {
  test('leader changes and downtime are noticed when they happen', () => {
    const [document] = projected(routingEvents, inLog(past))
    expect(document?.view.events.map(({ kind, gateway, previousGateway, at }) => [kind, gateway, previousGateway, NOW - at])).toEqual([
      ['leader_changed', 'stripe', 'adyen', 500_000],
      ['leader_changed', 'adyen', 'stripe', 400_000],
      ['gateway_entered_downtime', 'stripe', null, 400_000],
      ['gateway_left_downtime', 'stripe', null, 200_000],
    ])
  })

  test('scores of different windows are not held against each other', () => {
    const other = { payment: { ...dimensions, window: 'another' } }
    const [document] = projected(routingEvents, inLog([scored(1, 'adyen', 0.5), scored(2, 'stripe', 0.9, other), scored(3, 'adyen', 0.6)]))
    expect(document?.view.events).toEqual([])
    expect(document?.view.windows.map(({ leader }) => leader)).toEqual(['adyen', 'stripe'])
  })

  test('a document keeps the newest, and says when the others were', () => {
    const many = Array.from({ length: ROUTING_EVENTS_MAX + 5 }, (_, i) => scored(i, 'adyen', 0.9, { health: i % 2 === 0 ? 'down' : 'up' }))
    const [document] = projected(routingEvents, inLog(many))
    expect(document?.view.events).toHaveLength(ROUTING_EVENTS_MAX)
    expect(document?.view.droppedAtMs).toBe(4)
  })
})

describe('the feed of routing events', () => {
  test('newest first, with ids that clients know', async () => {
    const { events, freshness } = await feed(past, { bucketMs: 60_000 })
    expect(events.map(({ id }) => id)).toEqual([
      `gateway_left_downtime:m_1:CARD:CREDIT:999780000:stripe`,
      `gateway_entered_downtime:m_1:CARD:CREDIT:999600000:stripe`,
      `leader_changed:m_1:CARD:CREDIT:999600000:stripe>adyen`,
      `leader_changed:m_1:CARD:CREDIT:999480000:adyen>stripe`,
    ])
    expect(events.at(-1)).toMatchObject({ score: 0.9, previousScore: 0.8, sampleCount: 20 })
    expect(freshness).toMatchObject({ asOfMs: NOW, positions: [{ partition: 3, offset: 4 }], truncated: false })
  })

  test('reading with other parameters leaves events out and never changes one', async () => {
    const all = (await feed(past)).events
    expect((await feed(past, { minScoreDelta: 0.2 })).events).toEqual(
      all.filter(({ gateway, kind }) => kind !== 'leader_changed' || gateway === 'adyen'),
    )
    expect((await feed(past, { minSampleCount: 21, bucketMs: 60_000 })).events.map(({ kind }) => kind)).toEqual([
      'gateway_left_downtime',
      'gateway_entered_downtime',
    ])
    expect((await feed(past, { limit: 1 })).events).toEqual(all.slice(0, 1))
    expect((await feed(past, { paymentMethod: 'DEBIT' })).events).toEqual([])
  })

  test('windows are at most a week, and an hour with seconds', async () => {
    const window = { range: '1w', startMs: 0, endMs: NOW, bucket: undefined, historySince: 0 } as const
    expect((await feed(past, { window })).window).toEqual({ label: 'custom', startMs: NOW - 604_800_000, endMs: NOW })
    expect((await feed(past, { window, bucketMs: 1_000 })).window.startMs).toBe(NOW - 3_600_000)
  })
})
