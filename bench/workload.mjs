import { randomUUID } from 'node:crypto'

/** Three gateways whose names differ in the last letter only, so that a request can be patched in place. */
export const GATEWAYS = ['gate_a', 'gate_b', 'gate_c']
/** Digits of a payment's number. */
export const ID_WIDTH = 10
const GATEWAY_SLOT_WIDTH = 1
const STATUS_SLOT_WIDTH = 7

/** Creates a fresh merchant that may be used with its API key. */
export const createBenchMerchant = async (client, adminSecret) => {
  const merchantId = `bench_${randomUUID().slice(0, 8)}`
  const account = await client.post('/merchant-account/create', {
    headers: { 'x-admin-secret': adminSecret },
    body: { merchant_id: merchantId },
  })
  return { merchantId, headers: { 'x-api-key': account.api_key } }
}

const decisionBody = (merchantId) => ({
  merchantId,
  eligibleGatewayList: GATEWAYS,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  eliminationEnabled: true,
  paymentInfo: {
    paymentId: 'pay_{{id}}',
    amount: 49.9,
    currency: 'EUR',
    country: 'DE',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    authType: 'THREE_DS',
    cardType: 'CREDIT',
    cardSwitchProvider: 'VISA',
    cardIsin: '411111',
  },
})

const outcomeBody = (merchantId) => ({
  merchantId,
  gateway: 'gate_{{gateway}}',
  paymentId: 'pay_{{id}}',
  status: '{{status}}',
  txnLatency: { gatewayLatency: 120 },
})

/** The decision request with a slot for the payment. */
export const decisionTemplate = ({ merchantId, headers }) => ({
  path: '/decide-gateway',
  headers,
  body: JSON.stringify(decisionBody(merchantId)),
  slots: { id: ID_WIDTH },
})

/** A decision request with other members, of the request and of its payment. */
export const changedTemplate = (merchant, changes, payment = {}) => {
  const body = decisionBody(merchant.merchantId)
  return { ...decisionTemplate(merchant), body: JSON.stringify({ ...body, ...changes, paymentInfo: { ...body.paymentInfo, ...payment } }) }
}

/** The outcome request with slots for the payment, the gateway that was decided for it, and the status. */
export const outcomeTemplate = ({ merchantId, headers }) => ({
  path: '/update-gateway-score',
  headers,
  body: JSON.stringify(outcomeBody(merchantId)),
  slots: { gateway: GATEWAY_SLOT_WIDTH, id: ID_WIDTH, status: STATUS_SLOT_WIDTH },
})

/** Bytes of an answer to a request made by hand, with the slots filled by their first payment. */
export const answerBytesOf = async (url, { path, headers, body }) => {
  const filled = body.replace('{{id}}', '9'.repeat(ID_WIDTH)).replace('{{gateway}}', 'a').replace('{{status}}', 'CHARGED')
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: filled,
  })
  const bytes = (await response.arrayBuffer()).byteLength
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return bytes
}
