import { describe, expect, test } from '@jest/globals'
import type { OutcomeRecorded } from '@switchyard/events'
import { decided, decisionRefused, dimensions, effectOf, issuerDown, MERCHANT, outcome, recorded } from '../sample-records.fixture.ts'
import type { RoutingStats } from './routing-stats.ts'
import { decisions, errors, given, scores, window } from './sample-queries.fixture.ts'

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
})
