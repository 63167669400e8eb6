import { beforeAll, describe, expect, test } from '@jest/globals'
import type { OutcomeRecorded } from '@switchyard/events'
import { decided, decisionRefused, dimensions, effectOf, issuerDown, MERCHANT, outcome, recorded } from '../sample-records.fixture.ts'
import type { AnalyticsQueries } from './analytics-queries.ts'
import type { RoutingStats } from './routing-stats.ts'
import { decisions, errors, given, noDimensions, scores, window } from './sample-queries.fixture.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const each = <Item>(make: (index: number) => Item): readonly Item[] => Array.from({ length: 60 }, (_, index) => make(index))

const reported = (index: number, change: Partial<OutcomeRecorded['data']>) =>
  recorded(outcome(`p${index}`, index * MINUTE, { gateway: `gateway ${index}`, ...change }))

/** A day, once from the figures of the day and once from those of its minutes. */
const ofADay = { ...window, startMs: 0, endMs: DAY, bucket: '1d' } as const
const ofItsMinutes = { ...ofADay, bucket: '1m' } as const

describe('a day with more groups than it keeps', () => {
  test.each([
    ['errors', each((index) => recorded(decisionRefused(`r${index}`, index * MINUTE, `message ${index}`)))],
    ['rules', each((index) => recorded(decided(`p${index}`, index * MINUTE, { priorityLogicTag: `rule ${index}` })))],
    ['smart retries', each((index) => reported(index, { smartRetry: true }))],
    ['outcomes of gateways', each((index) => reported(index, {}))],
    [
      'failures worth a retry',
      each((index) =>
        reported(index, {
          gateway: `gateway ${index % 2}`,
          status: 'FAILURE',
          errorClass: { ...issuerDown, standardisedCode: `code ${index}` },
        }),
      ),
    ],
  ])('says in the overview that it lacks some: %s', async (_, records) => {
    const queries = await given(records)
    expect((await queries.overview(MERCHANT, scores({ window: ofADay }))).freshness.truncated).toBe(true)
    expect((await queries.overview(MERCHANT, scores({ window: ofItsMinutes }))).freshness.truncated).toBe(false)
  })

  test('says so with the errors, of which the most frequent may be missing; counts are whole', async () => {
    const queries = await given([
      ...each((index) => recorded(decisionRefused(`r${index}`, index * MINUTE, `message ${index}`))),
      ...each((index) => recorded(decisionRefused(`s${index}`, 61 * MINUTE, 'frequent'))),
    ])
    expect(await queries.logSummaries(MERCHANT, errors({ window: ofADay }))).toMatchObject({
      errorCount: 120,
      freshness: { truncated: true },
    })
    expect(await queries.decisions(MERCHANT, decisions({ window: ofADay }))).toMatchObject({
      errorCount: 120,
      freshness: { truncated: false },
    })
    const exact = await queries.logSummaries(MERCHANT, errors({ window: ofItsMinutes }))
    expect(exact).toMatchObject({ errorCount: 120, freshness: { truncated: false } })
    expect(exact.errors[0]).toMatchObject({ errorMessage: 'frequent', count: 60 })
  })
})

describe('a day with more kinds of decisions than it tells apart', () => {
  const past = [
    ...Array.from({ length: 300 }, (_, index) => recorded(decided(`p${index}`, index * MINUTE, { country: `C${index}` }))),
    ...each((index) => recorded(decided(`q${index}`, (300 + index) * MINUTE, { country: `D${index}`, priorityLogicTag: 'rule' }))),
  ]

  test('does not lose their rules from the routing stats', async () => {
    const queries = await given(past)
    const whole = await queries.routingStats(MERCHANT, decisions({ window: ofADay }))
    expect(whole.topRules).toEqual([{ ruleName: 'rule', count: 60 }])
    expect(whole.freshness.truncated).toBe(false)
  })

  test('says of filtered rules that it lacks some', async () => {
    const queries = await given(past)
    for (const [read, isCut] of [
      [ofADay, true],
      [ofItsMinutes, false],
    ] as const) {
      const stats = await queries.routingStats(MERCHANT, decisions({ window: read, gateways: ['adyen'] }))
      const overview = await queries.overview(MERCHANT, scores({ window: read, gateways: ['adyen'] }))
      expect([stats.freshness.truncated, overview.freshness.truncated]).toEqual([isCut, isCut])
    }
  })

  test('has no rules to lack where none took part', async () => {
    const queries = await given(past.slice(0, 300))
    expect(await queries.overview(MERCHANT, scores({ window: ofADay, gateways: ['adyen'] }))).toMatchObject({
      narrowed: { decisionCount: 300, ruleHitCount: 0 },
      freshness: { truncated: false },
    })
  })
})

describe('a day with more kinds of decisions than it has cells for', () => {
  const past = Array.from({ length: 400 }, (_, index) => {
    const gateway = index % 2 === 0 ? 'adyen' : 'stripe'
    return recorded(
      decided(`p${index}`, index * MINUTE, { paymentMethod: `M${index}`, gateway, approach: index < 300 ? 'SR_V3' : 'PRIORITY' }),
    )
  })

  let queries: AnalyticsQueries
  beforeAll(async () => {
    queries = await given(past)
  })

  test('tells all decisions by label and by gateway as long as no dimension is asked for', async () => {
    const whole = await queries.decisions(MERCHANT, decisions({ window: ofADay }))
    expect(whole).toMatchObject({ decisionCount: 400, freshness: { truncated: false } })
    expect(whole.series.map(({ approach, count }) => [approach, count])).toEqual([
      ['PRIORITY', 100],
      ['SR_V3', 300],
    ])
    const { shares, freshness } = await queries.routingStats(MERCHANT, decisions({ window: ofADay }))
    expect([shares.map(({ gateway, count }) => [gateway, count]), freshness.truncated]).toEqual([
      [
        ['adyen', 200],
        ['stripe', 200],
      ],
      false,
    ])
  })

  test.each([
    [{ gateways: ['stripe'] }, 200],
    [{ routingApproach: 'PRIORITY' }, 100],
    [{ excludeRoutingApproach: 'PRIORITY', gateways: ['adyen'] }, 150],
  ])('tells all decisions of gateways and labels: %j', async (change, count) => {
    const asked = decisions({ window: ofADay, ...change })
    expect(await queries.decisions(MERCHANT, asked)).toMatchObject({ decisionCount: count, freshness: { truncated: false } })
    const { shares } = await queries.routingStats(MERCHANT, asked)
    expect(shares.reduce((sum, share) => sum + share.count, 0)).toBe(count)
  })

  test('tells all decisions of gateways in the overview', async () => {
    const { narrowed } = await queries.overview(MERCHANT, scores({ window: ofADay, gateways: ['stripe'] }))
    expect(narrowed.decisionCount).toBe(200)
  })

  test('is read by its hours where a dimension is asked for that it does not tell of all', async () => {
    const ofFrance = recorded(decided('f', 390 * MINUTE, { country: 'FR', paymentMethod: 'M1', currency: 'SEK' }))
    const told = await given([...past, ofFrance])
    for (const [country, count] of [
      ['DE', 400],
      ['FR', 1],
    ] as const) {
      const asked = decisions({ window: ofADay, dimensions: { ...noDimensions, country } })
      expect(await told.decisions(MERCHANT, asked)).toMatchObject({
        bucketMs: DAY,
        decisionCount: count,
        series: expect.arrayContaining([expect.objectContaining({ bucketMs: 0 })]),
        freshness: { truncated: false },
      })
      expect((await told.overview(MERCHANT, scores(asked))).narrowed.decisionCount).toBe(count)
    }
  })

  test('counts all of them also where a minute has more gateways than it tells apart', async () => {
    const many = past.map((_, index) => recorded(decided(`p${index}`, MINUTE, { gateway: `gateway ${index}` })))
    const whole = await (await given(many)).decisions(MERCHANT, decisions({ window: ofADay }))
    expect(whole).toMatchObject({ decisionCount: 400, freshness: { truncated: true } })
    // Cells tell 320 of them, counts by gateway and label 50.
    expect(whole.series.reduce((sum, { count }) => sum + count, 0)).toBe(320)
  })
})

describe('a day with more clusters than it keeps scores of', () => {
  test('says in the routing stats that values to filter by are missing', async () => {
    const past = Array.from({ length: 257 }, (_, index) => {
      const report = outcome(`p${index}`, index * MINUTE)
      return recorded(report, [effectOf(report, { payment: { ...dimensions, country: `C${index}` } })])
    })
    const queries = await given(past)
    const countriesIn = ({ vocabulary }: RoutingStats) =>
      vocabulary.dimensions.find(({ dimension }) => dimension === 'country')?.values.length
    const cut = await queries.routingStats(MERCHANT, decisions({ window: ofADay }))
    expect([countriesIn(cut), cut.freshness.truncated]).toEqual([256, true])
    const exact = await queries.routingStats(MERCHANT, decisions({ window: ofItsMinutes }))
    expect([countriesIn(exact), exact.freshness.truncated]).toEqual([257, false])
  })

  test('is read by its hours where scores of a dimension are asked for that it does not tell of all', async () => {
    const past = Array.from({ length: 300 }, (_, index) => {
      const report = outcome(`p${index}`, index * MINUTE)
      return recorded(report, [
        effectOf(report, { payment: { ...dimensions, country: `C${index}`, currency: index < 290 ? 'EUR' : 'SEK' } }),
      ])
    })
    const asked = scores({ window: ofADay, dimensions: { ...noDimensions, currency: 'SEK' } })
    const { series, freshness } = await (await given(past)).gatewayScores(MERCHANT, asked)
    expect([series.map(({ bucketMs, scoreCount }) => [bucketMs, scoreCount]), freshness.truncated]).toEqual([[[0, 10]], false])
  })
})
