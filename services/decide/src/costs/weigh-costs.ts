import { type Candidate, type Choice, type ChoiceCause, type CostRung, chooseByExpectedValue, type GatewayCost } from '@switchyard/costs'
import type { CostChoiceCause, CostSource, WeighedGateway } from '@switchyard/events'
import type { PaymentDetails, WeighCosts } from '@switchyard/routing'
import type { CostsOf } from './merchant-costs.ts'

const SOURCES: Readonly<Record<CostRung, CostSource>> = {
  'cluster-override': 'CLUSTER_OVERRIDE',
  'connector-override': 'CONNECTOR_OVERRIDE',
  exact: 'EXACT',
  products: 'PRODUCTS',
  variants: 'VARIANTS',
  region: 'REGION',
  contract: 'CONTRACT',
}

const CAUSES: Readonly<Record<ChoiceCause['cause'], CostChoiceCause>> = {
  'one-candidate': 'ONE_CANDIDATE',
  'no-score': 'NO_SCORE',
  'head-without-cost': 'HEAD_WITHOUT_COST',
  'head-without-profit': 'HEAD_WITHOUT_PROFIT',
  'head-best': 'HEAD_BEST',
  promoted: 'PROMOTED',
}

/** What of a payment its costs are told by (cost.md 14). */
const pricedPayment = (payment: PaymentDetails) => ({
  amount: payment.amount,
  currency: payment.currency,
  network: payment.cardNetwork ?? '',
  funding: payment.cardType ?? '',
  program: payment.cardProgram ?? '',
  issuerCountry: payment.cardIssuerCountry ?? '',
  bin: payment.cardIsIn ?? '',
  channel: payment.channel ?? '',
  paymentMethod: payment.paymentMethod,
})

const weighedGateways = ({ ranked }: Choice, costs: ReadonlyMap<string, GatewayCost>): readonly WeighedGateway[] =>
  ranked.flatMap(({ gateway, authRate, costBps, expectedValue }) => {
    const cost = costs.get(gateway)
    if (cost === undefined) return []
    const { fee, rung, interchangeCategory } = cost
    return {
      gateway,
      authRatio: authRate,
      costBps,
      pctBps: fee.pctBps,
      fixed: fee.fixed,
      expectedRatio: expectedValue,
      source: SOURCES[rung],
      interchangeCategory,
    }
  })

/** Weighs approval and cost by what the merchant's costs are at this moment; no call leaves the process. */
export const createWeighCosts =
  (costsOf: CostsOf): WeighCosts =>
  ({ merchantId, payment, candidates, authRates, down, margin }) => {
    const { table, version } = costsOf(merchantId)
    const priced = table.price(pricedPayment(payment))
    const costs = new Map<string, GatewayCost>()
    const weighed = candidates.map((gateway, index): Candidate => {
      const cost = priced.costOn(gateway)
      if (cost !== undefined) costs.set(gateway, cost)
      return { gateway, authRate: authRates[index] ?? 0, costBps: cost?.bps ?? null, isDown: down.includes(gateway) }
    })
    const choice = chooseByExpectedValue(weighed, margin)
    return {
      fallbacks: choice.fallbacks,
      reason: choice.reason,
      choice: {
        outcome: choice.outcome,
        cause: CAUSES[choice.cause.cause],
        marginRatio: margin,
        head: choice.head,
        chosen: choice.chosen,
        costSavedBps: choice.costSavedBps,
        gapRatio: choice.gapOfTopTwo,
        ranked: weighedGateways(choice, costs),
        modelVersion: version,
      },
    }
  }
