import type { Fee } from '../fit/fitted-cluster.ts'
import type { ContractRate } from './contract-rates.ts'
import type { NumberedFit } from './numbered-fit.ts'

/** What is learned of an account. */
export interface LearnedAccount {
  readonly connector: string
  /** Its latest fit. */
  readonly fit: NumberedFit
  /** What invoices add to every learned cost; null without one. */
  readonly addOn: AddOn | null
}

/** What an invoice adds (cost.md 11). */
export interface AddOn extends Fee {
  /** Currency of the fixed part, which is added to costs in no other. */
  readonly currency: string
}

/** Seven fields that name a cluster to people, in any case (cost.md 10.4). */
export interface ClusterKey {
  readonly connector: string
  readonly cardNetwork: string
  readonly variant: string
  readonly funding: string
  readonly issuerCountry: string
  readonly currency: string
  readonly interchangeCategory: string
}

/** A fee that someone has set for a cluster. */
export interface ClusterOverride {
  readonly key: ClusterKey
  readonly fee: Fee
}

/** All that is learned of a merchant's costs. */
export interface LearnedModel {
  readonly accounts: readonly LearnedAccount[]
  /** Card product by the first six digits of a card. */
  readonly productByBin: ReadonlyMap<string, string>
}

/** What people have set about costs. */
export interface SetCosts {
  readonly clusterOverrides: readonly ClusterOverride[]
  /** By connector. */
  readonly connectorOverrides: ReadonlyMap<string, Fee>
  readonly contractRates: readonly ContractRate[]
}

/** A payment that is to be priced, as the request has it. */
export interface PricedPayment {
  /** Major units; two decimals count. */
  readonly amount: number
  readonly currency: string
  readonly network: string
  readonly funding: string
  readonly program: string
  readonly issuerCountry: string
  readonly bin: string
  readonly channel: string
  readonly paymentMethod: string
}
