import type { FittedCluster } from '../fit/fitted-cluster.ts'
import { grouped } from '../grouped.ts'

/** How much of what was settled is of a class. */
export interface CoverageShare {
  readonly clusters: number
  readonly txns: number
}

/** Value by class, major units of one currency. */
export interface CurrencyCoverage {
  readonly currency: string
  readonly txns: number
  readonly gross: number
  readonly goodGross: number
  readonly tieredGross: number
  readonly thinGross: number
  readonly nonLinearGross: number
}

/** How far the costs of a merchant are known (cost.md 10.2). */
export interface Coverage {
  readonly total: CoverageShare
  readonly good: CoverageShare
  /** Not GOOD as a whole, but with good pieces; counted under its verdict too. */
  readonly tiered: CoverageShare
  readonly thin: CoverageShare
  readonly nonLinear: CoverageShare
  /** Most payments first; value is never added over currencies. */
  readonly currencies: readonly CurrencyCoverage[]
  /** Percent, 0 to 100. */
  readonly goodTxnPct: number
  readonly pricedTxnPct: number
  /** Share of the value in each currency, weighted by its payments; percent. */
  readonly goodGrossPct: number
  readonly pricedGrossPct: number
  /** Of GOOD clusters, each once; 0 without any. */
  readonly errorBpsP50: number
  readonly errorBpsP90: number
}

const PERCENT = 100

const isGood = ({ verdict }: FittedCluster): boolean => verdict === 'GOOD'
const isTiered = ({ verdict, tiers }: FittedCluster): boolean => verdict !== 'GOOD' && tiers.some((tier) => tier.verdict === 'GOOD')
const isThin = ({ verdict }: FittedCluster): boolean => verdict === 'THIN'
const isNonLinear = ({ verdict }: FittedCluster): boolean => verdict === 'NON_LINEAR'

const sum = (clusters: readonly FittedCluster[], of: (cluster: FittedCluster) => number): number =>
  clusters.reduce((total, cluster) => total + of(cluster), 0)
const txnsOf = ({ n }: FittedCluster): number => n
const grossOf = ({ gross }: FittedCluster): number => gross

const shareOf = (clusters: readonly FittedCluster[]): CoverageShare => ({ clusters: clusters.length, txns: sum(clusters, txnsOf) })

const percentOf = (part: number, whole: number): number => (whole > 0 ? (part / whole) * PERCENT : 0)

const ofCurrency = (currency: string, clusters: readonly FittedCluster[]): CurrencyCoverage => ({
  currency,
  txns: sum(clusters, txnsOf),
  gross: sum(clusters, grossOf),
  goodGross: sum(clusters.filter(isGood), grossOf),
  tieredGross: sum(clusters.filter(isTiered), grossOf),
  thinGross: sum(clusters.filter(isThin), grossOf),
  nonLinearGross: sum(clusters.filter(isNonLinear), grossOf),
})

const byCurrency = (clusters: readonly FittedCluster[]): readonly CurrencyCoverage[] => {
  const groups = grouped(clusters, ({ cluster }) => cluster.currency.toUpperCase())
  return [...groups]
    .map(([currency, group]) => ofCurrency(currency, group))
    .sort((one, other) => other.txns - one.txns || (one.currency < other.currency ? -1 : 1))
}

/** A quantile of sorted values, linear between two of them. */
const quantile = (sorted: readonly number[], share: number): number => {
  const place = share * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? 0
  return low + (high - low) * (place - Math.floor(place))
}

/** Coverage by the latest fits of all accounts of a merchant together. */
export const coverageOf = (clusters: readonly FittedCluster[]): Coverage => {
  const good = shareOf(clusters.filter(isGood))
  const tiered = shareOf(clusters.filter(isTiered))
  const total = shareOf(clusters)
  const currencies = byCurrency(clusters)
  const grossPct = (part: (coverage: CurrencyCoverage) => number): number => {
    const weighted = currencies.reduce((points, one) => points + percentOf(part(one), one.gross) * one.txns, 0)
    return total.txns > 0 ? weighted / total.txns : 0
  }
  const errors = clusters
    .filter(isGood)
    .map(({ errorBps }) => errorBps)
    .sort((one, other) => one - other)
  return {
    total,
    good,
    tiered,
    thin: shareOf(clusters.filter(isThin)),
    nonLinear: shareOf(clusters.filter(isNonLinear)),
    currencies,
    goodTxnPct: percentOf(good.txns, total.txns),
    pricedTxnPct: percentOf(good.txns + tiered.txns, total.txns),
    goodGrossPct: grossPct(({ goodGross }) => goodGross),
    pricedGrossPct: grossPct(({ goodGross, tieredGross }) => goodGross + tieredGross),
    errorBpsP50: quantile(errors, 0.5),
    errorBpsP90: quantile(errors, 0.9),
  }
}
