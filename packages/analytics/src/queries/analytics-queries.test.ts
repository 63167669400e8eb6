import { describe, expect, test } from '@jest/globals'
import { decided, decisionRefused, dimensions, effectOf, evaluated, MERCHANT, outcome, recorded } from '../sample-records.fixture.ts'
import type { AnalyticsQueries } from './analytics-queries.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import type { AuditQuery } from './payment-audit.ts'
import { audit, given, NOW, noDimensions, scored, scores, window } from './sample-queries.fixture.ts'

describe('overview', () => {
  test('counts, best scores and most frequent errors of the window', async () => {
    const queries = await given([
      recorded(decided('a', 1_000, { priorityLogicTag: 'r1' })),
      scored('a', 2_000, 'adyen', 0.9),
      scored('b', 3_000, 'stripe', 0.95),
      recorded(decisionRefused('x', 61_000, 'rare')),
      recorded(decisionRefused('y', 62_000, 'frequent')),
      recorded(decisionRefused('z', 180_000, 'frequent')),
      recorded(evaluated('e', 5_000)),
    ])
    const overview = await queries.overview(MERCHANT, scores())
    expect(overview.counts).toMatchObject({ decisionCount: 1, outcomeCount: 2, evaluationCount: 1, ruleHitCount: 1, scoreCount: 2 })
    expect(overview.errorCount).toBe(3)
    expect(overview.topScores.map(({ gateway, score, sampleCount }) => [gateway, score, sampleCount])).toEqual([
      ['stripe', 0.95, 7],
      ['adyen', 0.9, 7],
    ])
    expect(overview.topErrors.map(({ errorMessage, count, lastSeenMs }) => [errorMessage, count, lastSeenMs])).toEqual([
      ['frequent', 2, 180_000],
      ['rare', 1, 61_000],
    ])
    expect(overview.topRules).toEqual([{ ruleName: 'r1', count: 1 }])
    expect(overview.freshness).toEqual({ asOfMs: NOW, positions: [{ partition: 3, offset: 6 }], truncated: false })
  })

  test('a window from 0 to 900000 ends before the minute that begins at its end', async () => {
    const queries = await given([0, 899_999, 900_000].map((at) => recorded(decided(`p${at}`, at))))
    const overview = await queries.overview(MERCHANT, scores({ window: { ...window, startMs: 0, endMs: 900_000 } }))
    expect(overview.counts.decisionCount).toBe(2)
  })

  test('filters narrow the scores; errors name no dimension, so none are left', async () => {
    const queries = await given([scored('a', 2_000, 'adyen', 0.9), recorded(decisionRefused('x', 2_000))])
    const overview = await queries.overview(MERCHANT, scores({ gateways: ['stripe'] }))
    expect(overview).toMatchObject({ topScores: [], topErrors: [], errorCount: 1 })
  })

  test('a merchant without data gets empty lists and zeros', async () => {
    const queries = await given([recorded(decided('a', 1_000))])
    const overview = await queries.overview('m_2', scores())
    expect(Object.values(overview.counts).every((count) => count === 0)).toBe(true)
    expect(overview).toMatchObject({ topScores: [], topErrors: [], topRules: [], freshness: { positions: [], truncated: false } })
  })
})

describe('gateway scores', () => {
  test('the newest score by method and gateway, and the mean of each point', async () => {
    const queries = await given([
      scored('a', 1_000, 'adyen', 0.5),
      scored('b', 61_000, 'adyen', 1),
      scored('c', 3_700_000, 'adyen', 0.75),
      scored('d', 3_700_000, 'stripe', 0.8),
    ])
    const {
      snapshots,
      series,
      window: answered,
    } = await queries.gatewayScores(MERCHANT, scores({ window: { ...window, startMs: 0, endMs: 7_200_000 } }))
    expect(answered.label).toBe('custom')
    expect(snapshots.map(({ gateway, score, lastAtMs }) => [gateway, score, lastAtMs])).toEqual([
      ['stripe', 0.8, 3_700_000],
      ['adyen', 0.75, 3_700_000],
    ])
    expect(series.map(({ bucketMs, gateway, score, scoreCount }) => [bucketMs, gateway, score, scoreCount])).toEqual([
      [0, 'adyen', 0.75, 2],
      [3_600_000, 'adyen', 0.75, 1],
      [3_600_000, 'stripe', 0.8, 1],
    ])
  })

  test('the newest of several currencies is the last of the log, also where clocks of workers differ or agree to the millisecond', async () => {
    const newestOf = async (...reports: readonly (readonly [at: number, currency: string, score: number])[]): Promise<unknown> => {
      const records = reports.map(([at, currency, value], i) => {
        const report = outcome(`p${i}`, at)
        const score = { value, sampleCount: i + 1, bucketSize: 50 }
        return recorded(report, [effectOf(report, { score, payment: { ...dimensions, currency } })])
      })
      const { snapshots } = await (await given(records)).gatewayScores(MERCHANT, scores())
      return snapshots.map(({ score }) => score)
    }
    expect(await newestOf([1_001, 'EUR', 0.98], [1_000, 'USD', 0.96])).toEqual([0.96])
    expect(await newestOf([1_000, 'EUR', 0.98], [1_000, 'USD', 0.96])).toEqual([0.96])
    expect(await newestOf([1_000, 'USD', 1], [1_001, 'EUR', 0.98], [1_000, 'USD', 0.96])).toEqual([0.96])
  })

  test('dimensions are exact, gateways alternatives', async () => {
    const queries = await given([scored('a', 1_000, 'adyen', 0.5), scored('b', 1_000, 'stripe', 0.6)])
    const gatewaysOf = async (change: Partial<ScoreQuery>): Promise<readonly string[]> =>
      (await queries.gatewayScores(MERCHANT, scores(change))).snapshots.map(({ gateway }) => gateway)
    expect(await gatewaysOf({ gateways: ['adyen', 'nobody'] })).toEqual(['adyen'])
    expect(await gatewaysOf({ dimensions: { ...noDimensions, currency: 'EUR', cardIsIn: '411111' } })).toEqual(['stripe', 'adyen'])
    expect(await gatewaysOf({ dimensions: { ...noDimensions, currency: 'eur' } })).toEqual([])
  })
})

describe('payment audit', () => {
  const idsOf = async (queries: AnalyticsQueries, change: Partial<AuditQuery>): Promise<readonly string[]> =>
    (await queries.paymentAudit(MERCHANT, audit(change))).results.map(({ lookupKey }) => lookupKey)

  test('newest first, in pages, with totals over all', async () => {
    const payments = Array.from({ length: 30 }, (_, i) => recorded(decided(`p${i}`, 1_000 + i)))
    const queries = await given([...payments, recorded(outcome('p3', 5_000)), recorded(outcome('p4', 4_000, { status: 'DECLINED' }))])
    const first = await queries.paymentAudit(MERCHANT, audit({ pageSize: 4 }))
    expect(first.results.map(({ lookupKey }) => lookupKey)).toEqual(['p3', 'p4', 'p29', 'p28'])
    expect(first.timeline?.entries.map(({ flow }) => flow)).toEqual(['decide_gateway_decision', 'update_gateway_score_update'])
    expect(first.totals).toMatchObject({ results: 30, success: 1, failure: 1, byVerdict: { decided: 28, approved: 1, declined: 1 } })
    expect(await idsOf(queries, { pageSize: 4, page: 8 })).toEqual(['p1', 'p0'])
    expect(await idsOf(queries, { pageSize: 4, page: 9 })).toEqual([])
  })

  test('payments last seen in the same millisecond: the one with more entries first, and none is lost between pages of the store', async () => {
    const many = Array.from({ length: 1_200 }, (_, i) => recorded(decided(`p${i}`, 7_000)))
    const queries = await given([...many, recorded(outcome('p600', 7_000))])
    const { totals, results } = await queries.paymentAudit(MERCHANT, audit())
    expect(totals.results).toBe(1_200)
    expect(results[0]?.lookupKey).toBe('p600')
  })

  test('a payment is found when its life overlaps the window', async () => {
    const queries = await given([
      recorded(decided('before', 1_000)),
      recorded(decided('into', 1_000)),
      recorded(outcome('into', 10_000)),
      recorded(decided('through', 1_000)),
      recorded(outcome('through', 90_000)),
      recorded(decided('out of', 15_000)),
      recorded(outcome('out of', 80_000)),
      recorded(decided('after', 50_000)),
    ])
    expect(await idsOf(queries, { window: { ...window, startMs: 5_000, endMs: 20_000 } })).toEqual(['through', 'out of', 'into'])
  })

  test.each([['p1'], ['decide-p1'], ['update-p1']])('%s finds the payment, whatever the window and the filters', async (exactId) => {
    const queries = await given([recorded(decided('p1', 1_000)), recorded(outcome('p1', 2_000))])
    const found = await queries.paymentAudit(MERCHANT, audit({ exactId, gateway: 'nobody', window: { ...window, startMs: 1, endMs: 2 } }))
    expect(found.results.map(({ lookupKey }) => lookupKey)).toEqual(['p1'])
    expect(found.timeline?.entries).toHaveLength(2)
    expect(found.totals).toMatchObject({ results: 1, success: 1 })
  })

  test('a request of several payments finds the one that began last, and the id of its caller too', async () => {
    const uploaded = (paymentId: string, at: number) => {
      const event = outcome(paymentId, at)
      return { ...recorded({ ...event, data: { ...event.data, requestId: 'upload-1' } }), trace: { globalRequestId: 'g-1' } }
    }
    const queries = await given([
      recorded(decided('p2', 2_000)),
      recorded(decided('p1', 1_000)),
      uploaded('p2', 5_000),
      uploaded('p1', 5_000),
    ])
    for (const exactId of ['upload-1', 'g-1']) {
      const { results, timeline } = await queries.paymentAudit(MERCHANT, audit({ exactId }))
      expect(results.map(({ lookupKey }) => lookupKey)).toEqual(['p2'])
      expect(results[0]).not.toHaveProperty('requestIds')
      expect(timeline?.entries.at(-1)).toMatchObject({ requestId: 'upload-1' })
    }
    expect((await queries.paymentAudit('somebody else', audit({ exactId: 'g-1' }))).results).toEqual([])
    expect((await queries.paymentAudit(MERCHANT, audit({ exactId: 'g-1', summaryKind: 'preview' }))).results).toEqual([])
  })

  test('ids of any length have their own timeline, and can be asked for', async () => {
    const [one, other] = [`${'x'.repeat(5_000)}1`, `${'x'.repeat(5_000)}2`]
    const queries = await given([recorded(decided(one, 1_000)), recorded(outcome(one, 2_000)), recorded(decided(other, 3_000))])
    expect((await queries.paymentAudit(MERCHANT, audit({ exactId: one }))).timeline?.entries).toHaveLength(2)
    expect((await queries.paymentAudit(MERCHANT, audit({ exactId: other }))).results[0]?.paymentId).toBe(other)
    expect((await queries.paymentAudit(MERCHANT, audit({ exactId: 'y'.repeat(9_999) }))).results).toEqual([])
  })

  test('a payment with more entries than are kept was answered as if all were there', async () => {
    const reports = Array.from({ length: 200 }, (_, n) => recorded(outcome('p1', 2_000 + n, { requestId: `update-${n}` })))
    const whole = await given([recorded(decided('p1', 1_000)), ...reports.slice(1)])
    expect((await whole.paymentAudit(MERCHANT, audit({ exactId: 'p1' }))).freshness.truncated).toBe(false)
    const cut = await given([recorded(decided('p1', 1_000)), ...reports])
    const { timeline, freshness } = await cut.paymentAudit(MERCHANT, audit({ exactId: 'p1' }))
    expect([timeline?.entries.length, timeline?.payment.eventCount, freshness.truncated]).toEqual([200, 201, true])
  })

  test('an unknown id finds nothing', async () => {
    const queries = await given([recorded(decided('p1', 1_000))])
    expect(await queries.paymentAudit(MERCHANT, audit({ exactId: 'p2' }))).toMatchObject({
      results: [],
      timeline: null,
      totals: { results: 0 },
    })
  })

  test('filters look at every entry of a payment', async () => {
    const queries = await given([
      recorded(decided('sr', 1_000)),
      recorded(outcome('sr', 1_001, { status: 'AUTHORIZED' })),
      recorded(decided('ntw', 900, { approach: 'NTW_BASED_ROUTING', gateway: 'stripe', rankingAlgorithm: 'NTW_BASED_ROUTING' })),
      recorded(outcome('ntw', 901, { gateway: 'stripe', status: 'DECLINED' })),
      recorded(decisionRefused('refused', 800)),
      recorded(decided('open', 700, { rankingAlgorithm: 'PL_BASED_ROUTING', approach: 'PRIORITY_LOGIC' })),
    ])
    expect(await idsOf(queries, { gateway: 'stripe' })).toEqual(['ntw'])
    expect(await idsOf(queries, { route: 'update_gateway_score' })).toEqual(['sr', 'ntw'])
    expect(await idsOf(queries, { flowType: 'decide_gateway_error' })).toEqual(['refused'])
    expect(await idsOf(queries, { errorCode: 'invalid_request_error' })).toEqual(['refused'])
    expect(await idsOf(queries, { status: 'success' })).toEqual(['sr'])
    expect(await idsOf(queries, { status: 'FAILURE' })).toEqual(['ntw', 'refused'])
    expect(await idsOf(queries, { status: 'AUTHORIZED' })).toEqual(['sr'])
    expect(await idsOf(queries, { routingApproach: 'NTW_BASED_ROUTING' })).toEqual(['ntw', 'refused'])
    expect(await idsOf(queries, { excludeRoutingApproach: 'NTW_BASED_ROUTING' })).toEqual(['sr', 'open'])
  })

  test('an enforced failure is found among the failures, not among the approvals', async () => {
    const queries = await given([
      recorded(decided('p1', 1_000)),
      recorded(outcome('p1', 2_000, { status: 'CHARGED', enforceFailure: true })),
    ])
    expect(await idsOf(queries, { status: 'FAILURE' })).toEqual(['p1'])
    expect(await idsOf(queries, { status: 'success' })).toEqual([])
    expect(await idsOf(queries, { status: 'CHARGED' })).toEqual(['p1'])
  })

  test('previews and payments do not mix', async () => {
    const queries = await given([recorded(decided('p1', 1_000)), recorded(evaluated('e1', 2_000))])
    expect(await idsOf(queries, {})).toEqual(['p1'])
    expect(await idsOf(queries, { summaryKind: 'preview' })).toEqual(['e1'])
    expect(await idsOf(queries, { summaryKind: 'preview', status: 'success' })).toEqual(['e1'])
  })
})
