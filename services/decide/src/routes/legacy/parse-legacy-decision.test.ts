import { describe, expect, test } from '@jest/globals'
import { sampleService } from '../../sample-service.fixture.ts'
import { parseLegacyDecision } from './parse-legacy-decision.ts'

const body = (order: object, transaction: object): object => ({
  orderReference: { udfs: [], ...order },
  orderMetadata: { partitionKey: null },
  txnDetail: { txnUuid: 'p_1', partitionKey: null, ...transaction },
  txnCardInfo: { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', partitionKey: null },
  merchantAccount: { merchantId: 'm_1', gatewaySuccessRateBasedDeciderInput: '' },
})

describe('the currency of a decision by the older interface', () => {
  test('is that of the order where the transaction names none', () => {
    const { value } = parseLegacyDecision(body({ currency: 'EUR' }, { currency: null }))
    expect(value?.decision).toMatchObject({ paymentInfo: { currency: 'EUR' } })
  })

  test.each([
    ['none at all', {}, {}, 'missing field `txnDetail.currency`'],
    ['an unknown one of the transaction', { currency: 'EUR' }, { currency: 'eur' }, 'invalid value of field `txnDetail.currency`'],
    ['an unknown one of the order', { currency: 'eur' }, {}, 'invalid value of field `orderReference.currency`'],
  ])('is refused by the name of the member that is wrong: %s', (_, order, transaction, problem) => {
    expect(parseLegacyDecision(body(order, transaction)).problem).toContain(problem)
  })

  test('is recorded of a refused request, too, where the order alone names it', async () => {
    const { call, recorded } = sampleService()
    const unreadable = { ...body({ currency: 'EUR' }, { currency: null }), txnCardInfo: { partitionKey: null } }
    expect((await call('/decision_gateway', unreadable)).status).toBe(400)
    expect(recorded).toMatchObject([{ type: 'DecisionRefused', data: { stage: 'request_parse_failed', payment: { currency: 'EUR' } } }])
  })
})
