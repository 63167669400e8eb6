import { expect, test } from '@jest/globals'
import { dimensionOf } from '../scoring/dimension.ts'
import { type AskedWindows, SharedQuestions } from './asked-windows.ts'

const UDF_COUNT = 20

/** A question of a merchant that tells windows apart by fields of its own. */
const asked = (udf: string, gatewayCount: number): AskedWindows => ({
  dimension: dimensionOf(
    {
      paymentType: 'ORDER_PAYMENT',
      paymentMethodType: 'CARD',
      paymentMethod: 'CREDIT',
      cardNetwork: null,
      cardIsIn: null,
      currency: 'USD',
      country: null,
      authType: null,
      udfs: new Array<string>(UDF_COUNT).fill(udf),
    },
    { fields: [], udfs: Array.from({ length: UDF_COUNT }, (_, position) => position), version: 1 },
  ),
  gateways: Array.from({ length: gatewayCount }, (_, index) => `gateway_${index}`),
})

test('a question with long keys is kept for the merchant that asks, not for everybody', () => {
  const questions = new SharedQuestions(10)
  const isShared = (udf: string, gatewayCount: number): boolean => {
    const [first, second] = [asked(udf, gatewayCount), asked(udf, gatewayCount)]
    questions.recentOnes().of(first)
    const found = questions.recentOnes().of(second)
    expect(found.kind).toEqual(second)
    return found.kind.dimension === first.dimension
  }
  expect([isShared('short', 3), isShared('short', 50), isShared('x'.repeat(255), 2)]).toEqual([true, true, true])
  expect(isShared('x'.repeat(255), 100)).toBe(false)
})
