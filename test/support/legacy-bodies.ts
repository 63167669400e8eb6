const AT = '2026-11-21T10:00:00Z'
/** What an older client sends to ask for a decision. */
export const legacyDecision = (merchantId: string, paymentId: string, change: object = {}, transaction: object = {}): object => ({
  orderReference: { id: 1, orderId: 'o_1', amount: 100, currency: 'EUR', udfs: [null, 'x'], dateCreated: AT },
  orderMetadata: { id: 2, partitionKey: null },
  txnDetail: {
    id: 3,
    txnUuid: paymentId,
    currency: 'EUR',
    netAmount: 99.5,
    txnObjectType: 'ORDER_PAYMENT',
    partitionKey: null,
    ...transaction,
  },
  txnCardInfo: { id: 4, paymentMethodType: 'CARD', paymentMethod: 'CREDIT', partitionKey: null },
  merchantAccount: { merchantId, gatewaySuccessRateBasedDeciderInput: '{}' },
  enforceGatewayList: ['adyen', 'stripe'],
  ...change,
})

/** What differs from the sample. */
interface LegacyChanges {
  readonly detail?: object
  readonly change?: object
  readonly card?: object
}

/** What it sends when the payment is over. */
export const legacyOutcome = (
  merchantId: string,
  paymentId: string,
  { detail = {}, change = {}, card = {} }: LegacyChanges = {},
): object => ({
  txn_detail: {
    id: '3',
    orderId: 'o_1',
    txnId: 't_1',
    txnUuid: paymentId,
    merchantId,
    gateway: 'stripe',
    status: 'FAILURE',
    type: 'AUTH_AND_SETTLE',
    currency: 'EUR',
    partitionKey: null,
    ...detail,
  },
  txn_card_info: { id: '4', paymentMethodType: 'CARD', paymentMethod: 'CREDIT', dateCreated: AT, partitionKey: null, ...card },
  log_message: 'refused',
  ...change,
})
