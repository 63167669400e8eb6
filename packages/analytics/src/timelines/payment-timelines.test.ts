import { describe, expect, test } from '@jest/globals'
import { REQUEST_IDS_MAX } from '../limits.ts'
import type { RecordedPayment } from '../recorded-payment.ts'
import {
  decided,
  decisionRefused,
  effectOf,
  evaluated,
  inLog,
  keysUsed,
  outcome,
  projected,
  recorded,
  waiting,
} from '../sample-records.fixture.ts'
import { type PaymentTimeline, paymentTimelines } from './payment-timelines.ts'

const timelines = (records: Parameters<typeof inLog>[0]): readonly PaymentTimeline[] =>
  projected(paymentTimelines, inLog(records)).map(({ view }) => view)

const flowsOf = (timeline: PaymentTimeline | undefined): readonly string[] | undefined => timeline?.entries.map(({ flow }) => flow)

describe('payment timelines', () => {
  test('a decision and its outcome are one payment', () => {
    const [timeline, ...others] = timelines([recorded(decided('pay_1', 1_000)), recorded(outcome('pay_1', 2_500))])
    expect(others).toEqual([])
    expect(timeline).toMatchObject({
      merchantId: 'm_1',
      summaryKind: 'live',
      lookupKey: 'pay_1',
      paymentId: 'pay_1',
      requestId: 'update-pay_1',
      firstSeenMs: 1_000,
      lastSeenMs: 2_500,
      eventCount: 2,
      verdict: 'approved',
      latestStatus: 'CHARGED',
      latestGateway: 'adyen',
      latestStage: 'score_updated',
      routes: ['decide_gateway', 'update_gateway_score'],
      statuses: ['success', 'CHARGED'],
      approaches: ['SR_SELECTION_V3_ROUTING', 'SR_BASED_ROUTING'],
    })
    expect(timeline?.entries[1]).toMatchObject({ score: 0.9, sampleCount: 10, facts: { disposition: 'counted', success: true } })
  })

  test('a decided payment without feedback is neither approved nor declined', () => {
    expect(timelines([recorded(decided('pay_1', 1_000))])[0]).toMatchObject({ verdict: 'decided', latestStatus: 'success' })
  })

  test('a rule that took part has its own entry, and the decision stays the latest', () => {
    const [timeline] = timelines([recorded(decided('pay_1', 1_000, { priorityLogicTag: 'cards to adyen' }))])
    expect(flowsOf(timeline)).toEqual(['decide_gateway_rule_hit', 'decide_gateway_decision'])
    expect(timeline).toMatchObject({ latestStage: 'gateway_decided', eventCount: 2 })
  })

  test('an outcome that came first learns its effect from the decision', () => {
    const report = outcome('pay_1', 900)
    const [timeline] = timelines([
      recorded(report, [effectOf(report, waiting)]),
      recorded(decided('pay_1', 1_000), [effectOf(report, { disposition: 'counted' })]),
    ])
    expect(flowsOf(timeline)).toEqual(['update_gateway_score_update', 'decide_gateway_decision'])
    expect(timeline?.entries[0]).toMatchObject({ score: 0.9, paymentMethod: 'CREDIT', facts: { disposition: 'counted', success: true } })
    expect(timeline).toMatchObject({ eventCount: 2, verdict: 'approved' })
  })

  test('a pending report learns that it came to count as failed, also with an event that is about no payment', () => {
    const pending = outcome('pay_1', 2_000, { status: 'PENDING_VBV' })
    const overdue = effectOf(pending, { at: 91_000, success: false, score: { value: 0.8, sampleCount: 1, bucketSize: 5 } })
    const [timeline, ...others] = timelines([
      recorded(decided('pay_1', 1_000)),
      recorded(pending, [effectOf(pending, { disposition: 'pending', success: null, score: null })]),
      recorded(keysUsed(120_000), [overdue]),
    ])
    expect(others).toEqual([])
    expect(timeline).toMatchObject({ eventCount: 2, lastSeenMs: 2_000 })
    expect(timeline?.entries[1]).toMatchObject({ score: 0.8, facts: { disposition: 'counted', success: false } })
  })

  test('reports of one request id each keep what became of them', () => {
    const pending = outcome('pay_1', 2_000, { status: 'PENDING_VBV' })
    const charged = outcome('pay_1', 90_000)
    const overdue = effectOf(pending, { at: 60_000, success: false, score: { value: 0.8, sampleCount: 1, bucketSize: 5 } })
    const [timeline] = timelines([
      recorded(decided('pay_1', 1_000)),
      recorded(pending, [effectOf(pending, { disposition: 'pending', success: null, score: null })]),
      recorded(charged, [overdue, effectOf(charged, { disposition: 'corrected' })]),
    ])
    expect(timeline?.entries.slice(1)).toMatchObject([
      { status: 'PENDING_VBV', score: 0.8, facts: { disposition: 'counted', success: false } },
      { status: 'CHARGED', score: 0.9, facts: { disposition: 'corrected', success: true } },
    ])
  })

  test('texts that entries cut were cut inside of a character, and half of it answered in JSON that strict readers refuse', () => {
    const long = `x${'😀'.repeat(600)}`
    const [preview] = timelines([recorded(evaluated('req_2', 20, { parameters: { [long]: long } }))])
    const [refused] = timelines([recorded(decisionRefused('req_1', 10, long))])
    expect(JSON.stringify([preview, refused])).not.toMatch(/\\ud[89a-f]/)
  })

  test('calls without a payment are found by their request; evaluations are previews', () => {
    const all = timelines([recorded(decisionRefused('req_1', 10)), recorded(evaluated('req_2', 20)), recorded(evaluated('req_3', 30))])
    expect(all.map(({ summaryKind, lookupKey, verdict }) => [summaryKind, lookupKey, verdict])).toEqual([
      ['live', 'req_1', 'error'],
      ['preview', 'req_2', 'evaluated'],
      ['preview', 'req_3', 'evaluated'],
    ])
    expect(flowsOf(all[1])).toEqual(['routing_evaluate_advanced'])
  })

  test.each([
    ['a retry on a fallback that succeeds', ['FAILURE', 'CHARGED'], 'approved'],
    ['a failure reported after an approval', ['CHARGED', 'FAILURE'], 'approved'],
    ['a failure after a pending report', ['PENDING_VBV', 'DECLINED'], 'declined'],
    ['only pending reports', ['STARTED', 'PENDING_VBV'], 'pending'],
  ])('%s', (_name, statuses, verdict) => {
    const reports = statuses.map((status, index) => recorded(outcome('pay_1', 2_000 + index, { status })))
    expect(timelines([recorded(decided('pay_1', 1_000)), ...reports])[0]).toMatchObject({ verdict })
  })

  test('an enforced failure is declined whatever its status says', () => {
    expect(timelines([recorded(outcome('pay_1', 2_000, { enforceFailure: true }))])[0]).toMatchObject({ verdict: 'declined' })
  })

  test('entries say by which ids the caller finds their requests; nothing where it gave none', () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const [timeline] = timelines([
      { ...recorded(decided('pay_1', 1_000)), trace: { trace } },
      { ...recorded(outcome('pay_1', 2_000)), trace: { traceId: 't-1', globalRequestId: 'g-1' } },
      { ...recorded(outcome('pay_1', 3_000)), trace: {} },
    ])
    expect(timeline?.entries.map(({ caller }) => caller)).toEqual([
      { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', globalRequestId: null },
      { traceId: 't-1', globalRequestId: 'g-1' },
      undefined,
    ])
  })
  test('the newest 200 entries are kept, and all are counted', () => {
    const reports = Array.from({ length: 230 }, (_, i) => recorded(outcome('pay_1', i, { requestId: `r${i}`, status: `S${i}` })))
    const [timeline] = timelines(reports)
    expect(timeline?.eventCount).toBe(230)
    expect(timeline?.entries).toHaveLength(200)
    expect(timeline?.entries[0]?.requestId).toBe('r30')
    expect(timeline?.statuses).toHaveLength(20)
    expect(timeline?.firstSeenMs).toBe(0)
  })

  test('a report that arrives out of time order does not change the latest status', () => {
    const late = recorded(outcome('pay_1', 500, { status: 'PENDING_VBV' }))
    expect(timelines([recorded(decided('pay_1', 1_000)), late])[0]).toMatchObject({ latestStatus: 'success', firstSeenMs: 500 })
  })

  test('an outcome tells what it showed of its gateway, also when it had waited for its decision', () => {
    const news = { slow: true, dropped: { count: 8, olderRate: 0.25, newerRate: 1 }, health: 'up' } as const
    const report = outcome('pay_1', 2_000)
    const factsOf = (...records: Parameters<typeof timelines>[0]) =>
      timelines(records)[0]?.entries.find(({ facts }) => facts.kind === 'outcome')?.facts
    expect(factsOf(recorded(report, [effectOf(report, news)]))).toMatchObject({ news })
    expect(factsOf(recorded(report))).not.toHaveProperty('news')
    const decision = recorded(decided('pay_1', 2_001), [effectOf(report, news)])
    expect(factsOf(recorded(report, [effectOf(report, waiting)]), decision)).toMatchObject({ news, disposition: 'counted' })
  })

  test('views are never changed in place', () => {
    const [first, second] = inLog([recorded(decided('pay_1', 1_000)), recorded(outcome('pay_1', 2_000))])
    const key = ['m_1', 'live', 'pay_1']
    const step = (view: PaymentTimeline, record: RecordedPayment | undefined): PaymentTimeline =>
      record === undefined ? view : paymentTimelines.project(view, record, key)
    const before = step(paymentTimelines.initialView(key), first)
    const copy = structuredClone(before)
    step(before, second)
    expect(before).toEqual(copy)
  })
})

describe('the requests of a payment', () => {
  const requestsIn = (records: Parameters<typeof inLog>[0]) =>
    timelines(records).map(({ lookupKey, requestIds }) => [lookupKey, requestIds])

  test('are kept, each once', () => {
    expect(requestsIn([recorded(decided('pay_1', 1)), recorded(outcome('pay_1', 2)), recorded(outcome('pay_1', 3))])).toEqual([
      ['pay_1', ['decide-pay_1', 'update-pay_1']],
    ])
  })

  test('are not repeated where the timeline has their name', () => {
    expect(requestsIn([recorded(evaluated('req_9', 3)), recorded(decisionRefused('req_1', 4))])).toEqual([
      ['req_9', []],
      ['req_1', []],
    ])
  })

  test('have an id of their caller beside their own', () => {
    expect(
      requestsIn([
        { ...recorded(decided('pay_1', 1)), trace: { globalRequestId: 'g-1' } },
        { ...recorded(decided('pay_2', 2)), trace: { globalRequestId: 'decide-pay_2' } },
        { ...recorded(decisionRefused('req_1', 3)), trace: { globalRequestId: 'req_1' } },
      ]),
    ).toEqual([
      ['pay_1', ['decide-pay_1', 'g-1']],
      ['pay_2', ['decide-pay_2']],
      ['req_1', []],
    ])
  })

  test('are kept as long as there is room, the newest', () => {
    const records = Array.from({ length: REQUEST_IDS_MAX + 2 }, (_, at) =>
      recorded({ ...decided('pay_1', at), data: { ...decided('pay_1', at).data, requestId: `r${at}` } }),
    )
    const [timeline] = timelines(records)
    expect(timeline?.requestIds).toHaveLength(REQUEST_IDS_MAX)
    expect([timeline?.requestIds[0], timeline?.requestIds.at(-1)]).toEqual(['r2', `r${REQUEST_IDS_MAX + 1}`])
  })
})
