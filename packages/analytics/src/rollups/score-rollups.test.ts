import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decided, dimensions, effectOf, inLog, outcome, projected, recorded } from '../sample-records.fixture.ts'
import { type ScoreRollup, scoreRollups } from './score-rollups.ts'

const scored = (
  at: number,
  value: number,
  change: { readonly gateway?: string; readonly cardIsIn?: string; readonly method?: string; readonly slow?: boolean } = {},
) => {
  const { gateway = 'adyen', cardIsIn = '411111', method = 'CREDIT', slow = false } = change
  const report = outcome(`p${at}`, at, { gateway })
  const payment = { ...dimensions, cardIsIn, paymentMethod: method }
  return recorded(report, [effectOf(report, { slow, score: { value, sampleCount: at, bucketSize: 125 }, payment })])
}

const minutes = (records: Parameters<typeof inLog>[0]): readonly ScoreRollup[] =>
  projected(scoreRollups, inLog(records)).map(({ view }) => view)

describe('score rollups', () => {
  test('a minute keeps sum, count and newest score of each cluster and gateway', () => {
    const [first, second] = minutes([
      scored(1_000, 0.5),
      scored(3_000, 1),
      scored(2_000, 0.75),
      scored(60_000, 0.25, { gateway: 'stripe' }),
    ])
    expect(first?.cells).toEqual([
      expect.objectContaining({
        gateway: 'adyen',
        scoreSum: 2.25,
        scoreCount: 3,
        lastScore: 0.75,
        lastAtMs: 3_000,
        lastSampleCount: 2_000,
      }),
    ])
    expect(second).toMatchObject({ minuteMs: 60_000, cells: [{ gateway: 'stripe', lastScore: 0.25 }] })
  })

  test('an outcome that waited for its decision moves the window when the decision comes: the score of before stayed the newest', () => {
    const [minute] = minutes([
      scored(2_000, 1),
      recorded(decided('early', 3_000), [effectOf(outcome('early', 1_000), { score: { value: 0.9, sampleCount: 2, bucketSize: 10 } })]),
    ])
    expect(minute?.cells).toMatchObject([{ scoreCount: 2, lastScore: 0.9, lastSampleCount: 2, lastAtMs: 3_000 }])
  })

  test('the newest score is the last of the log: clocks of several workers and replicas differ, and each scored what came before', () => {
    const [minute] = minutes([scored(2_001, 0.98), scored(2_000, 0.96)])
    expect(minute?.cells).toMatchObject([{ lastScore: 0.96, lastSampleCount: 2_000, lastAtMs: 2_001 }])
  })

  test('slow successes are counted apart; a cell without any says nothing of them', () => {
    const cellsOf = (...slow: readonly boolean[]) => minutes(slow.map((isSlow, at) => scored(at, 1, { slow: isSlow })))[0]?.cells
    expect(cellsOf(false, true, false, true)?.[0]).toMatchObject({ slowCount: 2, scoreCount: 4 })
    expect(cellsOf(true)?.[0]).toMatchObject({ slowCount: 1 })
    expect(cellsOf(false, false)?.[0]).not.toHaveProperty('slowCount')
  })

  test('clusters are kept apart', () => {
    const [minute] = minutes([scored(1, 0.5), scored(2, 0.7, { cardIsIn: '520000' })])
    expect(minute?.cells.map(({ cardIsIn, scoreSum }) => [cardIsIn, scoreSum])).toEqual([
      ['411111', 0.5],
      ['520000', 0.7],
    ])
  })

  test('an outcome that moved no window leaves no trace', () => {
    const report = outcome('p', 1)
    expect(minutes([recorded(report, [effectOf(report, { disposition: 'late', score: null })])])).toEqual([])
  })

  test('beyond 256 clusters scores go to one cell by method and gateway', () => {
    const [minute] = minutes(Array.from({ length: 300 }, (_, i) => scored(i, 0.5, { cardIsIn: `${400_000 + i}` })))
    expect(minute?.cells).toHaveLength(257)
    expect(minute?.cells.at(-1)).toMatchObject({ precision: 'coarse', cardIsIn: null, scoreCount: 44, scoreSum: 22 })
    expect(minute).toMatchObject({ coarseCount: 44, lostCount: 0 })
  })

  test('a minute stays bounded whatever is sent, and says what is missing', () => {
    const [minute] = minutes(Array.from({ length: 400 }, (_, i) => scored(i, 0.5, { method: `method ${i}` })))
    expect(minute?.cells).toHaveLength(320)
    expect(minute).toMatchObject({ coarseCount: 64, lostCount: 80 })
  })

  test('sums and counts of the cells are those of the scores, in any order', () => {
    const anyScore = fc.record({
      at: fc.integer({ min: 0, max: 59_999 }),
      eighths: fc.integer({ min: 0, max: 8 }),
      gateway: fc.constantFrom('adyen', 'stripe'),
      cardIsIn: fc.constantFrom('411111', '520000'),
    })
    fc.assert(
      fc.property(fc.array(anyScore, { minLength: 1, maxLength: 40 }), (scores) => {
        const sumsOf = (order: typeof scores) =>
          (minutes(order.map(({ at, eighths, ...change }) => scored(at, eighths / 8, change)))[0]?.cells ?? [])
            .map(({ gateway, cardIsIn, scoreSum, scoreCount }) => JSON.stringify([gateway, cardIsIn, scoreSum, scoreCount]))
            .sort()
        expect(sumsOf(scores)).toEqual(sumsOf(scores.toReversed()))
        expect(minutes(scores.map(({ at, eighths }) => scored(at, eighths / 8)))[0]?.cells[0]?.scoreCount).toBe(scores.length)
      }),
    )
  })
})
