import type { Fee, FittedCluster } from '../fit/fitted-cluster.ts'
import type { Channel } from '../reports/canonical-row.ts'
import type { Band } from '../statistics/band.ts'
import type { ContractRate } from './contract-rates.ts'

/** What is learned of an account, by its latest fit. */
export interface LearnedAccount {
  readonly connector: string
  readonly account: string
  readonly clusters: readonly FittedCluster[]
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

/** How often payments of a kind had an interchange category, which is unknown before they are settled. */
export interface CategoryCount {
  readonly connector: string
  readonly cardNetwork: string
  readonly variant: string
  readonly funding: string
  readonly issuerCountry: string
  readonly interchangeCategory: string
  readonly seen: readonly CountedPayments[]
}

/** Payments of a channel and a size. */
export interface CountedPayments {
  readonly channel: Channel
  readonly band: Band
  readonly count: number
}

/** All that is learned of a merchant's costs. */
export interface LearnedModel {
  readonly accounts: readonly LearnedAccount[]
  readonly categoryCounts: readonly CategoryCount[]
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
