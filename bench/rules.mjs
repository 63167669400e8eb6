import { compileAlgorithm } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { median, summaryOf } from './statistics.mjs'

const FEW_RULES = 5
const MANY_RULES = 500
/** Evaluations that are timed together: one alone is shorter than the clock's steps. */
const BATCH = 50
const BATCHES_PER_RUN = 400
const US_PER_NS = 1_000

const CURRENCIES = ['EUR', 'USD', 'GBP', 'SEK', 'NOK', 'DKK', 'PLN', 'CHF', 'CAD', 'AUD']
const NETWORKS = ['visa', 'mastercard', 'amex', 'discover', 'jcb']
const AMOUNT_STEP = 10

const word = (value) => ({ type: 'enumVariant', value })
const number = (value) => ({ type: 'number', value })
const condition = (key, comparison, value) => ({ key, comparison, value, metadata: {} })

/** Rules as people write them: each for another currency, network and range of amounts. */
const distinctConditions = (index, count) => {
  const isLast = index === count - 1
  const step = Math.floor(index / CURRENCIES.length)
  return [
    condition('payment_method', 'equal', word('card')),
    condition('currency', 'equal', word(isLast ? 'INR' : CURRENCIES[index % CURRENCIES.length])),
    condition('card_network', 'equal', { type: 'enumVariantArray', values: [NETWORKS[index % NETWORKS.length], 'rupay'] }),
    condition('card_type', 'notEqual', word('debit')),
    condition('amount', 'greaterThanEqual', number(isLast ? 0 : step * AMOUNT_STEP)),
    condition('amount', 'lessThan', number(isLast ? 1_000_000 : (step + 1) * AMOUNT_STEP)),
  ]
}

/** Rules that differ in their last condition only, and that by a limit. */
const alikeConditions = (index, count) => [
  condition('payment_method', 'equal', word('card')),
  condition('currency', 'equal', word('INR')),
  condition('card_network', 'equal', word('rupay')),
  condition('card_type', 'notEqual', word('debit')),
  condition('billing_country', 'equal', word('India')),
  condition('amount', 'equal', number(1_000 - (count - 1 - index))),
]

/** The same in what no table tells apart: metadata of the payment. */
const metadataConditions = (index, count) => [
  ...alikeConditions(0, 1).slice(0, 5),
  condition('metadata', 'equal', { type: 'metadata', key: 'shop', value: index === count - 1 ? 'mine' : `shop_${index}` }),
]

const SHAPES = { distinct: distinctConditions, alike: alikeConditions, metadata: metadataConditions }

const parameters = new Map([
  ['payment_method', word('card')],
  ['currency', word('INR')],
  ['card_network', word('rupay')],
  ['card_type', word('credit')],
  ['billing_country', word('India')],
  ['amount', number(1_000)],
  ['shop', { type: 'metadata', key: 'shop', value: 'mine' }],
])

const programOf = (conditionsOf, count) => ({
  globals: [],
  defaultSelection: { form: 'priority', connectors: [{ gatewayName: 'default', gatewayId: null }] },
  rules: Array.from({ length: count }, (_, index) => ({
    name: `r${index}`,
    routingType: 'priority',
    output: { form: 'priority', connectors: [{ gatewayName: `g${index}`, gatewayId: null }] },
    statements: [{ conditions: conditionsOf(index, count), nested: [] }],
  })),
  metadata: null,
})

const context = { paymentId: 'pay_1', draw: () => 0, fallback: [] }

const evaluatorOf = (conditionsOf, count, catalogue) => {
  const { evaluate } = compileAlgorithm('bench', { kind: 'ADVANCED', program: programOf(conditionsOf, count) }, catalogue)
  const result = evaluate(parameters, context)
  if (result.ruleName !== `r${count - 1}`) throw new Error(`the last of ${count} rules should match, not ${result.ruleName}`)
  return () => evaluate(parameters, context)
}

/** Median time of one evaluation, in microseconds. */
const medianUs = (evaluate) => {
  const samples = []
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    const startedNs = process.hrtime.bigint()
    for (let turn = 0; turn < BATCH; turn += 1) evaluate()
    samples.push(Number(process.hrtime.bigint() - startedNs) / BATCH / US_PER_NS)
  }
  return median(samples)
}

/** Evaluation of a payment that matches the last rule, of few and of many rules of six conditions, in turns on one core. */
export const measureRules = ({ repeatCount }) => {
  const { catalogue } = loadRuleData({ routingKeys: undefined, eligibility: undefined })
  const measured = Object.entries(SHAPES).map(([shape, conditionsOf]) => {
    const few = evaluatorOf(conditionsOf, FEW_RULES, catalogue)
    const many = evaluatorOf(conditionsOf, MANY_RULES, catalogue)
    medianUs(few)
    medianUs(many)
    const runs = Array.from({ length: repeatCount }, () => ({ fewUs: medianUs(few), manyUs: medianUs(many) }))
    return [
      shape,
      {
        manyUs: summaryOf(runs.map(({ manyUs }) => manyUs)),
        fewUs: summaryOf(runs.map(({ fewUs }) => fewUs)),
        growth: summaryOf(runs.map(({ fewUs, manyUs }) => manyUs / fewUs)),
      },
    ]
  })
  return Object.fromEntries(measured)
}
