import { describe, expect, test } from '@jest/globals'
import { classOf, contentTagOf, EVENT_CLASSES, EVENT_TYPES, isEventType, typesOf } from './event-types.ts'

describe('types of events', () => {
  test('32 types in 6 classes, each in exactly one', () => {
    expect(EVENT_TYPES).toHaveLength(32)
    expect(Object.fromEntries(EVENT_CLASSES.map((name) => [name, typesOf(name).length]))).toEqual({
      payments: 11,
      refunds: 3,
      disputes: 7,
      mandates: 2,
      payouts: 8,
      subscriptions: 1,
    })
    for (const type of EVENT_TYPES) expect(EVENT_CLASSES.filter((name) => typesOf(name).includes(type))).toEqual([classOf(type)])
  })

  test.each([
    ['payment_partially_authorized', 'payments', 'payment_details'],
    ['payout_not_permitted', 'payouts', 'payout_details'],
    ['surcharge_payment_succeeded', 'payments', 'payment_details'],
    ['surcharge_refund_succeeded', 'refunds', 'refund_details'],
    ['invoice_paid', 'subscriptions', 'subscription_details'],
  ] as const)('%s belongs to %s and is tagged %s', (type, eventClass, tag) => {
    expect([classOf(type), contentTagOf(type)]).toEqual([eventClass, tag])
  })

  test.each(['refund_processing', 'recovery_started', '', 'toString', '__proto__'])('%j is no type', (text) => {
    expect(isEventType(text)).toBe(false)
  })
})
