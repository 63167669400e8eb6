import { describe, expect, test } from '@jest/globals'
import { dimension, given, limitedTo, MINUTE, scores } from './given-payments.fixture.ts'
import { sampleDecision as decided, sampleOutcome as reported } from './sample-events.fixture.ts'

const SECOND = 1_000

describe('limits of the fold', () => {
  test('the oldest of the open decisions goes when there is no room', () => {
    const limits = limitedTo({ openDecisionCountMax: 16 })
    const past = Array.from({ length: 16 }, (_, n) => decided({ paymentId: `p_${n}` }))
    const { fold } = given(...past).when(decided({ paymentId: 'p_16' }), limits)
    expect([0, 1, 16].map((n) => fold.hasDecision('m_1', `p_${n}`))).toEqual([false, true, true])
  })

  test('of payments that have long fields of their own, the oldest go when they take too much together', () => {
    const own = (n: number) => decided({ paymentId: `p_${n}`, dimension: { ...dimension, udfs: [`${n}`.repeat(600)] } })
    const { fold } = given(own(1), own(2), own(3)).when(own(4), limitedTo({ openTraitsLengthMax: 2_000 }))
    expect([1, 2, 3, 4].map((n) => fold.hasDecision('m_1', `p_${n}`))).toEqual([false, false, true, true])
  })

  test('payments that have the same long fields take what one of them takes', () => {
    const alike = (n: number) => decided({ paymentId: `p_${n}`, dimension: { ...dimension, udfs: ['9'.repeat(600)] } })
    const { fold } = given(...Array.from({ length: 50 }, (_, n) => alike(n))).when(alike(50), limitedTo({ openTraitsLengthMax: 2_000 }))
    expect([0, 25, 50].map((n) => fold.hasDecision('m_1', `p_${n}`))).toEqual([true, true, true])
  })

  test('outcomes of long dimensions count like those of short ones', () => {
    const long = { ...dimension, udfs: ['9'.repeat(600)] }
    const past = [decided({ dimension: long }), reported({ status: 'FAILURE' })]
    const { effects, fold } = given(...past).when(reported({ at: 2 * SECOND, gateway: 'adyen', status: 'FAILURE' }))
    expect(effects).toMatchObject([{ disposition: 'counted', score: { value: 0.8 } }])
    expect(fold.scoresOf({ merchantId: 'm_1', dimension: long, gateways: ['stripe', 'adyen', 'checkout'], bucketSize: 5 })).toEqual([
      0.8, 0.8, 1,
    ])
  })

  test('windows of long dimensions go before the keys of all take too much', () => {
    const past = [1, 2, 3].flatMap((n) => [
      decided({ paymentId: `p_${n}`, dimension: { ...dimension, udfs: [`${n}`.repeat(600)] } }),
      reported({ paymentId: `p_${n}`, status: 'FAILURE', at: n * SECOND }),
    ])
    const { fold } = given(...past).when(decided({ paymentId: 'p_4', at: 4 * SECOND }), limitedTo({ windowKeysLengthMax: 1_500 }))
    expect(fold.windowCountOf('m_1')).toBe(2)
    const scoreOf = (n: number): number | undefined =>
      fold.scoresOf({ merchantId: 'm_1', dimension: { ...dimension, udfs: [`${n}`.repeat(600)] }, gateways: ['stripe'], bucketSize: 5 })[0]
    expect([1, 2, 3].map(scoreOf)).toEqual([1, 0.8, 0.8])
  })

  test('open decisions go by event time', () => {
    const { fold } = given(decided()).when(decided({ paymentId: 'p_2', at: 31 * 60 * MINUTE }))
    expect(fold.hasDecision('m_1', 'p_1')).toBe(false)
  })

  test('the window fed longest ago goes, and an old entry never turns one of its successor', () => {
    const limits = limitedTo({ windowCountMax: 2 })
    const past = [
      decided(),
      reported({ status: 'FAILURE', at: SECOND }),
      reported({ gateway: 'adyen', status: 'FAILURE', at: 2 * SECOND }),
      reported({ gateway: 'checkout', status: 'FAILURE', at: 3 * SECOND }),
      decided({ paymentId: 'p_2' }),
      reported({ paymentId: 'p_2', status: 'FAILURE', at: 4 * SECOND }),
    ]
    const { effects, fold } = given(...past).when(reported({ at: 5 * SECOND }), limits)
    expect(scores(fold)).toEqual([0.8, 1, 0.8])
    expect(effects).toMatchObject([{ disposition: 'corrected', score: { value: 0.8 } }])
  })
})
