import { describe, expect, test } from '@jest/globals'
import {
  decided,
  decisionRefused,
  issuerDown,
  MERCHANT,
  outcome,
  outcomeRefused,
  recorded,
  refusedPayment,
} from '../sample-records.fixture.ts'
import { decisions, errors, given, noDimensions, scored, scores, window } from './sample-queries.fixture.ts'

describe('a filtered overview', () => {
  test('decisions, rules and scores are those of the payments asked for', async () => {
    const queries = await given([
      recorded(decided('a', 1_000, { priorityLogicTag: 'r1' })),
      recorded(decided('b', 1_000, { priorityLogicTag: 'r2', gateway: 'stripe' })),
      recorded(decided('c', 61_000, { gateway: 'stripe', currency: 'USD' })),
      scored('b', 2_000, 'stripe', 0.9),
    ])
    const overview = await queries.overview(MERCHANT, scores({ gateways: ['stripe'] }))
    expect(overview.narrowed).toEqual({ decisionCount: 2, ruleHitCount: 1, scoreCount: 1 })
    expect(overview.topRules).toEqual([{ ruleName: 'r2', count: 1 }])
    const euros = await queries.overview(MERCHANT, scores({ dimensions: { ...noDimensions, currency: 'EUR' } }))
    expect(euros.narrowed.decisionCount).toBe(2)
  })

  test('failures that the error-code table calls worth a retry are counted by gateway and code', async () => {
    const failed = (id: string, decision: string) =>
      recorded(outcome(id, 1_000, { status: 'FAILURE', errorClass: { ...issuerDown, decision } }))
    const queries = await given([failed('a', 'retry'), failed('b', 'retry'), failed('c', 'do_default')])
    expect((await queries.overview(MERCHANT, scores())).triggers).toEqual([{ gateway: 'adyen', errorCode: 'issuer_down', count: 2 }])
  })
})

describe('decisions', () => {
  const past = [
    recorded(decided('a', 1_000, { approach: 'SR_V3' })),
    recorded(decided('b', 2_000, { approach: 'PRIORITY' })),
    recorded(decided('c', 61_000, { approach: 'SR_V3', gateway: 'stripe' })),
    recorded(decisionRefused('x', 62_000)),
  ]
  const minutes = { ...window, bucket: '1m' } as const

  test('by label over time, with the requests that failed', async () => {
    const answer = await (await given(past)).decisions(MERCHANT, decisions({ window: minutes }))
    expect(answer).toMatchObject({ decisionCount: 3, errorCount: 1, bucketMs: 60_000 })
    expect(answer.series).toEqual([
      { bucketMs: 0, approach: 'PRIORITY', count: 1 },
      { bucketMs: 0, approach: 'SR_V3', count: 1 },
      { bucketMs: 60_000, approach: 'SR_V3', count: 1 },
    ])
    expect(answer.approaches).toEqual([
      { approach: 'SR_V3', count: 2 },
      { approach: 'PRIORITY', count: 1 },
    ])
    expect(answer.freshness).toMatchObject({ positions: [{ partition: 3, offset: 3 }], truncated: false })
  })

  test.each([
    [{ gateways: ['stripe'] }, 1, null],
    [{ gateways: ['stripe', 'adyen'] }, 3, null],
    [{ routingApproach: 'SR_V3' }, 2, null],
    [{ excludeRoutingApproach: 'SR_V3' }, 1, null],
    [{ dimensions: { ...noDimensions, country: 'DE', cardIsIn: '411111' } }, 3, 2],
    [{ dimensions: { ...noDimensions, country: 'FR' } }, 0, 0],
  ])('filters narrow them: %j', async (change, count, errorCount) => {
    const refused = ['y', 'z'].map((id) => recorded(decisionRefused(id, 63_000, 'no gateway left', refusedPayment())))
    const answer = await (await given([...past, ...refused])).decisions(MERCHANT, decisions(change))
    expect(answer).toMatchObject({ decisionCount: count, errorCount })
  })
})

describe('routing', () => {
  test('shares, rules and scores are narrowed; the values to filter by are not', async () => {
    const queries = await given([
      recorded(decided('a', 1_000, { priorityLogicTag: 'r1' })),
      recorded(decided('b', 2_000, { gateway: 'stripe' })),
      scored('a', 2_000, 'adyen', 0.9),
      scored('b', 3_000, 'stripe', 0.5),
    ])
    const all = await queries.routingStats(MERCHANT, decisions())
    expect(all.shares.map(({ gateway, count }) => [gateway, count])).toEqual([
      ['adyen', 1],
      ['stripe', 1],
    ])
    expect(all.topRules).toEqual([{ ruleName: 'r1', count: 1 }])
    const stripe = await queries.routingStats(MERCHANT, decisions({ gateways: ['stripe'] }))
    expect(stripe.shares).toEqual([expect.objectContaining({ gateway: 'stripe', count: 1 })])
    expect(stripe.scores).toEqual([expect.objectContaining({ gateway: 'stripe', score: 0.5 })])
    expect(stripe.topRules).toEqual([])
    expect(stripe.vocabulary).toEqual(all.vocabulary)
    expect(all.vocabulary.gateways).toEqual(['adyen', 'stripe'])
    expect(all.vocabulary.dimensions.map(({ dimension, values }) => [dimension, values])).toEqual([
      ['paymentMethodType', ['CARD']],
      ['paymentMethod', ['CREDIT']],
      ['cardNetwork', ['VISA']],
      ['cardIsIn', ['411111']],
      ['currency', ['EUR']],
      ['country', ['DE']],
      ['authType', ['THREE_DS']],
    ])
  })
})

describe('errors', () => {
  const past = Array.from({ length: 25 }, (_, i) => recorded(decisionRefused(`r${i}`, i * 10_000, i % 2 === 0 ? 'even' : 'odd')))

  test('groups, all of them counted, and samples page by page, newest first', async () => {
    const queries = await given(past)
    const first = await queries.logSummaries(MERCHANT, errors())
    expect(first).toMatchObject({ errorCount: 25, sampleCount: 25 })
    expect(first.errors.map(({ errorMessage, count }) => [errorMessage, count])).toEqual([
      ['even', 13],
      ['odd', 12],
    ])
    expect(first.samples.map(({ requestId }) => requestId)).toEqual(Array.from({ length: 10 }, (_, i) => `r${24 - i}`))
    const last = await queries.logSummaries(MERCHANT, errors({ page: 3 }))
    expect(last.samples.map(({ requestId }) => requestId)).toEqual(['r4', 'r3', 'r2', 'r1', 'r0'])
    expect((await queries.logSummaries(MERCHANT, errors({ page: 4 }))).samples).toEqual([])
  })

  describe('are told apart by what they were about', () => {
    const mixed = [
      ...Array.from({ length: 60 }, (_, i) => recorded(decisionRefused(`eur${i}`, i, 'none', refusedPayment()))),
      recorded(decisionRefused('usd', 61_000, 'none', refusedPayment({ currency: 'USD', cardIsIn: null }))),
      recorded(outcomeRefused('report', 62_000)),
      recorded(decisionRefused('unreadable', 63_000)),
    ]
    const by = (change: object) => ({ dimensions: { ...noDimensions, ...change } })

    test.each([
      ['a currency', by({ currency: 'EUR' }), 60, 50],
      ['another one', by({ currency: 'USD' }), 1, 1],
      ['the first digits of a card', by({ cardIsIn: '411111' }), 60, 50],
      ['a method', by({ paymentMethodType: 'CARD' }), 61, 51],
      ['a gateway, that only reports name', { gateways: ['adyen', 'stripe'] }, 1, 1],
      ['a gateway of nobody', { gateways: ['stripe'] }, 0, 0],
    ])('%s', async (_, change, errorCount, sampleCount) => {
      const answer = await (await given(mixed)).logSummaries(MERCHANT, errors(change))
      expect(answer).toMatchObject({ errorCount, sampleCount, freshness: { truncated: false } })
    })

    test('in the overview, too', async () => {
      const overview = await (await given(mixed)).overview(MERCHANT, scores(by({ currency: 'USD' })))
      expect(overview.topErrors).toMatchObject([{ errorMessage: 'none', count: 1, lastSeenMs: 61_000 }])
    })

    test('a minute of too many kinds says that it can not tell', async () => {
      const bins = Array.from({ length: 40 }, (_, i) =>
        recorded(decisionRefused(`b${i}`, i, 'none', refusedPayment({ cardIsIn: `4000${i}` }))),
      )
      const queries = await given(bins)
      const answer = await queries.logSummaries(MERCHANT, errors(by({ cardIsIn: '400039' })))
      expect(answer).toMatchObject({ errorCount: 0, freshness: { truncated: true } })
      expect(await queries.logSummaries(MERCHANT, errors(by({ currency: 'EUR' })))).toMatchObject({
        errorCount: 40,
        freshness: { truncated: false },
      })
    })
  })

  test('route and error code narrow them; those that name no gateway are in no answer about one', async () => {
    const queries = await given(past)
    const other = { errorCount: 0, errors: [], samples: [], sampleCount: 0 }
    expect(await queries.logSummaries(MERCHANT, errors({ route: 'routing_evaluate' }))).toMatchObject(other)
    expect(await queries.logSummaries(MERCHANT, errors({ errorCode: 'other' }))).toMatchObject(other)
    expect(await queries.logSummaries(MERCHANT, errors({ gateways: ['adyen'] }))).toMatchObject(other)
    expect(await queries.logSummaries(MERCHANT, errors({ route: 'decide_gateway' }))).toMatchObject({ errorCount: 25, sampleCount: 25 })
  })
})
