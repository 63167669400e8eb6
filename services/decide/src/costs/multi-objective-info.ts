import { networkOf, variantOfPayment } from '@switchyard/costs'
import type { CostSource, WeighedGateway } from '@switchyard/events'
import type { PaymentDetails, WeighedCosts } from '@switchyard/routing'

/** The names that clients know: what people set counts as in-house, contracts as seeds (cost.md 15.4). */
export const shownSource = (source: CostSource): 'IN_HOUSE' | 'SEED' => (source === 'CONTRACT' ? 'SEED' : 'IN_HOUSE')

const OF_CLUSTER: ReadonlySet<CostSource> = new Set(['CLUSTER_OVERRIDE', 'EXACT', 'PRODUCTS', 'VARIANTS'])

/** Whether a cost was told by the cluster of the payment, or one like it. */
export const isOfCluster = (source: CostSource): boolean => OF_CLUSTER.has(source)

const variantOf = ({ cardNetwork, cardProgram, cardType, paymentMethod }: PaymentDetails): string =>
  variantOfPayment({ network: cardNetwork ?? '', program: cardProgram ?? '', funding: cardType ?? '', paymentMethod })

/** What a cost was told by; absent members are left out, not null. */
const costModel = ({ pctBps, fixed, source, interchangeCategory }: WeighedGateway, payment: PaymentDetails): object => {
  const { cardNetwork, cardIssuerCountry } = payment
  const ccy = payment.currency.toUpperCase()
  const brand = cardNetwork === null ? {} : { brand: networkOf(cardNetwork) }
  const fee = { pctBps, fixedFee: fixed }
  if (!isOfCluster(source)) return { ...brand, ccy, ...fee }
  const issuer = cardIssuerCountry === null ? {} : { issuer: cardIssuerCountry.toUpperCase() }
  const category = interchangeCategory === null ? {} : { icCategory: interchangeCategory }
  return { ...brand, variant: variantOf(payment), ...issuer, ccy, ...category, ...fee }
}

const inShort = ({ gateway, authRatio, costBps }: WeighedGateway): object => ({ psp: gateway, authRate: authRatio, costBps })

/**
 * `multi_objective_info` of an answer (cost.md 15.4, contract/README.md 20): every gateway that was weighed, and in short the one with the
 * best approval and the one that was chosen.
 */
export const multiObjectiveInfo = ({ choice, reason }: WeighedCosts, payment: PaymentDetails): object => {
  const { ranked, head, chosen } = choice
  const rows = ranked.map((row) => ({
    psp: row.gateway,
    authRate: row.authRatio,
    costBps: row.costBps,
    costSource: shownSource(row.source),
    costModel: costModel(row, payment),
    ev: row.expectedRatio,
    isSrHead: row.gateway === head,
    isChosen: row.gateway === chosen,
  }))
  const headRow = ranked.find(({ gateway }) => gateway === head)
  const chosenRow = ranked.find(({ gateway }) => gateway === chosen)
  return {
    outcome: choice.outcome,
    reason,
    costSavedBps: choice.costSavedBps,
    qualifiedCount: ranked.length,
    margin: choice.marginRatio,
    evGapTop2: choice.gapRatio,
    ...(rows.length === 0 ? {} : { ranked: rows }),
    ...(headRow && { srHead: inShort(headRow) }),
    ...(chosenRow && { chosen: inShort(chosenRow) }),
  }
}
