import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { INVOICED_ACCOUNT_COUNT_MAX } from '../limits.ts'
import { type InvoiceAddOnsEvent, invoiceAddOns, servedAddOn } from './invoice-add-ons.ts'

const given = specificationOf(invoiceAddOns)
const registered: InvoiceAddOnsEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: 1 } }
const lines = [
  { description: 'Processing Fees', amount: 50, quantity: 0 },
  { description: 'Management', amount: 10, quantity: 0 },
]
const settled = { gross: 10_000, count: 1000, fees: 150 }
const ingest = (account = 'eu', changes: object = {}) =>
  ({
    type: 'IngestInvoice',
    merchantId: 'm1',
    connector: 'adyen',
    account,
    invoiceRef: 'i1',
    invoice: { lines, currency: 'EUR', period: { first: 20_605, last: 20_634 } },
    settled,
    at: 5,
    ...changes,
  }) as const
const ingested = (account = 'eu', changes: object = {}): InvoiceAddOnsEvent => ({
  type: 'InvoiceIngested',
  data: {
    merchantId: 'm1',
    connector: 'adyen',
    account,
    invoiceRef: 'i1',
    currency: 'EUR',
    periodStart: '2026-06-01',
    periodEnd: '2026-06-30',
    lines: lines.map(({ description, amount }) => ({ description, amount, paymentCount: 0 })),
    settled: { gross: 10_000, paymentCount: 1000, fees: 150 },
    at: 5,
    ...changes,
  },
})
const removed = (account: string): InvoiceAddOnsEvent => ({
  type: 'InvoiceAddOnRemoved',
  data: { merchantId: 'm1', connector: 'adyen', account, at: 9 },
})
const removal = (account: string | null) => ({ type: 'RemoveInvoiceAddOn', merchantId: 'm1', connector: 'adyen', account, at: 9 }) as const
const stateOf = (...events: readonly InvoiceAddOnsEvent[]) => events.reduce(invoiceAddOns.evolve, invoiceAddOns.initialState)
const clusters = (...currencies: readonly string[]) => currencies.map((currency) => ({ currency }))

describe('what invoices add', () => {
  test('an invoice is recorded with its lines and what stands in for what it does not state', () => {
    given(registered).when(ingest()).emits(ingested())
    given().when(ingest()).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })

  test('the latest invoice of an account counts; accounts do not touch each other', () => {
    const state = stateOf(registered, ingested(), ingested('us'), ingested('eu', { settled: null, at: 7 }))
    expect(state.addOns).toMatchObject([
      { account: 'us', fixedAddon: 0.05, pctAddonBps: 10, period: { first: 20_605, last: 20_634 } },
      { account: 'eu', fixedAddon: 0, updatedAt: 7 },
    ])
  })

  test('it ends for one account, for all of a connector, or with the merchant', () => {
    given(registered, ingested(), ingested('us')).when(removal('us')).emits(removed('us'))
    given(registered, ingested(), ingested('us')).when(removal(null)).emits(removed('eu'), removed('us'))
    given(registered, ingested()).when(removal('other')).emitsNothing()
    expect(stateOf(registered, ingested(), removed('eu')).addOns).toEqual([])
    expect(stateOf(registered, ingested(), { type: 'MerchantClosed', data: { merchantId: 'm1', at: 8 } }).addOns).toEqual([])
  })

  test('accounts with an invoice are bounded', () => {
    const many = Array.from({ length: INVOICED_ACCOUNT_COUNT_MAX }, (_, index) => ingested(`a${index}`))
    given(registered, ...many)
      .when(ingest('one more'))
      .isRejectedWith({ code: 'TOO_MANY_INVOICES', limit: INVOICED_ACCOUNT_COUNT_MAX })
    given(registered, ...many)
      .when(ingest('a7'))
      .emits(ingested('a7'))
  })
})

describe('what learned costs are served with', () => {
  const place = { connector: 'adyen', account: 'eu' }

  test('that of their own account, in its currency', () => {
    const state = stateOf(registered, ingested())
    expect(servedAddOn(state, { ...place, clusters: clusters('USD') })).toEqual({ pctBps: 10, fixed: 0.05, currency: 'EUR' })
    expect(servedAddOn(state, { ...place, account: 'us', clusters: [] })).toBeNull()
  })

  test.each([
    [['EUR', 'eur'], 'EUR'],
    [['EUR', 'USD'], ''],
    [[], ''],
  ])('an invoice without a currency, over payments in %j, is in %j', (currencies, currency) => {
    const state = stateOf(registered, ingested('eu', { currency: '' }))
    expect(servedAddOn(state, { ...place, clusters: clusters(...currencies) })).toMatchObject({ currency })
  })
})
