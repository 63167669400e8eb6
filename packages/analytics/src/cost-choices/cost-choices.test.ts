import { describe, expect, test } from '@jest/globals'
import type { CostChoice, PaymentsEvent } from '@switchyard/events'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import type { OutcomeEffect, RecordedPayment } from '../recorded-payment.ts'
import { costChoices, costChoicesCollection, type StoredChoice } from './cost-choices.ts'
import { readCostChoices } from './read-cost-choices.ts'

const row = (gateway: string, authRatio: number) => ({
  gateway,
  authRatio,
  costBps: 100,
  pctBps: 100,
  fixed: 0,
  expectedRatio: 1,
  source: 'EXACT' as const,
  interchangeCategory: null,
})
const choice: CostChoice = {
  outcome: 'COST_WON',
  cause: 'PROMOTED',
  marginRatio: 0.2,
  head: 'stripe',
  chosen: 'checkout',
  costSavedBps: 160,
  gapRatio: 0.002,
  ranked: [row('checkout', 0.9), row('stripe', 0.93)],
  modelVersion: 'costs-0-1',
}

const record = (event: PaymentsEvent, effects: readonly OutcomeEffect[] = []): RecordedPayment => ({
  event,
  effects,
  position: { partition: 0, offset: 1 },
  eventId: 'e',
})
const decided = (costChoice: CostChoice | null, changes: object = {}) =>
  record(sampleGatewayDecided({ gateway: 'checkout', costChoice, at: 1_000, ...changes }))
const effect = (gateway: string, success: boolean | null): OutcomeEffect => ({
  merchantId: 'm_1',
  paymentId: 'p_1',
  requestId: 'r_2',
  gateway,
  status: 'CHARGED',
  at: 2_000,
  disposition: 'counted',
  success,
  score: null,
  payment: null,
  slow: false,
  dropped: null,
  health: null,
})
const outcome = (gateway: string, success: boolean | null) => record(sampleOutcomeRecorded(), [effect(gateway, success)])

const key = ['m_1', 'p_1']
const folded = (...records: readonly RecordedPayment[]): StoredChoice =>
  records.reduce(
    (view, one) => (costChoices.keysOf(one).length > 0 ? costChoices.project(view, one, key) : view),
    costChoices.initialView(key),
  )

describe('weighed payments', () => {
  test('say what was saved and given up', () => {
    expect(folded(decided(choice)).weighed).toMatchObject({
      gateway: 'checkout',
      outcome: 'COST_WON',
      costSavedBps: 160,
      margin: 0.2,
      authGivenUp: expect.closeTo(0.03, 9),
      isApproved: null,
    })
  })

  test('that were not weighed are none', () => {
    expect(costChoices.keysOf(decided(null))).toEqual([])
    expect(folded(outcome('checkout', true))).toEqual(costChoices.initialView(key))
  })

  test.each([
    ['approved where it was sent', [outcome('checkout', true)], true],
    ['failed there', [outcome('checkout', false)], false],
    ['approved by another gateway', [outcome('stripe', true)], null],
    ['failed first', [outcome('checkout', false), outcome('checkout', true)], true],
    ['reported twice', [outcome('checkout', true), outcome('checkout', true)], true],
    ['nothing final', [outcome('checkout', null)], null],
  ])('%s', (_name, outcomes, isApproved) => {
    expect(folded(decided(choice), ...outcomes).weighed?.isApproved).toBe(isApproved)
  })

  test.each([
    ['late', { status: 'CHARGED' }, true],
    ['reset', { status: 'CHARGED' }, true],
    ['waiting', { status: 'CHARGED' }, true],
    ['late', { status: 'DECLINED' }, false],
    ['late', { status: 'CHARGED', enforceFailure: true }, false],
    ['late', { status: 'AUTHORIZING' }, null],
    ['foreign', { status: 'CHARGED' }, null],
  ] as const)('an outcome that is %s for the windows tells of its payment all the same: %j', (disposition, change, isApproved) => {
    const report = sampleOutcomeRecorded({ gateway: 'checkout', statusClass: null, ...change })
    const late = record(report, [{ ...effect('checkout', null), status: change.status, disposition }])
    expect(folded(decided(choice), late).weighed?.isApproved).toBe(isApproved)
    expect(folded(decided(choice), outcome('checkout', true), late).weighed?.isApproved).toBe(true)
  })

  test('an outcome that waited for its decision counts with it', () => {
    const both = { ...decided(choice), effects: [effect('checkout', true)] }
    expect(folded(both).weighed?.isApproved).toBe(true)
  })

  test('an approval stays when the payment is decided again for the same gateway, and not for another one', () => {
    const repeated = record(sampleOutcomeRecorded(), [{ ...effect('checkout', null), disposition: 'repeated' }])
    const approved = [decided(choice), outcome('checkout', true)]
    expect(folded(...approved, decided(choice), repeated).weighed?.isApproved).toBe(true)
    expect(folded(...approved, decided(choice, { gateway: 'stripe' })).weighed?.isApproved).toBeNull()
    expect(folded(decided(choice), outcome('checkout', false), decided(choice)).weighed?.isApproved).toBeNull()
  })

  test('are read by time and by what is asked for', async () => {
    const store = createMemoryStore({ collections: [costChoicesCollection] })
    const put = async (paymentId: string, changes: object) => {
      const one = decided(choice, { paymentId, ...changes })
      const [own = key] = costChoices.keysOf(one)
      const body = costChoices.project(costChoices.initialView(own), one, own)
      await store.write([{ collection: costChoices.name, key: own, position: one.position, body }])
    }
    await put('p_1', { at: 60_000, currency: 'EUR' })
    await put('p_2', { at: 61_000, currency: 'USD' })
    await put('p_3', { at: 9_000_000, currency: 'EUR' })
    const dimensions = {
      paymentMethodType: undefined,
      paymentMethod: undefined,
      cardNetwork: undefined,
      cardIsIn: undefined,
      currency: 'EUR',
      country: undefined,
      authType: undefined,
    }
    const window = { range: '1h', startMs: 50_000, endMs: 70_000, bucket: undefined, historySince: 0 } as const
    const read = await readCostChoices(store, 10_000_000, 'm_1', { window, dimensions, gateways: [] })
    expect(read.asked.map(({ decidedMs }) => decidedMs)).toEqual([61_000, 60_000])
    expect((await readCostChoices(store, 10_000_000, 'm_1', { window, dimensions, gateways: ['adyen'] })).asked).toEqual([])
  })
})
