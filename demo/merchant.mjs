import { randomUUID } from 'node:crypto'
import { GATEWAYS, METHODS } from './market.mjs'

/** Window length in outcomes, and the share of payments in percent that explore. */
export const SCORING = { bucketSize: 125, hedgingPercent: 5 }

const scoringConfig = () => ({
  type: 'successRate',
  data: {
    defaultBucketSize: SCORING.bucketSize,
    defaultHedgingPercent: SCORING.hedgingPercent,
    subLevelInputConfig: METHODS.map(({ paymentMethodType, paymentMethod }) => ({
      paymentMethodType,
      paymentMethod,
      bucketSize: SCORING.bucketSize,
      hedgingPercent: SCORING.hedgingPercent,
    })),
  },
})

/**
 * Creates a fresh merchant and sets up success-rate routing for it: window and exploration per payment method, and windows
 * that drop their older half when a gateway has changed.
 */
export const createMerchant = async (client, adminSecret) => {
  const merchantId = `demo_${randomUUID().slice(0, 8)}`
  const account = await client.post('/merchant-account/create', {
    headers: { 'x-admin-secret': adminSecret },
    body: { merchant_id: merchantId },
  })
  const headers = { 'x-api-key': account.api_key }
  await client.post('/rule/create', { headers, body: { merchant_id: merchantId, config: scoringConfig() } })
  await client.post(`/merchant-account/${merchantId}/features/explore-exploit-srv3`, { headers, body: { enabled: true } })
  return { merchantId, headers }
}

const paymentIdOf = (index) => `pay_${String(index).padStart(7, '0')}`

/** The request that asks where to send a payment. */
export const decisionRequest = (merchantId, { index, method, currency, network, amount }) => ({
  merchantId,
  eligibleGatewayList: GATEWAYS,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  paymentInfo: {
    paymentId: paymentIdOf(index),
    amount,
    currency: currency.name,
    country: currency.country,
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: method.paymentMethodType,
    paymentMethod: method.paymentMethod,
    cardSwitchProvider: network,
  },
})

/** The request that reports how the gateway answered. */
export const outcomeRequest = (merchantId, { gateway, payment, isApproved, latencyMs }) => ({
  merchantId,
  gateway,
  paymentId: paymentIdOf(payment.index),
  status: isApproved ? 'CHARGED' : 'AUTHORIZATION_FAILED',
  txnLatency: { gatewayLatency: latencyMs },
})
