import { describe, expect, test } from '@jest/globals'
import type { GatewayDecided, OutcomeRecorded, PaymentsEvent } from '@switchyard/events'
import fc from 'fast-check'
import { PAYMENT_FOLD_LIMITS } from '../outcomes/limits.ts'
import { createPaymentFold, type PaymentFold } from '../outcomes/payment-fold.ts'
import { sampleDecision, sampleOutcome } from '../outcomes/sample-events.fixture.ts'
import type { ExperimentEffect } from './experiment-payments.ts'

const assigned = { experimentId: 'e_1', arm: 'VARIANT', algorithmId: null, overrides: null, exclusion: null } as const
const fixed = { ...assigned, algorithmId: 'a_1' }
const DAY_MS = 86_400_000
const decided = (change: Partial<GatewayDecided['data']> = {}): PaymentsEvent => sampleDecision({ experiment: assigned, ...change })
const reported = (change: Partial<OutcomeRecorded['data']> = {}): PaymentsEvent => sampleOutcome(change)

const changesOf = (fold: PaymentFold, ...events: readonly PaymentsEvent[]): readonly ExperimentEffect[] =>
  events.flatMap((event) => fold.apply(event) ?? []).filter((effect) => 'standing' in effect)
const changes = (...events: readonly PaymentsEvent[]): readonly (readonly [ExperimentEffect['before'], ExperimentEffect['standing']])[] =>
  changesOf(createPaymentFold(), ...events).map(({ before, standing }) => [before, standing])
const ASSIGNED = [null, 'open'] as const
let requests = 0
const again = (): { readonly requestId: string } => ({ requestId: `r_again_${++requests}` })

describe('outcomes are attributed', () => {
  test('to the arm of their payment, with all that its figures need', () => {
    const [first, second] = changesOf(createPaymentFold(), decided(), reported({ gatewayLatencyMs: 120 }))
    const payment = {
      merchantId: 'm_1',
      paymentId: 'p_1',
      experimentId: 'e_1',
      arm: 'VARIANT',
      gateway: 'stripe',
      amount: 100,
      costBps: null,
      savedBps: null,
      segment: { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', cardNetwork: 'VISA', currency: 'USD', country: 'US' },
      assignedAt: 0,
    }
    expect(first).toEqual({ ...payment, at: 0, before: null, standing: 'open', gatewayLatencyMs: null })
    expect(second).toEqual({ ...payment, at: 1_000, before: 'open', standing: 'succeeded', gatewayLatencyMs: 120 })
  })

  test.each<[string, readonly PaymentsEvent[], ReturnType<typeof changes>]>([
    ['pending is no outcome', [reported({ status: 'PENDING' }), reported({ status: 'AUTHORIZING', ...again() })], []],
    ['a charge after pending', [reported({ status: 'PENDING' }), reported(again())], [['open', 'succeeded']]],
    ['a failure', [reported({ status: 'DECLINED' })], [['open', 'failed']]],
    ['a repeated success', [reported(), reported(again())], [['open', 'succeeded']]],
    ['a repeated failure', [reported({ status: 'FAILURE' }), reported({ status: 'DECLINED', ...again() })], [['open', 'failed']]],
    [
      'a retry that succeeds after a failure, at another gateway',
      [reported({ status: 'FAILURE' }), reported({ gateway: 'adyen', ...again() })],
      [
        ['open', 'failed'],
        ['failed', 'succeeded'],
      ],
    ],
    ['a failure after a success', [reported(), reported({ status: 'FAILURE', ...again() })], [['open', 'succeeded']]],
    ['an enforced failure', [reported({ enforceFailure: true })], [['open', 'failed']]],
    ['an outcome of days later', [reported({ at: 20 * DAY_MS })], [['open', 'succeeded']]],
    ['a copy of a report', [reported(), reported()], [['open', 'succeeded']]],
  ])('%s', (_, reports, expected) => {
    expect(changes(decided(), ...reports)).toEqual([ASSIGNED, ...expected])
    expect(changes(decided({ experiment: fixed }), ...reports)).toEqual([ASSIGNED, ...expected])
  })

  test.each([assigned, fixed])('that came before their decision', (experiment) => {
    const early = reported({ at: 500 })
    expect(changes(early, decided({ at: 1_000, experiment }))).toEqual([ASSIGNED, ['open', 'succeeded']])
  })

  test('in spite of a reset, and when their decision has left the windows', () => {
    const fold = createPaymentFold({ ...PAYMENT_FOLD_LIMITS, openDecisionCountMax: 10 })
    changesOf(fold, decided())
    for (let index = 0; index < 50; index++) fold.apply(sampleDecision({ paymentId: `other_${index}`, requestId: `o_${index}`, at: index }))
    fold.apply({
      type: 'GatewayScoresReset',
      data: { merchantId: 'm_1', requestId: 'r_x', at: 60, cause: 'REQUESTED', merchantRegistrationCount: 1 },
    })
    expect(changesOf(fold, reported({ at: 3 * DAY_MS }))).toMatchObject([{ standing: 'succeeded' }])
  })

  test('a payment that is decided again counts once, in its first arm', () => {
    const retry = decided({ at: 9, gateway: 'adyen', experiment: { ...assigned, arm: 'CONTROL' }, ...again() })
    const effects = changesOf(
      createPaymentFold(),
      decided(),
      reported({ status: 'FAILURE' }),
      retry,
      reported({ gateway: 'adyen', ...again() }),
    )
    expect(effects).toMatchObject([
      { standing: 'open', arm: 'VARIANT' },
      { standing: 'failed' },
      { standing: 'succeeded', arm: 'VARIANT', gateway: 'adyen', assignedAt: 0 },
    ])
  })

  describe('with what the payment costs', () => {
    const priced = { costsBps: [190, null, 120], marginRatio: 1, wanted: false }
    const row = { pctBps: 0, fixed: 0, authRatio: 0.9, expectedRatio: 0, source: 'EXACT', interchangeCategory: null } as const
    const ranked = [
      { ...row, gateway: 'stripe', costBps: 150 },
      { ...row, gateway: 'adyen', costBps: 210 },
    ]
    const weighed = {
      cause: 'PROMOTED',
      marginRatio: 0.2,
      head: 'adyen',
      chosen: 'stripe',
      gapRatio: 0,
      modelVersion: null,
      ranked,
    } as const
    const won = { ...weighed, outcome: 'COST_WON', costSavedBps: 60 } as const
    const kept = { ...weighed, outcome: 'AUTH_WON', costSavedBps: null } as const
    const candidates = ['stripe', 'adyen', 'checkout']

    test.each([
      ['as it was priced', { pricing: priced }, [190, null]],
      ['at a gateway without a price', { pricing: priced, gateway: 'adyen' }, [null, null]],
      ['where cost won', { costChoice: won }, [150, 60]],
      ['where approval won nothing was saved', { costChoice: kept }, [150, 0]],
      ['where nothing is known', {}, [null, null]],
    ] as const)('%s', (_, change, [costBps, savedBps]) => {
      const decision = decided({ candidates, ...change })
      const gateway = 'gateway' in change ? change.gateway : 'stripe'
      expect(changesOf(createPaymentFold(), decision, reported({ gateway }))).toMatchObject([
        { costBps, savedBps },
        { standing: 'succeeded', costBps, savedBps },
      ])
    })

    test('an end at another gateway than was decided has no known cost, a new decision has its own', () => {
      const first = decided({ candidates, pricing: priced })
      const elsewhere = reported({ gateway: 'checkout' })
      expect(changesOf(createPaymentFold(), first, elsewhere)[1]).toMatchObject({ costBps: null, savedBps: null })
      const retry = decided({ candidates, pricing: priced, gateway: 'checkout', at: 9, ...again() })
      expect(changesOf(createPaymentFold(), first, retry, elsewhere)[1]).toMatchObject({ costBps: 120 })
    })

    test('it outlives a snapshot', () => {
      const fold = createPaymentFold()
      fold.apply(decided({ candidates, costChoice: won }))
      const copy = createPaymentFold()
      copy.importMerchant('m_1', fold.exportMerchant('m_1'))
      expect(changesOf(copy, reported())).toMatchObject([{ costBps: 150, savedBps: 60 }])
    })
  })

  test('nothing happens to a payment that was left out, or is in no experiment', () => {
    expect(changes(decided({ experiment: { ...fixed, exclusion: 'NO_CANDIDATE' } }), reported())).toEqual([])
    expect(changes(decided({ experiment: null }), reported())).toEqual([])
  })

  test('only as many payments as the limit says are remembered, the oldest go', () => {
    const fold = createPaymentFold({ ...PAYMENT_FOLD_LIMITS, experimentOpenCountMax: 8 })
    for (let index = 0; index < 20; index++) fold.apply(decided({ paymentId: `p_${index}`, requestId: `d_${index}`, at: index }))
    expect(changesOf(fold, reported({ paymentId: 'p_0' }))).toEqual([])
    expect(changesOf(fold, reported({ paymentId: 'p_19', ...again() }))).toHaveLength(1)
  })

  test('payments that succeeded make no room for others to be forgotten', () => {
    const fold = createPaymentFold({ ...PAYMENT_FOLD_LIMITS, experimentOpenCountMax: 8, experimentSuccessCountMax: 8 })
    fold.apply(decided({ paymentId: 'p_late', requestId: 'd_late' }))
    for (let index = 0; index < 50; index++) {
      fold.apply(decided({ paymentId: `p_${index}`, requestId: `d_${index}`, at: index }))
      fold.apply(reported({ paymentId: `p_${index}`, requestId: `o_${index}`, at: index }))
    }
    expect(changesOf(fold, reported({ paymentId: 'p_late', requestId: 'o_late', at: 90 * DAY_MS }))).toHaveLength(1)
    expect(changesOf(fold, reported({ paymentId: 'p_49', requestId: 'o_again' }))).toEqual([])
  })

  test('whatever comes in whatever order: one assignment, at most one end, at most one correction', () => {
    const event = fc.oneof(
      fc.constant(null).map(() => (requestId: string, at: number) => decided({ requestId, at })),
      fc
        .constantFrom('CHARGED', 'FAILURE', 'PENDING')
        .map((status) => (requestId: string, at: number) => reported({ requestId, at, status })),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (makers) => {
        const told = changes(...makers.map((make, index) => make(`r_${index}`, 1_000 * index))).map(([before]) => before)
        expect(told.filter((before) => before === null).length).toBeLessThanOrEqual(1)
        expect(told.filter((before) => before === 'open').length).toBeLessThanOrEqual(1)
        expect(told.filter((before) => before === 'failed').length).toBeLessThanOrEqual(1)
        expect(told.length === 0 || told[0] === null).toBe(true)
      }),
    )
  })
})

describe('success rates', () => {
  const scoreAfter = (experiment: typeof assigned | typeof fixed): number | undefined => {
    const fold = createPaymentFold()
    fold.apply(decided({ experiment }))
    fold.apply(reported({ status: 'FAILURE' }))
    const { dimension } = sampleDecision().data
    return fold.scoresOf({ merchantId: 'm_1', dimension, gateways: ['stripe'], bucketSize: 5 })[0]
  }
  test('learn from an arm of success rates, not from a fixed one', () => {
    expect(scoreAfter(assigned)).toBeLessThan(1)
    expect(scoreAfter(fixed)).toBe(1)
  })
  test('an outcome of a fixed arm says so, and its payment is known', () => {
    const fold = createPaymentFold()
    fold.apply(decided({ experiment: fixed }))
    expect(fold.hasDecision('m_1', 'p_1')).toBe(true)
    expect(fold.apply(reported())?.[0]).toMatchObject({ disposition: 'unscored', success: null, score: null })
  })
  test('an approval of a fixed arm that is told again, as its capture does, is a repeat', () => {
    const fold = createPaymentFold()
    const heard = (...events: readonly PaymentsEvent[]) =>
      events.flatMap((event) => fold.apply(event) ?? []).flatMap((effect) => ('disposition' in effect ? [effect.disposition] : []))
    const failed = { status: 'FAILURE' } as const
    expect(heard(decided({ experiment: fixed }), reported(failed), reported({ ...failed, ...again(), gateway: 'adyen' }))).toEqual([
      'unscored',
      'unscored',
    ])
    expect(heard(reported({ status: 'AUTHORIZED', ...again() }), reported({ status: 'CHARGED', ...again() }))).toEqual([
      'unscored',
      'repeated',
    ])
    expect(heard(reported({ ...failed, ...again() }), reported({ ...again(), gateway: 'adyen' }))).toEqual(['unscored', 'unscored'])
  })
})
