import { type Candidate, type Choice, type ChoiceCause, type CostRung, chooseByExpectedValue, type GatewayCost } from '@switchyard/costs'
import type { CostChoiceCause, CostSource, WeighedGateway } from '@switchyard/events'
import type { PaymentDetails, PriceCosts, WeighCosts } from '@switchyard/routing'
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

const weighedGateways = (
  { ranked }: Choice,
  candidates: readonly string[],
  costs: readonly (GatewayCost | undefined)[],
): readonly WeighedGateway[] => {
  const weighed: WeighedGateway[] = []
  for (const { gateway, authRate, costBps, expectedValue } of ranked) {
    const cost = costs[candidates.indexOf(gateway)]
    if (cost === undefined) continue
    weighed.push({
      gateway,
      authRatio: authRate,
      costBps,
      pctBps: cost.fee.pctBps,
      fixed: cost.fee.fixed,
      expectedRatio: expectedValue,
      source: SOURCES[cost.rung],
      interchangeCategory: cost.interchangeCategory,
    })
  }
  return weighed
}

/** Weighs approval and cost by what the merchant's costs are at this moment; no call leaves the process. */
export const createWeighCosts =
  (costsOf: CostsOf): WeighCosts =>
  ({ merchantId, payment, candidates, authRates, down, margin }) => {
    const { table, version } = costsOf(merchantId)
    const priced = table.price(pricedPayment(payment))
    const costs = candidates.map((gateway) => priced.costOn(gateway))
    const weighed = candidates.map(
      (gateway, index): Candidate => ({
        gateway,
        authRate: authRates[index] ?? 0,
        costBps: costs[index]?.bps ?? null,
        isDown: down.includes(gateway),
      }),
    )
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
        ranked: weighedGateways(choice, candidates, costs),
        modelVersion: version,
      },
    }
  }

/** Prices candidates by what the merchant's costs are at this moment. */
export const createPriceCosts =
  (costsOf: CostsOf): PriceCosts =>
  ({ merchantId, payment, candidates }) => {
    const { table, isEmpty } = costsOf(merchantId)
    if (isEmpty) return null
    const priced = table.price(pricedPayment(payment))
    const costsBps = candidates.map((gateway) => priced.costOn(gateway)?.bps ?? null)
    return costsBps.some((costBps) => costBps !== null) ? costsBps : null
  }
