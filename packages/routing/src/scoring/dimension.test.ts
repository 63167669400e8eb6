import { describe, expect, test } from '@jest/globals'
import type { ScoringDimension } from '@switchyard/events'
import fc from 'fast-check'
import { dimensionKey, dimensionOf } from './dimension.ts'

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
  udfs: fc.array(text, { maxLength: 3 }),
})

describe('scoring dimension', () => {
  test('method types of one spelling in capitals share a window, methods do not', () => {
    const payment = { paymentType: 'ORDER_PAYMENT', paymentMethodType: 'card', paymentMethod: 'visa' }
    const key = dimensionKey(dimensionOf(payment))
    expect(dimensionKey(dimensionOf({ ...payment, paymentMethodType: 'CARD' }))).toBe(key)
    expect(dimensionKey(dimensionOf({ ...payment, paymentMethod: 'VISA' }))).not.toBe(key)
  })

  test('two dimensions have the same key only when they are equal', () => {
    fc.assert(
      fc.property(dimension, dimension, (a, b) => {
        expect(dimensionKey(a) === dimensionKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
