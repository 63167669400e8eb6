import { describe, expect, test } from '@jest/globals'
import type { ScoringDimension } from '@switchyard/events'
import fc from 'fast-check'
import { type DimensionedPayment, dimensionKey, dimensionOf } from './dimension.ts'

const text = fc.constantFrom('', '-', '0;', '1:', 'a', 'b', 'ab', 'CARD', '2:ab')
const slot = fc.option(text, { nil: null })
const dimension: fc.Arbitrary<ScoringDimension> = fc.record({
  paymentType: text,
  paymentMethodType: text,
  paymentMethod: text,
  cardNetwork: slot,
  cardIsIn: slot,
  currency: slot,
  country: slot,
  authType: slot,
  udfs: fc.array(slot, { maxLength: 3 }),
  version: fc.nat(2),
})

const card: DimensionedPayment = {
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardNetwork: 'VISA',
  cardIsIn: '424242',
  currency: 'EUR',
  country: null,
  authType: 'THREE_DS_2',
  udfs: ['web', null, 'gold'],
}

describe('scoring dimension', () => {
  test('method types of one spelling in capitals share a window, methods do not', () => {
    const payment = { ...card, paymentMethodType: 'card', paymentMethod: 'visa' }
    const key = dimensionKey(dimensionOf(payment, null))
    expect(dimensionKey(dimensionOf({ ...payment, paymentMethodType: 'CARD' }, null))).toBe(key)
    expect(dimensionKey(dimensionOf({ ...payment, paymentMethod: 'VISA' }, null))).not.toBe(key)
  })

  const chosen = (fields: readonly string[] | null, udfs: readonly number[] = []) => ({ fields, udfs, version: 1 })

  test('without a choice only payment type, method type and method take part', () => {
    expect(dimensionOf(card, null)).toMatchObject({ cardNetwork: null, currency: null, authType: null, udfs: [], version: 0 })
  })

  test('chosen fields have their own slots, whatever their order; what the payment lacks is null', () => {
    const one = dimensionOf(card, chosen(['card_network', 'country', 'currency', 'card_is_in']))
    expect(one).toMatchObject({ cardNetwork: 'VISA', cardIsIn: '424242', currency: 'EUR', country: null, authType: null, version: 1 })
    expect(dimensionOf(card, chosen(['currency', 'card_is_in', 'card_network', 'country', 'country']))).toEqual(one)
  })

  test.each([
    ['CARD', 'THREE_DS', 'THREE_DS'],
    ['CARD', 'THREE_DS_2', 'THREE_DS'],
    ['CARD', 'OTP', 'OTP'],
    ['CARD', 'NO_THREE_DS', 'UNKNOWN'],
    ['CARD', null, 'UNKNOWN'],
    ['UPI', 'OBO_OTP', 'OBO_OTP'],
    ['UPI', null, null],
    ['card', 'FIDO', 'FIDO'],
  ])('authentication of %s: %s counts as %s', (paymentMethodType, authType, expected) => {
    expect(dimensionOf({ ...card, paymentMethodType, authType }, chosen(['auth_type'])).authType).toBe(expected)
  })

  test('user-defined fields keep the slot of one that is missing', () => {
    expect(dimensionOf(card, chosen(null, [2, 1, 9, 0])).udfs).toEqual(['gold', null, null, 'web'])
    expect(dimensionOf({ ...card, udfs: null }, chosen(null, [2])).udfs).toEqual([null])
  })

  test('another choice begins new windows, also when it says the same of this payment', () => {
    const first = dimensionOf(card, { fields: ['country'], udfs: [], version: 1 })
    expect(dimensionKey(dimensionOf(card, { fields: ['country'], udfs: [], version: 2 }))).not.toBe(dimensionKey(first))
  })

  test('two dimensions have the same key only when they are equal', () => {
    fc.assert(
      fc.property(dimension, dimension, (a, b) => {
        expect(dimensionKey(a) === dimensionKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
