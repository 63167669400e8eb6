import { describe, expect, test } from '@jest/globals'
import { createCostTable, fitEvents, statisticsOf } from '@switchyard/costs'
import type { PaymentDetails } from '@switchyard/routing'
import { LearnedModels } from './learned-models.ts'
import { multiObjectiveInfo } from './multi-objective-info.ts'
import { createPriceCosts, createWeighCosts } from './weigh-costs.ts'

const payment: PaymentDetails = {
  paymentId: 'p',
  amount: 60,
  currency: 'EUR',
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  country: null,
  cardType: 'DEBIT',
  cardNetwork: 'VISA',
  cardIsIn: null,
  udfs: null,
  authType: null,
  preferredGateway: null,
  cardProgram: null,
  cardIssuerCountry: null,
  channel: null,
}
const fees = { stripe: { pctBps: 290, fixed: 0.3 }, adyen: { pctBps: 194, fixed: 0.24 }, checkout: { pctBps: 122, fixed: 0.35 } }
const table = createCostTable(null, { clusterOverrides: [], connectorOverrides: new Map(Object.entries(fees)), contractRates: [] })
const candidates = ['worldpay', 'checkout', 'adyen', 'stripe']
const weigh = (margin: number, down: readonly string[] = []) =>
  createWeighCosts(() => ({ table, version: 'costs-0-7', isEmpty: false }))({
    merchantId: 'm',
    payment,
    candidates,
    authRates: [0.88, 0.9, 0.915, 0.93],
    down,
    margin,
  })

describe('approval against cost, a ticket of 60.00 (cost.md 17.2)', () => {
  test('with all of it as margin approval wins', () => {
    const weighed = weigh(1)
    expect(weighed.fallbacks).toEqual(['adyen', 'checkout', 'worldpay'])
    expect(weighed.choice).toMatchObject({ outcome: 'AUTH_WON', cause: 'HEAD_BEST', chosen: 'stripe', modelVersion: 'costs-0-7' })
    expect(weighed.choice.gapRatio).toBeCloseTo(0.004791, 6)
  })

  test('with a fifth of it cost wins, and the answer tells how', () => {
    const weighed = weigh(0.2)
    expect(weighed.fallbacks).toEqual(['adyen', 'stripe', 'worldpay'])
    expect(multiObjectiveInfo(weighed, payment)).toMatchObject({
      outcome: 'COST_WON',
      reason: 'checkout chosen instead of stripe: 159.67 bps cheaper for 3.00 pp of authorization',
      costSavedBps: expect.closeTo(159.667, 3),
      qualifiedCount: 3,
      margin: 0.2,
      evGapTop2: expect.closeTo(0.002181, 6),
      ranked: [
        { psp: 'checkout', costBps: expect.closeTo(180.333, 3), ev: expect.closeTo(0.16377, 5), isSrHead: false, isChosen: true },
        { psp: 'adyen', costBps: 234, ev: expect.closeTo(0.161589, 6) },
        { psp: 'stripe', costBps: 340, isSrHead: true, isChosen: false },
      ],
      srHead: { psp: 'stripe', authRate: 0.93, costBps: 340 },
      chosen: { psp: 'checkout', authRate: 0.9 },
    })
  })

  test('a gateway that is down is never promoted', () => {
    expect(weigh(0.2, ['checkout']).choice).toMatchObject({ chosen: 'adyen', cause: 'PROMOTED' })
  })
})

describe('models of what is learned', () => {
  const chunks = (fitCount: number, merchantRegistrationCount = 1) =>
    fitEvents(
      { merchantId: 'm', merchantRegistrationCount, connector: 'adyen', account: 'a', fitId: `f${fitCount}`, fitCount, at: 0 },
      statisticsOf([]),
      [],
    ).map(({ data }) => data)
  const news = (models: LearnedModels) =>
    [...models.compiled()].map(({ position, merchantRegistrationCount }) => [position.offset, merchantRegistrationCount])
  const at = (offset: number) => ({ partition: 0, offset })

  test('are compiled when a fit is whole, once, and never for an older one', () => {
    const models = new LearnedModels()
    for (const chunk of chunks(2)) models.add({ chunk, position: at(5) })
    expect(news(models)).toEqual([[5, 1]])
    expect(news(models)).toEqual([])
    for (const chunk of chunks(1)) models.add({ chunk, position: at(4) })
    expect(news(models)).toEqual([])
  })

  test('are forgotten with the merchant', () => {
    const models = new LearnedModels()
    for (const chunk of chunks(9)) models.add({ chunk, position: at(5) })
    models.forget({ merchantId: 'm', merchantRegistrationCount: 1 })
    models.setAddOns({ merchantId: 'm', addOns: [] })
    expect(news(models)).toEqual([])
    for (const chunk of chunks(1, 2)) models.add({ chunk, position: at(6) })
    models.forget({ merchantId: 'm', merchantRegistrationCount: 1 })
    expect(news(models)).toEqual([[6, 2]])
  })

  test('begin anew with the merchant', () => {
    const models = new LearnedModels()
    for (const chunk of chunks(9)) models.add({ chunk, position: at(5) })
    for (const chunk of chunks(1, 2)) models.add({ chunk, position: at(6) })
    expect(news(models)).toEqual([[6, 2]])
  })
})

describe('what a payment costs', () => {
  const priced = (known: boolean, of = candidates) =>
    createPriceCosts(() => ({ table, version: null, isEmpty: !known }))({ merchantId: 'm', payment, candidates: of })

  test('on each candidate, in their order, null where nothing tells', () => {
    expect(priced(true)).toEqual([null, expect.closeTo(180.333, 3), 234, 340])
  })

  test('is null when nothing is known of any, or of the merchant', () => {
    expect(priced(true, ['worldpay', 'nobody'])).toBeNull()
    expect(priced(false)).toBeNull()
  })
})
