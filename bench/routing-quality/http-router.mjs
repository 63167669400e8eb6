const payment = (paymentId) => ({
  paymentId,
  amount: 10,
  currency: 'EUR',
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
})

const post = async (url, headers, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return { body: await response.json(), position: response.headers.get('x-log-position') }
}

/**
 * A running service: a merchant of its own for each market. Event time is the clock there, so that probes and the decay of
 * downtime run at the pace of the calls, not of the market.
 */
export const httpRouter = async (url, adminSecret, merchantId, features) => {
  const admin = { 'x-admin-secret': adminSecret }
  const { body } = await post(`${url}/merchant-account/create`, admin, { merchant_id: merchantId })
  const headers = { 'x-api-key': body.api_key }
  for (const feature of features) await post(`${url}/merchant-account/${merchantId}/features/${feature}`, headers, { enabled: true })
  let position = null
  return {
    decide: async (paymentId, eligibleGatewayList) => {
      const request = { merchantId, eligibleGatewayList, rankingAlgorithm: 'SR_BASED_ROUTING', paymentInfo: payment(paymentId) }
      const seen = position === null ? headers : { ...headers, 'x-min-log-position': position }
      return (await post(`${url}/decide-gateway`, seen, request)).body.decided_gateway
    },
    report: async (paymentId, gateway, isApproved) => {
      const status = isApproved ? 'CHARGED' : 'FAILURE'
      position = (await post(`${url}/update-gateway-score`, headers, { merchantId, gateway, paymentId, status })).position
    },
  }
}
