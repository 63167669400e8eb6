import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DECISION_CELLS_DETAILED_MAX, DECISION_CELLS_FULL_MAX, DECISION_CELLS_PER_MINUTE_MAX } from '../limits.ts'
import { decided, inLog, MERCHANT, outcome, projected, recorded } from '../sample-records.fixture.ts'
import { type DecisionRollup, decisionRollups } from './decision-rollups.ts'

const minutes = (records: Parameters<typeof inLog>[0]): readonly DecisionRollup[] =>
  projected(decisionRollups, inLog(records)).map(({ view }) => view)

const countOf = (minute: DecisionRollup | undefined): number => (minute?.cells ?? []).reduce((sum, { count }) => sum + count, 0)

describe('decision rollups', () => {
  test('decisions that are alike are counted together, by minute', () => {
    const [first, second] = minutes([
      recorded(decided('a', 1_000)),
      recorded(decided('b', 2_000)),
      recorded(decided('c', 3_000, { gateway: 'stripe' })),
      recorded(decided('d', 60_000)),
      recorded(outcome('a', 61_000)),
    ])
    expect(first?.cells.map(({ gateway, count }) => [gateway, count])).toEqual([
      ['adyen', 2],
      ['stripe', 1],
    ])
    expect(first?.cells[0]).toMatchObject({ precision: 'full', cardIsIn: '411111', currency: 'EUR', country: 'DE', ruleName: null })
    expect(second).toMatchObject({ minuteMs: 60_000, cells: [{ gateway: 'adyen', count: 1 }] })
  })

  test('a minute with many cards keeps currency and country, and says what it left out', () => {
    const cards = Array.from({ length: 300 }, (_, i) => recorded(decided(`p${i}`, i, { cardIsIn: `${400_000 + i}` })))
    const [minute] = minutes(cards)
    expect(minute?.cells).toHaveLength(DECISION_CELLS_FULL_MAX + 1)
    expect(minute?.cells.at(-1)).toMatchObject({
      precision: 'unbinned',
      cardIsIn: null,
      currency: 'EUR',
      count: 300 - DECISION_CELLS_FULL_MAX,
    })
  })

  test('with more kinds than that it keeps method and gateway', () => {
    const many = Array.from({ length: 400 }, (_, i) => recorded(decided(`p${i}`, i, { country: `c${i}` })))
    const [minute] = minutes(many)
    expect(minute?.cells).toHaveLength(DECISION_CELLS_DETAILED_MAX + 1)
    expect(minute?.cells.at(-1)).toMatchObject({ precision: 'coarse', country: null, gateway: 'adyen' })
    expect(countOf(minute)).toBe(400)
  })

  test('it stays bounded whatever is sent, and counts what it lost', () => {
    const [minute] = minutes(Array.from({ length: 400 }, (_, i) => recorded(decided(`p${i}`, i, { gateway: `g${i}` }))))
    expect(minute?.cells).toHaveLength(DECISION_CELLS_PER_MINUTE_MAX)
    expect(minute?.lostCount).toBe(400 - DECISION_CELLS_PER_MINUTE_MAX)
  })

  test('nothing of an earlier merchant of the id is kept', () => {
    const again = {
      type: 'GatewayScoresReset',
      data: { merchantId: MERCHANT, requestId: 'r', at: 2_000, cause: 'REGISTERED_AGAIN', merchantRegistrationCount: 0 },
    } as const
    const [minute] = minutes([recorded(decided('a', 1_000)), recorded(again), recorded(decided('b', 3_000))])
    expect(countOf(minute)).toBe(1)
  })

  test('every decision is in one cell of its minute', () => {
    const decision = fc.record({
      at: fc.integer({ min: 0, max: 179_999 }),
      gateway: fc.constantFrom('adyen', 'stripe'),
      currency: fc.constantFrom('EUR', 'USD'),
      cardIsIn: fc.constantFrom('411111', '520000', null),
    })
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 60 }), (all) => {
        const views = minutes(all.map(({ at, ...change }, i) => recorded(decided(`p${i}`, at, change))))
        for (const view of views) {
          expect(countOf(view)).toBe(all.filter(({ at }) => Math.floor(at / 60_000) * 60_000 === view.minuteMs).length)
        }
      }),
    )
  })
})
