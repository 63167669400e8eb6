import type { PaymentKind } from '../reports/canonical-row.ts'

/** Payments of one account that are expected to be priced by one line (cost.md 7). */
export interface FitCluster extends PaymentKind {
  /** Published rate that tells cards of one category apart; empty when unknown. */
  readonly cardProduct: string
}

/** One text for one cluster and no other. */
export const clusterText = (cluster: FitCluster): string =>
  JSON.stringify([
    cluster.cardNetwork,
    cluster.variant,
    cluster.funding,
    cluster.issuerCountry,
    cluster.currency,
    cluster.interchangeCategory,
    cluster.cardProduct,
  ])
