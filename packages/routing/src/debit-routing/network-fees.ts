import type { DebitNetwork } from './debit-networks.ts'

/** A price: a share of the amount and an addition in the unit of the amount (network.md 5). */
export interface NetworkFee {
  readonly percent: number
  readonly fixed: number
}

/** What the networks cost: data of the deployment, one table for all merchants (network.md 5). */
export interface NetworkFeeTable {
  /** Names the contents, so that a decision tells which table priced it. */
  readonly version: string
  /** Added for a regulated issuer with the fraud-check allowance; unit of the amount. */
  readonly fraudCheckFee: number
  /** What each network takes for itself; a network that is missing is unpriced. */
  readonly networkFees: ReadonlyMap<DebitNetwork, NetworkFee>
  readonly interchangeRegulated: NetworkFee
  /** Of issuers that are not regulated, by merchant category; a network that is missing is unpriced there. */
  readonly interchangeByCategory: ReadonlyMap<string, ReadonlyMap<DebitNetwork, NetworkFee>>
  /** Prices the categories that the table does not know. */
  readonly defaultCategory: string
  /** Whether a card from another country than the acquirer's saves anything. */
  readonly crossBorderSavings: boolean
  /** Networks that a connector supports, by its name in lower case; a connector that is missing supports all. Empty: nobody asks. */
  readonly connectorNetworks: ReadonlyMap<string, ReadonlySet<DebitNetwork>>
}

/** What the fees of a payment depend on beside the network. */
export interface PricedPayment {
  /** As sent, in the unit of the table (contract/README.md 11). */
  readonly amount: number
  /** A category of the table. */
  readonly category: string
  readonly isRegulated: boolean
  readonly regulatedName: string | null
}

/** The name that an issuer's regulation must have for the fraud-check fee, exactly. */
const FRAUD_CHECK_NAME = 'GOVERNMENT NON-EXEMPT INTERCHANGE FEE (WITH FRAUD)'
const PERCENT = 100

const feeOn = (amount: number, { percent, fixed }: NetworkFee): number => (amount * percent) / PERCENT + fixed

const interchangeOf = (table: NetworkFeeTable, network: DebitNetwork, payment: PricedPayment): number | undefined => {
  const { amount, category, isRegulated, regulatedName } = payment
  if (isRegulated) return feeOn(amount, table.interchangeRegulated) + (regulatedName === FRAUD_CHECK_NAME ? table.fraudCheckFee : 0)
  const fee = table.interchangeByCategory.get(category)?.get(network)
  return fee && feeOn(amount, fee)
}

/** The category that prices a payment: its own one, or the default of the table when that knows it not. */
export const pricedCategory = ({ interchangeByCategory, defaultCategory }: NetworkFeeTable, category: string): string =>
  interchangeByCategory.has(category) ? category : defaultCategory

/** What a payment costs over a network (network.md 5.1), unrounded; undefined when the table does not price it. */
export const networkFeeOf = (table: NetworkFeeTable, network: DebitNetwork, payment: PricedPayment): number | undefined => {
  const scheme = table.networkFees.get(network)
  const interchange = interchangeOf(table, network, payment)
  return scheme === undefined || interchange === undefined ? undefined : interchange + feeOn(payment.amount, scheme)
}
