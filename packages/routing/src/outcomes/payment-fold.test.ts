import { describe, expect, test } from '@jest/globals'
import { given, limitedTo, MINUTE, scores } from './given-payments.fixture.ts'
import { createPaymentFold } from './payment-fold.ts'
import { sampleDecision as decided, sampleOutcome as reported, sampleReset as reset } from './sample-events.fixture.ts'

describe('outcomes of decided payments', () => {
  test('a merchant without outcomes has scores of 1', () => {
    const { fold, effects } = given().when(decided())
    expect(effects).toEqual([])
    expect(scores(fold)).toEqual([1, 1, 1])
  })

  test('a failure counts in the window of its gateway, and the effect tells the payment', () => {
    const { effects, fold } = given(decided()).when(reported({ status: 'DECLINED' }))
    expect(effects).toEqual([
      {
        merchantId: 'm_1',
        paymentId: 'p_1',
        requestId: 'r_2',
        gateway: 'stripe',
        status: 'DECLINED',
        at: 1_000,
        disposition: 'counted',
        success: false,
        slow: false,
        dropped: null,
        health: null,
        score: { value: 0.8, sampleCount: 1, bucketSize: 5 },
        payment: {
          decidedAt: 0,
          paymentMethodType: 'CARD',
          paymentMethod: 'CREDIT',
          cardNetwork: 'VISA',
          cardIsIn: '424242',
          currency: 'USD',
          country: 'US',
          authType: 'THREE_DS',
          window: expect.any(String),
          bySuccessRate: true,
        },
      },
    ])
    expect(scores(fold)).toEqual([0.8, 1, 1])
  })

  test('the class that was recorded with a status counts, also of a status that is unknown here', () => {
    const { effects } = given(decided()).when(reported({ status: 'DECLINED_LATER', statusClass: 'FAILURE' }))
    expect(effects).toMatchObject([{ disposition: 'counted', success: false }])
    const waited = given(reported({ status: 'PAID_LATER', statusClass: 'SUCCESS', at: -5 })).when(decided())
    expect(waited.effects).toMatchObject([{ disposition: 'counted', success: true }])
  })

  test.each([
    ['success rates', {}, true],
    ['success rates, explored', { approach: 'SR_V3_HEDGING' }, true],
    ['success rates behind networks', { approach: 'NTW_BASED_ROUTING', rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' as const }, true],
    ['a priority list', { approach: 'PRIORITY_LOGIC', rankingAlgorithm: 'PL_BASED_ROUTING' as const }, false],
    ['having one candidate', { approach: 'DEFAULT', candidates: ['stripe'] }, false],
  ])('an outcome tells whether success rates chose, beside others alike that they did not: %s', (_, chosen, bySuccessRate) => {
    const beside = [
      decided({ paymentId: 'p_2' }),
      decided({ paymentId: 'p_3', approach: 'PRIORITY_LOGIC', rankingAlgorithm: 'PL_BASED_ROUTING' }),
    ]
    const { effects } = given(...beside, decided(chosen)).when(reported())
    expect(effects).toMatchObject([{ disposition: 'counted', payment: { bySuccessRate } }])
  })

  test('an outcome of a fallback counts for the fallback', () => {
    const { fold } = given(decided(), reported({ status: 'FAILURE' })).when(reported({ gateway: 'adyen', status: 'FAILURE' }))
    expect(scores(fold)).toEqual([0.8, 0.8, 1])
  })

  test.each([
    ['a repeat', [reported({ status: 'FAILURE' })], reported({ status: 'AUTHORIZATION_FAILED' }), 'repeated', 0.8],
    ['a repeated success', [reported()], reported({ status: 'AUTO_REFUNDED' }), 'repeated', 1],
    ['a failure after a success', [reported()], reported({ status: 'FAILURE' }), 'conflicting', 1],
    ['a gateway that was no candidate', [], reported({ gateway: 'elsewhere', status: 'FAILURE' }), 'foreign', 1],
    ['a fresh open status', [], reported({ status: 'STARTED' }), 'pending', 1],
    ['a report half an hour later', [], reported({ status: 'FAILURE', at: 30 * MINUTE + 1 }), 'late', 1],
    [
      'a repeat half an hour later',
      [reported({ status: 'FAILURE' })],
      reported({ status: 'FAILURE', at: 30 * MINUTE + 1 }),
      'repeated',
      0.8,
    ],
  ] as const)('%s has no effect on the windows', (_, past, report, disposition, score) => {
    const { effects, fold } = given(decided(), ...past).when(report)
    expect(effects).toMatchObject([{ disposition, success: null, score: null }])
    expect(scores(fold, ['stripe'])).toEqual([score])
  })

  test.each([
    ['late', [], 31 * MINUTE, 'CHARGED'],
    ['late', [], 31 * MINUTE, 'FAILURE'],
    ['conflicting', [reported()], 2_000, 'FAILURE'],
    ['reset', [reset()], 3_000, 'CHARGED'],
  ] as const)('what counts nowhere is a result once, and a repeat when it is told again: %s', (disposition, past, at, status) => {
    const fold = createPaymentFold()
    const tell = (requestId: string, said: string) => fold.apply(reported({ requestId, at, status: said }))
    for (const event of [decided(), ...past]) fold.apply(event)
    expect(tell('r_3', status)).toMatchObject([{ disposition }])
    expect(tell('r_4', status)).toMatchObject([{ disposition: 'repeated' }])
    if (disposition === 'conflicting') return
    expect(tell('r_5', status === 'CHARGED' ? 'FAILURE' : 'CHARGED')).toMatchObject([{ disposition }])
    expect(tell('r_6', status)).toMatchObject([{ disposition: 'repeated' }])
  })

  test('a report counts up to exactly half an hour after its decision', () => {
    expect(given(decided()).when(reported({ at: 30 * MINUTE })).effects).toMatchObject([{ disposition: 'counted' }])
  })

  test('recurring payments count days later', () => {
    const recurring = decided({ knobs: { ...decided().data.knobs, outcomeWindowMs: null } })
    expect(given(recurring).when(reported({ at: 3 * 24 * 60 * MINUTE })).effects).toMatchObject([{ disposition: 'counted' }])
  })

  test('an open status older than the latency threshold counts as a failure', () => {
    const { effects } = given(decided()).when(reported({ status: 'PENDING_VBV', at: 90_000 }))
    expect(effects).toMatchObject([{ disposition: 'counted', success: false }])
  })

  test('a success turns the counted failure of the same gateway', () => {
    const { effects, fold } = given(decided(), reported({ status: 'FAILURE' })).when(reported())
    expect(effects).toMatchObject([{ disposition: 'corrected', success: true, score: { value: 1, sampleCount: 1 } }])
    expect(scores(fold)).toEqual([1, 1, 1])
  })

  test('a success whose failure has left the window pushes nothing', () => {
    const others = [1, 2, 3, 4, 5].flatMap((n) => [
      decided({ paymentId: `other_${n}` }),
      reported({ paymentId: `other_${n}`, status: n === 1 ? 'FAILURE' : 'CHARGED' }),
    ])
    const { effects, fold } = given(decided(), reported({ status: 'FAILURE' }), ...others).when(reported())
    expect(effects).toMatchObject([{ disposition: 'corrected', score: { value: 0.8, sampleCount: 5 } }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('a repeated decide starts the clock anew, and what has counted counts no second time', () => {
    const again = decided({ at: 40 * MINUTE })
    const history = given(decided(), reported({ status: 'FAILURE' }), again)
    const { effects, fold } = history.when(reported({ status: 'FAILURE', at: 41 * MINUTE }))
    expect(effects).toMatchObject([{ disposition: 'repeated', payment: { decidedAt: 40 * MINUTE } }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('what has counted counts no second time under a third decision, when its gateway was no candidate of the second', () => {
    const without = decided({ at: 2 * MINUTE, candidates: ['adyen', 'checkout'] })
    const history = given(decided(), reported({ status: 'FAILURE' }), without, decided({ at: 3 * MINUTE }))
    const { effects, fold } = history.when(reported({ status: 'FAILURE', at: 4 * MINUTE }))
    expect(effects).toMatchObject([{ disposition: 'repeated' }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('a success under the repeated decision corrects the failure before it, in the window that it counted in', () => {
    const history = given(decided(), reported({ status: 'FAILURE' }), decided({ at: 2 * MINUTE, candidates: ['adyen', 'stripe'] }))
    const { effects, fold } = history.when(reported({ at: 3 * MINUTE }))
    expect(effects).toMatchObject([{ disposition: 'corrected' }])
    expect(scores(fold, ['stripe'])).toEqual([1])
  })

  test('a repeated decision in another dimension leaves the windows of both alone', () => {
    const dimension = { ...decided().data.dimension, paymentMethod: 'DEBIT' }
    const history = given(decided(), reported({ status: 'FAILURE' }), decided({ at: 2 * MINUTE, dimension }))
    const { effects, fold } = history.when(reported({ at: 3 * MINUTE }))
    expect(effects).toMatchObject([{ disposition: 'corrected', score: null }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('an attempt that became recurring replaces the one-off attempt, and the other way round', () => {
    const recurring = { ...decided().data.knobs, outcomeWindowMs: null }
    const late = reported({ at: 60 * MINUTE })
    expect(given(decided(), decided({ requestId: 'r_9', knobs: recurring })).when(late).effects).toMatchObject([{ disposition: 'counted' }])
    expect(given(decided({ requestId: 'r_9', knobs: recurring }), decided()).when(late).effects).toMatchObject([{ disposition: 'late' }])
  })

  test('knobs of the decision rule, not of the report', () => {
    const narrow = decided({ paymentId: 'p_2', knobs: { ...decided().data.knobs, bucketSize: 3 } })
    const { effects } = given(decided(), reported({ status: 'FAILURE' }), narrow).when(reported({ paymentId: 'p_2', status: 'FAILURE' }))
    expect(effects).toMatchObject([{ score: { value: 1 / 3, sampleCount: 2, bucketSize: 3 } }])
  })

  test('payments of two merchants have nothing to do with each other', () => {
    const { effects, fold } = given(decided()).when(reported({ merchantId: 'm_2', status: 'FAILURE' }))
    expect(effects).toMatchObject([{ merchantId: 'm_2', disposition: 'waiting' }])
    expect(scores(fold)).toEqual([1, 1, 1])
    expect([...fold.merchantIds()]).toEqual(['m_1', 'm_2'])
  })
})

describe('copies of events, from a batch that was sent twice', () => {
  const failed = reported({ status: 'FAILURE' })
  const again = decided({ requestId: 'r_3', at: 2_000 })

  test('a copy of a decision is no new attempt', () => {
    const { fold } = given(decided(), failed, decided()).when(reported({ requestId: 'r_4', status: 'FAILURE' }))
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('nothing of a batch counts twice, however it is mixed', () => {
    const batch = [decided(), failed, again, reported({ requestId: 'r_4', status: 'FAILURE', at: 3_000 })]
    const once = createPaymentFold()
    const twice = createPaymentFold()
    for (const one of batch) once.apply(one)
    for (const one of batch) twice.apply(one)
    expect(batch.map((one) => twice.apply(one))).toEqual(batch.map(() => undefined))
    expect(twice.exportMerchant('m_1')).toEqual(once.exportMerchant('m_1'))
  })

  test('a fold from a snapshot knows them too', () => {
    const { fold } = given(decided()).when(failed)
    const restored = createPaymentFold()
    restored.importMerchant('m_1', fold.exportMerchant('m_1'))
    expect([restored.apply(decided()), restored.apply(failed)]).toEqual([undefined, undefined])
  })

  test('a report that only looks alike is none', () => {
    expect(given(decided(), failed).when(reported({ status: 'FAILURE', at: 1_001 })).effects).toMatchObject([{ disposition: 'repeated' }])
    expect(given(decided(), failed).when(reported()).effects).toMatchObject([{ disposition: 'corrected' }])
  })
})

describe('outcomes without a decision', () => {
  test('wait, and count when the decision comes', () => {
    const first = given().when(reported({ status: 'FAILURE', at: -5 }))
    expect(first.effects).toMatchObject([{ disposition: 'waiting', success: null, payment: null }])
    const { effects, fold } = given(reported({ status: 'FAILURE', at: -5 }), reported({ at: -4 })).when(decided())
    expect(effects).toMatchObject([
      { disposition: 'counted', success: false, at: -5 },
      { disposition: 'corrected', success: true, at: -4 },
    ])
    expect(scores(fold)).toEqual([1, 1, 1])
    expect(fold.hasDecision('m_1', 'p_1')).toBe(true)
  })

  test('are repeats when one that waits says the same of the same gateway', () => {
    const told = (change: Parameters<typeof reported>[0]) =>
      given(reported({ status: 'AUTHORIZED', at: -5 })).when(reported(change)).effects
    expect(told({ at: -4 })).toMatchObject([{ disposition: 'repeated', success: null }])
    for (const change of [{ status: 'FAILURE' }, { status: 'PENDING' }, { gateway: 'adyen' }, { enforceFailure: true }])
      expect(told({ at: -4, ...change })).toMatchObject([{ disposition: 'waiting' }])
    const { effects } = given(reported({ status: 'AUTHORIZED', at: -5 }), reported({ at: -4 })).when(decided())
    expect(effects).toMatchObject([{ disposition: 'counted' }, { disposition: 'repeated' }])
  })

  test('are forgotten ten minutes of event time later', () => {
    const { effects, fold } = given(reported({ status: 'FAILURE', at: 0 })).when(decided({ at: 10 * MINUTE + 1 }))
    expect(effects).toEqual([])
    expect(scores(fold)).toEqual([1, 1, 1])
  })

  test('are bounded: of one payment the newest stay, of many payments the newest', () => {
    const limits = limitedTo({ waitingPerPaymentMax: 1, waitingPaymentCountMax: 1 })
    const past = [reported({ paymentId: 'p_0' }), reported({ status: 'FAILURE' }), reported()]
    expect(given(...past).when(decided(), limits).effects).toMatchObject([{ status: 'CHARGED' }])
    expect(given(...past).when(decided({ paymentId: 'p_0' }), limits).effects).toEqual([])
  })
})
