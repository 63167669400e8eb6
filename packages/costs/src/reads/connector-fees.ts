import type { Fee, FittedCluster } from '../fit/fitted-cluster.ts'
import { grouped } from '../grouped.ts'

/** What is learned of a connector in one currency: the mean of its GOOD clusters by value. */
export interface LearnedFee extends Fee {
  readonly currency: string
  readonly goodGross: number
}

/** What a connector costs as people see it (cost.md 12). */
export interface ConnectorFee {
  /** In the currency of most payments; null when nothing is learned. */
  readonly learned: LearnedFee | null
  /** All currencies, that of most payments first. */
  readonly learnedByCurrency: readonly LearnedFee[]
  /** What decisions reckon with: the override, or what is learned with invoices on top. */
  readonly effective: Fee | null
  readonly source: 'override' | 'model' | 'none'
}

const learnedFee = (currency: string, clusters: readonly FittedCluster[]): LearnedFee => {
  const sums = { pctBps: 0, fixed: 0, gross: 0 }
  for (const { fee, gross } of clusters) {
    sums.pctBps += (fee?.pctBps ?? 0) * gross
    sums.fixed += (fee?.fixed ?? 0) * gross
    sums.gross += gross
  }
  return { currency, pctBps: sums.pctBps / sums.gross, fixed: sums.fixed / sums.gross, goodGross: sums.gross }
}

const countOf = (clusters: readonly FittedCluster[]): number => clusters.reduce((count, { n }) => count + n, 0)

/** The fee of a connector from the clusters of all its accounts, its override and what its invoices add. */
export const connectorFee = (clusters: readonly FittedCluster[], override: Fee | null, addition: Fee | null): ConnectorFee => {
  const good = clusters.filter(({ verdict, fee, gross }) => verdict === 'GOOD' && fee !== null && gross > 0)
  const learnedByCurrency = [...grouped(good, ({ cluster }) => cluster.currency.toUpperCase())]
    .sort(([one, ones], [other, others]) => countOf(others) - countOf(ones) || (one < other ? -1 : 1))
    .map(([currency, group]) => learnedFee(currency, group))
  const learned = learnedByCurrency[0] ?? null
  const modelled = learned && { pctBps: learned.pctBps + (addition?.pctBps ?? 0), fixed: learned.fixed + (addition?.fixed ?? 0) }
  const source = learned ? 'model' : 'none'
  return { learned, learnedByCurrency, effective: override ?? modelled, source: override ? 'override' : source }
}
