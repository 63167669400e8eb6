import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTotals, type RollupTotals } from '../queries/totals.ts'
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
import type { MinuteRollup } from './minute-rollup.ts'
import { minuteRollups } from './minute-rollups.ts'

const minutes = (records: readonly RecordedPayment[]): readonly MinuteRollup[] => projected(minuteRollups, records).map(({ view }) => view)

const totalsOf = (rollups: readonly MinuteRollup[]): RollupTotals => {
  const totals = createTotals()
  for (const rollup of rollups) totals.add(rollup)
  return totals.totals()
}

const anyRecord = fc
  .record({
    kind: fc.constantFrom('decided', 'rule', 'charged', 'failed', 'retry', 'refused', 'evaluated'),
    at: fc.integer({ min: 0, max: 600_000 }),
    gateway: fc.constantFrom('adyen', 'stripe', 'worldpay'),
  })
  .map(({ kind, at, gateway }) => {
    switch (kind) {
      case 'decided':
        return recorded(decided(`p${at}`, at, { gateway }))
      case 'rule':
        return recorded(decided(`p${at}`, at, { gateway, priorityLogicTag: `rule of ${gateway}` }))
      case 'charged':
        return recorded(outcome(`p${at}`, at, { gateway }))
      case 'failed':
        return recorded(outcome(`p${at}`, at, { gateway, status: 'FAILURE' }))
      case 'retry':
        return recorded(outcome(`p${at}`, at, { gateway, smartRetry: true, status: 'AUTHORIZED' }))
      case 'refused':
        return recorded(decisionRefused(`r${at}`, at, `no ${gateway}`))
      default:
        return recorded(evaluated(`r${at}`, at))
    }
  })

describe('minute rollups', () => {
  test('each kind of event counts once, in its minute', () => {
    const records = inLog([
      recorded(decided('a', 59_999, { priorityLogicTag: 'r1' })),
      recorded(decided('b', 60_000)),
      recorded(outcome('a', 61_000)),
      recorded(evaluated('e', 61_500)),
      recorded(decisionRefused('x', 62_000)),
    ])
    expect(minutes(records)).toMatchObject([
      { minuteMs: 0, decisionCount: 1, ruleHitCount: 1, rules: [{ ruleName: 'r1', count: 1 }] },
      { minuteMs: 60_000, decisionCount: 1, outcomeCount: 1, approvedCount: 1, scoreCount: 1, evaluationCount: 1, decisionErrorCount: 1 },
    ])
  })

  test('a score that moved as time went by counts in its minute, whatever event told of the time', () => {
    const pending = outcome('a', 1_000, { status: 'PENDING_VBV' })
    const overdue = effectOf(pending, { at: 91_000, success: false })
    expect(minutes(inLog([recorded(keysUsed(180_000), [overdue]), recorded(keysUsed(240_000), [])]))).toMatchObject([
      { minuteMs: 60_000, scoreCount: 1, outcomeCount: 0 },
    ])
  })

  test('an approved smart retry has recovered the payment, also when it is only authorised', () => {
    const retry = recorded(outcome('a', 1_000, { gateway: 'stripe', smartRetry: true, status: 'AUTHORIZED' }))
    const failed = recorded(outcome('b', 1_000, { gateway: 'stripe', smartRetry: true, status: 'DECLINED' }))
    expect(minutes(inLog([retry, failed]))[0]).toMatchObject({
      retriedCount: 2,
      recoveredCount: 1,
      retries: [{ gateway: 'stripe', retried: 2, recovered: 1 }],
    })
  })

  test('a repeated report is a call, but not a second result', () => {
    const report = outcome('a', 1_000, { status: 'FAILURE', smartRetry: true })
    const records = inLog([recorded(report), recorded(report, [effectOf(report, { disposition: 'repeated', score: null })])])
    expect(minutes(records)[0]).toMatchObject({ outcomeCount: 2, declinedCount: 1, retriedCount: 1, scoreCount: 1 })
  })

  test('a failure that had counted already, because the payment was open for too long, is a result all the same', () => {
    const report = outcome('a', 1_000, { status: 'FAILURE' })
    const records = inLog([recorded(report, [effectOf(report, { disposition: 'confirmed', success: null, score: null })])])
    expect(minutes(records)[0]).toMatchObject({ outcomeCount: 1, declinedCount: 1, scoreCount: 0 })
  })

  test('the score of an outcome that waited belongs to the minute of the outcome', () => {
    const report = outcome('a', 59_000)
    const records = inLog([recorded(report, [effectOf(report, waiting)]), recorded(decided('a', 61_000), [effectOf(report)])])
    expect(minutes(records)).toMatchObject([
      { minuteMs: 0, outcomeCount: 1, scoreCount: 1, decisionCount: 0 },
      { minuteMs: 60_000, decisionCount: 1, scoreCount: 0 },
    ])
  })

  test('a minute keeps 50 groups of errors, and counts the others', () => {
    const records = inLog(Array.from({ length: 60 }, (_, i) => recorded(decisionRefused(`r${i}`, i, `message ${i}`))))
    const [minute] = minutes(records)
    expect(minute?.errors).toHaveLength(50)
    expect(minute).toMatchObject({ ungroupedErrorCount: 10, decisionErrorCount: 60 })
  })

  test('however a sequence is cut into parts, the parts add up to the same figures', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 60 }), fc.nat(60), (sequence, cut) => {
        const records = inLog(sequence)
        const parts = [...minutes(records.slice(0, cut)), ...minutes(records.slice(cut))]
        expect(totalsOf(parts)).toEqual(totalsOf(minutes(records)))
        expect(totalsOf(minutes(records)).counts.decisionCount).toBe(sequence.filter(({ event }) => event.type === 'GatewayDecided').length)
      }),
    )
  })
})
