import { describe, expect, test } from '@jest/globals'
import { parseDecision } from './parse-decision.ts'
import { parseOutcome } from './parse-outcome.ts'

/** JSON that has a length which nothing can be compared with. */
const UNCOMPARABLE: unknown = JSON.parse('{"length":{"toString":0}}')

describe('a body with an object where a text should stand', () => {
  const payment = {
    paymentId: 'p_1',
    amount: 10,
    currency: 'EUR',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
  }
  test.each(['paymentId', 'metadata', 'udfs'])(
    'was answered as a fault of the server when its length could not be compared: %s',
    (name) => {
      const body = { merchantId: 'm_1', eligibleGatewayList: ['a'], paymentInfo: { ...payment, [name]: UNCOMPARABLE } }
      expect(parseDecision(body)).toEqual({ problem: expect.stringContaining(`invalid value of field \`paymentInfo.${name}\``) })
    },
  )

  test('of an outcome, too: a line of an upload broke the whole upload off', () => {
    const body = { merchantId: 'm_1', gateway: 'a', paymentId: UNCOMPARABLE, status: 'CHARGED' }
    expect(parseOutcome(body)).toEqual({ problem: expect.stringContaining('invalid value of field `paymentId`') })
  })
})
