// A life of the service in which every kind of event happens at least once.
import { liveWithCosts } from './golden-costs.mjs'
import { liveWithWebhooks } from './golden-webhooks.mjs'

const payment = (paymentId, more = {}) => ({
  paymentId,
  amount: 49.9,
  currency: 'EUR',
  country: 'DE',
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardSwitchProvider: 'VISA',
  ...more,
})

const merchantId = 'm_golden'
const caller =
  (url, credentials) =>
  async (request, body, headers = {}) => {
    const [method, path] = request.split(' ')
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...credentials, ...headers },
      ...sent,
    })
    const text = await response.text()
    return text === '' || response.headers.get('content-type') !== 'application/json' ? text : JSON.parse(text)
  }

const settle = async (call) => {
  const rule = (operation, more) => call(`POST /rule/${operation}`, { merchant_id: merchantId, ...more })
  await call(`POST /merchant-account/${merchantId}/features/elimination`, { enabled: true })
  await call(`POST /merchant-account/${merchantId}/features/elimination`, { enabled: false })
  await call(`POST /merchant-account/${merchantId}/debit-routing`, { enabled: true })
  await call(`POST /merchant-account/${merchantId}/debit-routing`, { enabled: false })
  const configs = [
    ['successRate', { defaultBucketSize: 10, subLevelInputConfig: [{ paymentMethodType: 'CARD', currency: 'EUR', hedgingPercent: 8 }] }],
    ['elimination', { threshold: 0.3, txnLatency: { gatewayLatency: 4000 } }],
    ['debitRouting', { merchantCategoryCode: 'merchant_category_code_0001', acquirerCountry: 'US' }],
  ]
  for (const [type, data] of configs) {
    await rule('create', { config: { type, data } })
    await rule('delete', { algorithm: type })
    if (type === 'successRate') await rule('create', { config: { type, data } })
  }
}

/** Windows of their own for each currency and network, adaptive, and a gateway that goes down and comes back. */
const learn = async (call) => {
  await call('POST /config-sr-dimension', { merchant_id: merchantId, paymentInfo: { udfs: [1], fields: ['currency', 'card_network'] } })
  await call(`POST /merchant-account/${merchantId}/features/elimination`, { enabled: true })
  await call(`POST /merchant-account/${merchantId}/features/explore-exploit-srv3`, { enabled: true })
  const elimination = { type: 'elimination', data: { threshold: 0.3, txnLatency: { gatewayLatency: 4000 } } }
  await call('POST /rule/create', { merchant_id: merchantId, config: elimination })
  const outcomes = 'FFSFFSFFSSSSSSSFFFFFFFFFFFFSSSSFSS'
  for (const [index, letter] of outcomes.split('').entries()) {
    const paymentId = `pay_learn_${index}`
    const paymentInfo = payment(paymentId, { udfs: ['web', index < 20 ? 'gold' : null] })
    const eligibleGatewayList = ['adyen', 'stripe']
    await call('POST /decide-gateway', { merchantId, eligibleGatewayList, rankingAlgorithm: 'SR_BASED_ROUTING', paymentInfo })
    const status = letter === 'S' ? 'CHARGED' : 'FAILURE'
    const txnLatency = { gatewayLatency: index % 2 === 0 ? 5000 : 900 }
    await call('POST /update-gateway-score', { merchantId, gateway: 'adyen', paymentId, status, txnLatency })
  }
}

const routeByAlgorithm = async (call) => {
  const algorithm = { type: 'priority', data: [{ gateway_name: 'adyen' }, { gateway_name: 'stripe' }] }
  const { rule_id } = await call('POST /routing/create', { name: 'first', created_by: merchantId, algorithm })
  const named = { created_by: merchantId, routing_algorithm_id: rule_id }
  await call('POST /routing/update', { ...named, name: 'second', algorithm })
  await call('POST /routing/activate', named)
  await call('POST /routing/evaluate', { created_by: merchantId, payment_id: 'pay_e', parameters: {} })
  await call('POST /routing/evaluate', {
    created_by: merchantId,
    payment_id: 'pay_e2',
    parameters: { colour: { type: 'number', value: 1 } },
  })
  await call('POST /routing/deactivate', named)
  await call('POST /routing/delete', named)
}

/** By the costs of networks, with and without scores, and together with rules. */
const payByNetworks = async (call) => {
  await call(`POST /merchant-account/${merchantId}/debit-routing`, { enabled: true })
  const card = { co_badged_card_networks: ['VISA', 'NYCE', 'AMEX'], issuer_country: 'US', is_regulated: false, card_type: 'debit' }
  const metadata = JSON.stringify({ merchant_category_code: 'x', acquirer_country: 'US', co_badged_card_data: card })
  const asked = (paymentId, rankingAlgorithm, more) => ({
    merchantId,
    eligibleGatewayList: ['adyen', 'stripe'],
    rankingAlgorithm,
    paymentInfo: payment(paymentId, { amount: 4200, paymentMethod: 'DEBIT', ...more }),
  })
  await call('POST /decide-gateway', asked('pay_network', 'NTW_BASED_ROUTING', { metadata }))
  await call('POST /decide-gateway', asked('pay_network_none', 'NTW_BASED_ROUTING'))
  await call('POST /decide-gateway', asked('pay_both', 'NTW_SR_HYBRID_ROUTING', { metadata }))
  await call('POST /decide-gateway', asked('pay_both_none', 'NTW_SR_HYBRID_ROUTING'))
  for (const paymentId of ['pay_network', 'pay_both']) {
    await call('POST /update-gateway-score', { merchantId, gateway: 'adyen', paymentId, status: 'FAILURE' })
  }
  const rules = { created_by: merchantId, payment_id: 'pay_hybrid', parameters: {}, fallback_output: [{ gateway_name: 'adyen' }] }
  await call('POST /routing/hybrid', { static_routing_request: rules, dynamic_routing_request: asked('pay_hybrid', 'SR_BASED_ROUTING') })
}

const pay = async (call) => {
  const eligibleGatewayList = ['adyen', 'stripe', 'checkout']
  const statuses = ['CHARGED', 'FAILURE', 'DECLINED', 'PENDING', 'AUTHORIZED', 'VOIDED']
  for (let i = 0; i < 60; i++) {
    const rankingAlgorithm = i % 5 === 4 ? 'PL_BASED_ROUTING' : 'SR_BASED_ROUTING'
    const paymentInfo = payment(`pay_${i}`, i % 3 === 0 ? { paymentMethod: 'DEBIT' } : {})
    const decided = await call('POST /decide-gateway', { merchantId, eligibleGatewayList, rankingAlgorithm, paymentInfo })
    const outcome = { merchantId, gateway: decided.decided_gateway, paymentId: `pay_${i}`, status: statuses[i % statuses.length] }
    await call('POST /update-gateway-score', outcome)
    if (i % 7 === 0) await call('POST /update-gateway-score', outcome)
    if (i % 11 === 0) await call('POST /update-gateway-score', { ...outcome, status: 'CHARGED' })
  }
  await call('POST /update-gateway-score', { merchantId, gateway: 'elsewhere', paymentId: 'pay_1', status: 'CHARGED' })
  await call('POST /update-gateway-score', { merchantId, gateway: 'adyen', paymentId: 'pay_unknown', status: 'CHARGED' })
  await call('POST /update-gateway-score', { merchantId, gateway: 'adyen', paymentId: 'pay_1', status: 'charged' })
  await call(`POST /merchant-account/${merchantId}/features/gsm-scoring-filter`, { enabled: true })
  const errorInfo = { connector: 'stripe', errorCode: 'expired_card', errorMessage: 'expired' }
  await call('POST /decide-gateway', { merchantId, eligibleGatewayList, paymentInfo: payment('pay_excused') })
  await call('POST /update-gateway-score', { merchantId, gateway: 'stripe', paymentId: 'pay_excused', status: 'FAILURE', errorInfo })
  await call('POST /decide-gateway', {
    merchantId,
    eligibleGatewayList: [],
    rankingAlgorithm: 'SR_BASED_ROUTING',
    paymentInfo: payment('pay_none'),
  })
}

/** Payments of an experiment until it ends itself, one that its fixed arm can't take, late and repeated outcomes; then an arm goes live. */
const experiment = async (call) => {
  await call(`POST /merchant-account/${merchantId}/features/ab-test-real-payments`, { enabled: true })
  const create = async (type, data) =>
    (await call('POST /routing/create', { name: type, created_by: merchantId, algorithm: { type, data } })).rule_id
  const named = (id) => ({ created_by: merchantId, routing_algorithm_id: id })
  const decide = (paymentId, eligibleGatewayList = ['adyen', 'stripe']) =>
    call('POST /decide-gateway', { merchantId, eligibleGatewayList, rankingAlgorithm: 'SR_BASED_ROUTING', paymentInfo: payment(paymentId) })
  const report = (paymentId, gateway, status) => call('POST /update-gateway-score', { merchantId, gateway, paymentId, status })
  const priority = await create('priority', [{ gateway_name: 'stripe' }, { gateway_name: 'adyen' }])
  const comparison = { variant_split_pct: 49, min_sample_size: 10, guardrail_threshold_pp: 1, auto_stop: true }
  const fixed = await create('ab_test', { ...comparison, control_algorithm_id: 'sr_routing', variant_algorithm_id: priority })
  await call('POST /routing/activate', named(fixed))
  await call('POST /routing/evaluate', {
    created_by: merchantId,
    payment_id: 'pay_ev',
    parameters: {},
    fallback_output: [{ gateway_name: 'adyen' }],
  })
  for (let i = 0; i < 6; i++) await decide(`pay_left_out_${i}`, ['checkout', 'northpay'])
  for (let i = 0; i < 48; i++) {
    const { experiment: part, decided_gateway } = await decide(`pay_ab_${i}`)
    await report(`pay_ab_${i}`, decided_gateway, part?.arm === 'variant' ? 'FAILURE' : i % 9 === 8 ? 'PENDING' : 'CHARGED')
    if (i % 10 === 9) await report(`pay_ab_${i}`, decided_gateway, 'CHARGED')
  }
  for (let tries = 0; tries < 60; tries++) {
    const [listed] = await call(`GET /routing/experiments/${merchantId}`)
    if (listed.state === 'stopped') break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const overrides = { hedging_percent: 20, elimination_threshold: 0.2, use_autopilot: false, margin: 0.5, enable_multi_objective: false }
  const sides = { control_algorithm_id: 'sr_routing', variant_algorithm_id: 'sr_routing', variant_sr_config: overrides }
  const tuned = await create('ab_test', { ...comparison, ...sides, auto_stop: false })
  await call('POST /routing/activate', named(tuned))
  for (let i = 0; i < 6; i++) await decide(`pay_tuned_${i}`)
  await report('pay_ab_8', 'stripe', 'CHARGED')
  await call('POST /routing/promote', { ...named(fixed), arm: 'variant' })
}

/** A repeated upload, a reset in between, and a merchant that comes back under its id. */
const beginAnew = async (call, admin) => {
  const reset = () => call('POST /gateway-score/reset', { merchant_id: merchantId }, { 'x-tenant-id': 'public' })
  const line = (paymentId, status) => JSON.stringify({ merchantId, gateway: 'adyen', paymentId, status })
  const key = { 'idempotency-key': 'golden' }
  await call('POST /update-gateway-score/batch', [line('pay_2', 'FAILURE'), line('pay_3', 'CHARGED')].join('\n'), key)
  await reset()
  await call(
    'POST /update-gateway-score/batch',
    [line('pay_2', 'FAILURE'), line('pay_3', 'CHARGED'), line('pay_4', 'CHARGED')].join('\n'),
    key,
  )
  await admin('POST /merchant-account/create', { merchant_id: 'm_closed' })
}

/** A person proves an address, forgets the password, leaves, is kept out and let in again; a session is handed over. */
const meetPeople = async (url, admin, linkTo) => {
  const email = 'golden@example.test'
  const post = caller(url, {})
  await admin('POST /auth/signup', { email, password: 'Blue#Sky2024', merchant_id: merchantId })
  await post(`GET /auth/verify-email?token=${await linkTo(email, 'verify-email')}`)
  await post('POST /auth/forgot-password', { email })
  await post('POST /auth/reset-password', { token: await linkTo(email, 'reset-password'), new_password: 'Green#Sea2025' })
  const { token } = await post('POST /auth/login', { email, password: 'Green#Sea2025' })
  await caller(url, { authorization: `Bearer ${token}` })('POST /auth/logout')
  await admin('POST /admin/users/deactivate', { email })
  await admin('POST /admin/users/reactivate', { email })
  const { code } = await admin('POST /auth/admin/merchant-token', { merchant_id: merchantId })
  await post('POST /auth/admin/merchant-token/exchange', { code })
}

/** The self-tuning looks at what was paid, and is undone; its interval is that of the recording. */
const tune = async (call) => {
  for (const feature of ['auto-calibration', 'autopilot']) {
    await call(`POST /merchant-account/${merchantId}/features/${feature}`, { enabled: true })
  }
  for (let isTuned = false; !isTuned; ) {
    const { run_count: runCount } = await call('GET /analytics/self-tuning', undefined, { 'x-tenant-id': 'public' })
    isTuned = runCount > 0
  }
  await call('POST /self-tuning/undo', { merchant_id: merchantId })
  await call(`POST /merchant-account/${merchantId}/features/auto-calibration`, { enabled: false })
}

/** Drives a fresh service at `url` through all of it. */
export const liveOneLife = async (url, linkTo) => {
  const admin = caller(url, { 'x-admin-secret': 'test_admin' })
  const { api_key } = await admin('POST /merchant-account/create', { merchant_id: merchantId })
  await admin('POST /merchant-account/create', { merchant_id: 'm_closed' })
  await admin('DELETE /merchant-account/m_closed')
  await meetPeople(url, admin, linkTo)
  const call = caller(url, { 'x-api-key': api_key })
  const { key_id } = await call('POST /api-key/create', { merchant_id: merchantId, description: 'short-lived' })
  await call(`DELETE /api-key/${key_id}`)
  await settle(call)
  await routeByAlgorithm(call)
  await pay(call)
  await payByNetworks(call)
  await learn(call)
  await experiment(call)
  await liveWithWebhooks(call, merchantId)
  await tune(call)
  await liveWithCosts(call, merchantId)
  await beginAnew(call, admin)
}
