import type { Coverage, NoticedChange } from '@switchyard/costs'
import * as z from 'zod'
import type { MerchantCoverage } from '../operations.ts'

const number = z.number()
const count = z.int().min(0)
const text = z.string()

const figures = {
  total_clusters: count,
  good_clusters: count,
  thin_clusters: count,
  non_linear_clusters: count,
  total_txns: count,
  good_txns: count,
  thin_txns: count,
  non_linear_txns: count,
  good_txn_pct: number,
  total_gross: number,
  good_gross: number,
  thin_gross: number,
  non_linear_gross: number,
  good_gross_pct: number,
  bps_rmse_p50: number,
  bps_rmse_p90: number,
  report_date: text,
  tiered_clusters: count,
  tiered_txns: count,
  tiered_gross: number,
  priced_txn_pct: number,
  priced_gross_pct: number,
  currencies: z.array(
    z.object({
      currency: text,
      txns: count,
      total_gross: number,
      good_gross: number,
      tiered_gross: number,
      thin_gross: number,
      non_linear_gross: number,
    }),
  ),
}

/** The record of coverage (cost.md 10.2). */
export const coverageAnswer: z.ZodType = z.object({
  ...figures,
  sources: z.array(z.object({ connector: text, account: text, ...figures })),
})

/** A record of changed prices (cost.md 10.3). */
export const priceChangeAnswer: z.ZodType = z.object({
  connector: text,
  account: text,
  card_network: text,
  variant: text,
  funding: text,
  issuer_country: text,
  currency: text,
  ic_category: text,
  card_product: text,
  old_pct_bps: number,
  new_pct_bps: number,
  old_fixed: number,
  new_fixed: number,
  changed_on: text,
})

/** Shown while there is no fit (cost.md 2). */
const NO_DATE = '1970-01-01'

const grossOf = (coverage: Coverage, part: 'gross' | 'goodGross' | 'tieredGross' | 'thinGross' | 'nonLinearGross'): number =>
  coverage.currencies.reduce((sum, currency) => sum + currency[part], 0)

const printFigures = (coverage: Coverage, reportDate: string | null): object => {
  const { total, good, tiered, thin, nonLinear } = coverage
  return {
    total_clusters: total.clusters,
    good_clusters: good.clusters,
    thin_clusters: thin.clusters,
    non_linear_clusters: nonLinear.clusters,
    total_txns: total.txns,
    good_txns: good.txns,
    thin_txns: thin.txns,
    non_linear_txns: nonLinear.txns,
    good_txn_pct: coverage.goodTxnPct,
    total_gross: grossOf(coverage, 'gross'),
    good_gross: grossOf(coverage, 'goodGross'),
    thin_gross: grossOf(coverage, 'thinGross'),
    non_linear_gross: grossOf(coverage, 'nonLinearGross'),
    good_gross_pct: coverage.goodGrossPct,
    bps_rmse_p50: coverage.errorBpsP50,
    bps_rmse_p90: coverage.errorBpsP90,
    report_date: reportDate ?? NO_DATE,
    tiered_clusters: tiered.clusters,
    tiered_txns: tiered.txns,
    tiered_gross: grossOf(coverage, 'tieredGross'),
    priced_txn_pct: coverage.pricedTxnPct,
    priced_gross_pct: coverage.pricedGrossPct,
    currencies: coverage.currencies.map((one) => ({
      currency: one.currency,
      txns: one.txns,
      total_gross: one.gross,
      good_gross: one.goodGross,
      tiered_gross: one.tieredGross,
      thin_gross: one.thinGross,
      non_linear_gross: one.nonLinearGross,
    })),
  }
}

/** Coverage as it is shown; sums over currencies are what clients know, beside those of each currency. */
export const printCoverage = ({ coverage, reportDate, sources }: MerchantCoverage): object => ({
  ...printFigures(coverage, reportDate),
  sources: sources.map(({ connector, account, ...source }) => ({
    connector,
    account,
    ...printFigures(source.coverage, source.reportDate),
  })),
})

/** A changed price as it is shown. */
export const printPriceChange = ({ connector, account, changedOn, cluster, before, after }: NoticedChange): object => ({
  connector,
  account,
  card_network: cluster.cardNetwork,
  variant: cluster.variant,
  funding: cluster.funding,
  issuer_country: cluster.issuerCountry,
  currency: cluster.currency,
  ic_category: cluster.interchangeCategory,
  card_product: cluster.cardProduct,
  old_pct_bps: before.pctBps,
  new_pct_bps: after.pctBps,
  old_fixed: before.fixed,
  new_fixed: after.fixed,
  changed_on: changedOn,
})
