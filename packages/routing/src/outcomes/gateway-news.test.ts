import { describe, expect, test } from '@jest/globals'
import type { GatewayDecided } from '@switchyard/events'
import { createEliminationResolver, SHIPPED_ELIMINATION_RULES as RULES } from '../elimination/elimination-rules.ts'
import type { OutcomeEffect } from './outcome-effect.ts'
import { createPaymentFold, type PaymentFold } from './payment-fold.ts'
import { sampleDecision, sampleOutcome } from './sample-events.fixture.ts'

const { dimension, knobs } = sampleDecision().data
const resolve = createEliminationResolver(RULES)
const elimination = resolve({ settings: { threshold: 0.05, latency: { gatewayLatencyMs: 4_000 } }, flag: true, requested: null })
const adaptive = { ...knobs, bucketSize: 125, adaptive: true }
const payment = { paymentType: 'ORDER_PAYMENT', paymentMethodType: 'CARD', paymentMethod: 'CREDIT', cardType: 'CREDIT' }

interface Paid {
  readonly gateway?: string
  readonly gatewayLatencyMs?: number
  readonly decision?: Partial<GatewayDecided['data']>
}

let payments = 0

/** A payment at one gateway for each letter, a second apart, and what its outcome did. */
const pay = (
  fold: PaymentFold,
  outcomes: string,
  { gateway = 'stripe', gatewayLatencyMs = 10, decision = {} }: Paid = {},
): OutcomeEffect[] =>
  outcomes.split('').flatMap((letter) => {
    const at = 1_000 * ++payments
    const paymentId = `p_${payments}`
    fold.apply(sampleDecision({ paymentId, requestId: paymentId, at, elimination, ...decision }))
    const status = letter === 'S' ? 'CHARGED' : 'FAILURE'
    const outcome = sampleOutcome({ paymentId, requestId: `${paymentId}:o`, at, gateway, status, gatewayLatencyMs })
    return (fold.apply(outcome) ?? []).filter((effect) => 'disposition' in effect)
  })

const downAmong = (fold: PaymentFold, changes: object = {}): readonly string[] =>
  fold
    .downAmong('m_1', { payment: { ...payment, ...changes }, gateways: ['adyen', 'stripe'], at: 1_000 * payments, rules: RULES })
    .map(({ gateway }) => gateway)

describe('downtime in the fold', () => {
  test('failures take a gateway down for its kind of payment only, and the effect says when', () => {
    const fold = createPaymentFold()
    const effects = pay(fold, 'SFFFFFFFF')
    expect(effects.map(({ health }) => health)).toEqual([null, null, null, null, null, null, null, null, 'down'])
    expect(downAmong(fold)).toEqual(['stripe'])
    expect(downAmong(fold, { paymentMethodType: 'card' })).toEqual(['stripe'])
    for (const other of [{ cardType: 'DEBIT' }, { cardType: null }, { paymentMethod: 'DEBIT' }, { paymentType: 'MANDATE_PAYMENT' }]) {
      expect(downAmong(fold, other)).toEqual([])
    }
    expect(fold.downAmong('m_2', { payment, gateways: ['stripe'], at: 0, rules: RULES })).toEqual([])
    expect(pay(fold, 'SSS').at(-1)).toMatchObject({ health: 'up' })
    expect(downAmong(fold)).toEqual([])
  })

  test('the type of the card means nothing for other methods', () => {
    const fold = createPaymentFold()
    pay(fold, 'FFFFFFFF', { decision: { paymentMethodType: 'UPI', cardType: 'UPI' } })
    expect(downAmong(fold, { paymentMethodType: 'UPI', cardType: null })).toEqual(['stripe'])
  })

  test('a pending report older than the latency threshold counts as a failure, a younger one does not', () => {
    const fold = createPaymentFold()
    const pending = (ageMs: number): void => {
      for (let n = 0; n < 8; n++) {
        const paymentId = `pending_${ageMs}_${n}`
        fold.apply(sampleDecision({ paymentId, requestId: paymentId, at: 0, elimination }))
        fold.apply(sampleOutcome({ paymentId, requestId: `${paymentId}:o`, at: ageMs, status: 'STARTED' }))
      }
    }
    pending(89_999)
    expect(downAmong(fold)).toEqual([])
    pending(90_000)
    expect(downAmong(fold)).toEqual(['stripe'])
  })

  test('a success after a failure as another kind of payment takes back no failure of its own kind', () => {
    const fold = createPaymentFold()
    const byShare = { ...elimination, threshold: 0.5, failureRunCount: 100 }
    const asUpi = { paymentMethodType: 'UPI', dimension: { ...dimension, paymentMethodType: 'UPI' }, elimination: byShare }
    pay(fold, 'FSFSF', { decision: asUpi })
    for (const paymentId of ['again_1', 'again_2', 'again_3']) {
      const at = 1_000 * ++payments
      fold.apply(sampleDecision({ paymentId, requestId: `${paymentId}:card`, at, elimination: byShare }))
      fold.apply(sampleOutcome({ paymentId, requestId: `${paymentId}:failed`, at, status: 'FAILURE' }))
      fold.apply(sampleDecision({ paymentId, requestId: `${paymentId}:upi`, at, ...asUpi }))
      fold.apply(sampleOutcome({ paymentId, requestId: `${paymentId}:charged`, at }))
    }
    expect(downAmong(fold, { paymentMethodType: 'UPI' })).toEqual([])
    pay(fold, 'FFF', { decision: asUpi }) // five of eleven succeeded
    expect(downAmong(fold, { paymentMethodType: 'UPI' })).toEqual(['stripe'])
  })

  test('a decision that knew no elimination says nothing of health', () => {
    const fold = createPaymentFold()
    pay(fold, 'FFFFFFFFFFFF', { decision: { elimination: null } })
    expect(downAmong(fold)).toEqual([])
  })

  test('a success slower than the limit counts as a success and is told apart; a slow failure is a failure', () => {
    const fold = createPaymentFold()
    expect(pay(fold, 'S', { gatewayLatencyMs: 4_000 })).toMatchObject([{ success: true, slow: false }])
    expect(pay(fold, 'S', { gatewayLatencyMs: 4_001 })).toMatchObject([{ success: true, slow: true, score: { value: 1 } }])
    expect(pay(fold, 'F', { gatewayLatencyMs: 9_999 })).toMatchObject([{ success: false, slow: false }])
  })
})

describe('adaptive windows', () => {
  test('begin with few optimistic entries, so that they say early what a gateway is worth', () => {
    expect(pay(createPaymentFold(), 'F', { decision: { knobs: adaptive } })[0]?.score).toEqual({
      value: 6 / 7,
      sampleCount: 1,
      bucketSize: 125,
    })
  })

  test('drop what a proven rise has made old, and the effect tells it', () => {
    const effects = pay(createPaymentFold(), 'FFSFFSFFSSSSSSSS', { decision: { knobs: adaptive, elimination: null } })
    const told = effects.find(({ dropped }) => dropped !== null)
    expect(told?.dropped).toEqual({ count: 8, olderRate: 0.25, newerRate: 1 })
    expect(told?.score).toEqual({ value: 1, sampleCount: 5, bucketSize: 125 })
  })

  test('a gateway that is back begins anew with the successes that brought it back', () => {
    const fold = createPaymentFold()
    const effects = pay(fold, 'SSFFFFFFFFSSS', { decision: { knobs: adaptive } })
    expect(effects.at(-1)).toMatchObject({
      health: 'up',
      dropped: { count: 10, olderRate: 0.2, newerRate: 1 },
      score: { value: 1, sampleCount: 3 },
    })
  })

  test('a gateway of which the outage was forgotten keeps its outcomes: none of them brought it back', () => {
    const fold = createPaymentFold()
    pay(fold, 'SSSSSSSSSSSSSSSSSSSSFFFFFFFF', { decision: { knobs: adaptive } })
    expect(downAmong(fold)).toEqual(['stripe'])
    const forgetful = { ...elimination, ageMsMax: 500 }
    expect(pay(fold, 'F', { decision: { knobs: adaptive, elimination: forgetful } })).toMatchObject([{ health: 'up', dropped: null }])
    expect(downAmong(fold)).toEqual([])
  })

  test('without the flag nothing is ever dropped: the score is the mean of the newest outcomes', () => {
    const effects = pay(createPaymentFold(), 'FFFFFFFFSSSSSSSS', { decision: { knobs: { ...knobs, bucketSize: 125 } } })
    expect(effects.every(({ dropped }) => dropped === null)).toBe(true)
    expect(effects.at(-1)?.score).toEqual({ value: 117 / 125, sampleCount: 16, bucketSize: 125 })
  })

  test('a choice of extra dimensions tells windows apart', () => {
    const fold = createPaymentFold()
    pay(fold, 'F', { decision: { dimension: { ...dimension, currency: 'EUR', version: 1 } } })
    const scoreOf = (currency: string) =>
      fold.scoresOf({ merchantId: 'm_1', dimension: { ...dimension, currency, version: 1 }, gateways: ['stripe'], bucketSize: 5 })[0]
    expect([scoreOf('EUR'), scoreOf('USD')]).toEqual([0.8, 1])
  })
})
