import { changedTemplate, GATEWAYS, ID_WIDTH } from './workload.mjs'

/** Other than that of the payments, which are in euros. */
const OTHER_CURRENCIES = ['USD', 'GBP', 'SEK', 'NOK', 'DKK', 'PLN', 'CHF', 'CAD', 'AUD']
/** Rules of the program of decisions by rules. */
const ACTIVE_RULE_COUNT = 200

/** The evaluation of a payment that matches the last rule of {@link activateRules}, with a slot for the payment. */
export const evaluationTemplate = ({ merchantId, headers }) => ({
  path: '/routing/evaluate',
  headers,
  body: JSON.stringify({
    created_by: merchantId,
    payment_id: 'pay_{{id}}',
    parameters: {
      payment_method: { type: 'enum_variant', value: 'card' },
      currency: { type: 'enum_variant', value: 'EUR' },
      card_network: { type: 'enum_variant', value: 'visa' },
      amount: { type: 'number', value: 49 },
    },
  }),
  slots: { id: ID_WIDTH },
})

const send = async (url, method, path, { headers, body }) => {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`)
  return text === '' ? null : JSON.parse(text)
}

/** Rules as people write them, each for another currency and range of amounts; the last one is for the payments of the benchmarks. */
const ruleOf = (index, count) => {
  const isLast = index === count - 1
  const word = (lhs, value) => ({ lhs, comparison: 'equal', value: { type: 'enum_variant', value } })
  return {
    name: `rule_${index}`,
    routing_type: 'priority',
    output: { priority: [{ gateway_name: GATEWAYS[index % GATEWAYS.length] }] },
    statements: [
      {
        condition: [
          word('payment_method', 'card'),
          word('currency', isLast ? 'EUR' : OTHER_CURRENCIES[index % OTHER_CURRENCIES.length]),
          word('card_network', 'visa'),
          { lhs: 'amount', comparison: 'less_than', value: { type: 'number', value: 100 * (index + 1) } },
        ],
      },
    ],
  }
}

/** Makes a program of so many rules the merchant's live algorithm. */
export const activateRules = async (url, { merchantId, headers }, count) => {
  const rules = Array.from({ length: count }, (_, index) => ruleOf(index, count))
  const data = { default_selection: { priority: [{ gateway_name: GATEWAYS[0] }] }, rules }
  const created = { name: 'bench', created_by: merchantId, algorithm: { type: 'advanced', data } }
  const { rule_id: id } = await send(url, 'POST', '/routing/create', { headers, body: created })
  await send(url, 'POST', '/routing/activate', { headers, body: { created_by: merchantId, routing_algorithm_id: id } })
}

/** What the gateways cost, so that every decision has all costs to weigh. */
const setFees = async (url, { merchantId, headers }) => {
  for (const [index, gateway] of GATEWAYS.entries()) {
    const path = `/merchant-account/${merchantId}/connectors/${gateway}/fee-override`
    await send(url, 'PUT', path, { headers, body: { pct_bps: 130 + 10 * index, fixed: 0.1 } })
  }
}

const enableDebitRouting = async (url, { merchantId, headers }) => {
  await send(url, 'POST', `/merchant-account/${merchantId}/debit-routing`, { headers, body: { enabled: true } })
}

/** A payment with a debit card of four networks. */
const DEBIT_PAYMENT = {
  amount: 1000,
  currency: 'USD',
  country: 'US',
  paymentMethod: 'DEBIT',
  cardType: 'DEBIT',
  metadata: JSON.stringify({
    merchant_category_code: 'merchant_category_code_0001',
    acquirer_country: 'US',
    co_badged_card_data: {
      co_badged_card_networks: ['VISA', 'NYCE', 'PULSE', 'STAR'],
      issuer_country: 'US',
      is_regulated: false,
      regulated_name: null,
      card_type: 'debit',
    },
  }),
}

const debitTemplate = (rankingAlgorithm) => (merchant) => changedTemplate(merchant, { rankingAlgorithm }, DEBIT_PAYMENT)

/** Decisions that are asked for more than plain ones: what the merchant has to set for them, and their request. */
export const DECISION_KINDS = {
  /** Weighs approval against cost. */
  weighing: { setUp: setFees, templateOf: (merchant) => changedTemplate(merchant, { enableMultiObjective: true }) },
  rules: {
    setUp: (url, merchant) => activateRules(url, merchant, ACTIVE_RULE_COUNT),
    templateOf: (merchant) => changedTemplate(merchant, { rankingAlgorithm: 'PL_BASED_ROUTING' }),
  },
  network: { setUp: enableDebitRouting, templateOf: debitTemplate('NTW_BASED_ROUTING') },
  hybrid: { setUp: enableDebitRouting, templateOf: debitTemplate('NTW_SR_HYBRID_ROUTING') },
}
