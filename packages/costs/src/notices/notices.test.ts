import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Hmac } from '@switchyard/kernel'
import { adyenNotice } from './adyen-notice.ts'
import { checkoutNotice } from './checkout-notice.ts'
import { noticeFormatOf } from './notice-formats.ts'

const hmac: Hmac = (hash, { key, message, as }) => createHmac(hash, key).update(message).digest(as)
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

const adyenItem = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  pspReference: 'psp:1\\2',
  merchantAccountCode: 'ShopEU',
  amount: { value: 0, currency: 'EUR' },
  eventCode: 'REPORT_AVAILABLE',
  success: 'true',
  reason: 'https://ca-test.adyen.com/reports/r.csv',
  ...over,
})

const signed = (item: Record<string, unknown>): Record<string, unknown> => {
  const escape = (text: unknown): string => (typeof text === 'string' ? text : '').replace(/\\/g, '\\\\').replace(/:/g, '\\:')
  const text = [
    escape(item['pspReference']),
    '',
    escape(item['merchantAccountCode']),
    '',
    '0',
    'EUR',
    item['eventCode'],
    item['success'],
  ].join(':')
  return { ...item, additionalData: { hmacSignature: createHmac('sha256', Buffer.from(KEY, 'hex')).update(text).digest('base64') } }
}

const adyenBody = (...items: readonly Record<string, unknown>[]): Uint8Array =>
  bytes(JSON.stringify({ live: 'true', notificationItems: items.map((item) => ({ NotificationRequestItem: item })) }))

describe('notices of Adyen (cost.md 3.2)', () => {
  test('a signed batch of one account', () => {
    const other = adyenItem({ pspReference: '', reason: 'https://ca-test.adyen.com/reports/s.csv' })
    const notice = adyenNotice.parse({ body: adyenBody(signed(adyenItem()), signed(other)), signature: '' })
    expect(notice?.account).toBe('ShopEU')
    expect(notice?.isSigned(KEY, hmac)).toBe(true)
    expect(notice?.reports).toEqual([
      { notificationId: 'ShopEU/psp:1\\2', reference: 'https://ca-test.adyen.com/reports/r.csv' },
      { notificationId: 'https://ca-test.adyen.com/reports/s.csv', reference: 'https://ca-test.adyen.com/reports/s.csv' },
    ])
  })
  test('one item that is not signed spoils the batch', () => {
    const notice = adyenNotice.parse({ body: adyenBody(signed(adyenItem()), adyenItem()), signature: '' })
    expect(notice?.isSigned(KEY, hmac)).toBe(false)
    expect(notice?.isSigned('no hex', hmac)).toBe(false)
  })
  test('a bare item, and a form with dotted keys', () => {
    const item = signed(adyenItem())
    expect(adyenNotice.parse({ body: bytes(JSON.stringify(item)), signature: '' })?.isSigned(KEY, hmac)).toBe(true)
    const { amount: _amount, additionalData, ...flat } = item
    const form = new URLSearchParams({
      ...(flat as Record<string, string>),
      'amount.value': '0',
      'amount.currency': 'EUR',
      'additionalData.hmacSignature': (additionalData as { readonly hmacSignature: string }).hmacSignature,
    })
    const parsed = adyenNotice.parse({ body: bytes(form.toString()), signature: '' })
    expect(parsed?.isSigned(KEY, hmac)).toBe(true)
    expect(parsed?.reports).toHaveLength(1)
  })
  test.each([
    ['another event', adyenItem({ eventCode: 'AUTHORISATION' })],
    ['a failure', adyenItem({ success: 'false' })],
    ['no address', adyenItem({ reason: '' })],
  ])('%s is no report', (_name, item) => {
    expect(adyenNotice.parse({ body: adyenBody(signed(item)), signature: '' })?.reports).toEqual([])
  })
  test.each(['', '{', '[]', '{"notificationItems":[]}', '{"notificationItems":[null]}'])('%j is no notice', (text) => {
    expect(adyenNotice.parse({ body: bytes(text), signature: '' })).toBeUndefined()
  })
  test('reports of two accounts that have one name are two', () => {
    const name = { pspReference: 'payments_accounting_report_2026_01_05.csv' }
    const [one, other] = ['ShopEU', 'ShopUS'].map((merchantAccountCode) => {
      const item = signed(adyenItem({ ...name, merchantAccountCode }))
      return adyenNotice.parse({ body: adyenBody(item), signature: '' })?.reports[0]?.notificationId
    })
    expect(one).toBe('ShopEU/payments_accounting_report_2026_01_05.csv')
    expect(other).not.toBe(one)
  })
  test('items of two accounts are no notice', () => {
    expect(adyenNotice.parse({ body: adyenBody(adyenItem(), adyenItem({ merchantAccountCode: 'ShopUS' })), signature: '' })).toBeUndefined()
  })
})

describe('notices of Checkout', () => {
  const event = {
    id: 'evt_1',
    type: 'report_generated',
    data: { report_id: 'rpt_1', report_type: 'financialActions', account: { entity_id: 'ent_1' } },
  }
  const body = bytes(JSON.stringify(event))
  const signature = createHmac('sha256', 'sesame').update(body).digest('hex')

  test('signed as a whole, in any case', () => {
    const notice = checkoutNotice.parse({ body, signature: signature.toUpperCase() })
    expect(notice).toMatchObject({ account: 'ent_1', reports: [{ notificationId: 'evt_1', reference: 'rpt_1' }] })
    expect(notice?.isSigned('sesame', hmac)).toBe(true)
    expect(notice?.isSigned('other', hmac)).toBe(false)
    expect(notice?.isSigned('', hmac)).toBe(false)
  })
  test('the client stands in for the entity; other events are no report', () => {
    const other = bytes(JSON.stringify({ ...event, type: 'payment_captured', data: { account: { client_id: 'cli_1' } } }))
    expect(checkoutNotice.parse({ body: other, signature })).toMatchObject({ account: 'cli_1', reports: [] })
    expect(checkoutNotice.parse({ body: bytes('null'), signature })).toBeUndefined()
  })
})

test('connectors without notices', () => {
  expect(noticeFormatOf('Adyen')).toBe(adyenNotice)
  expect(noticeFormatOf('chase')).toBeUndefined()
})
