import type { BinRateSeen, CostModelFitted, FittedCostCluster, KnownPrice, PaymentsSeen } from '@switchyard/events'
import type { FittedCluster } from '../fit/fitted-cluster.ts'
import { settledDaysOf } from '../invoices/settled-days.ts'
import { FIT_CHUNK_BIN_COUNT, FIT_CHUNK_CLUSTER_COUNT } from '../limits.ts'
import { dayText } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { clusterText } from '../statistics/fit-cluster.ts'
import type { Statistics } from '../statistics/statistics.ts'

/** Whose fit it is, and which. */
export interface FitIdentity {
  readonly merchantId: string
  readonly merchantRegistrationCount: number
  readonly connector: string
  readonly account: string
  readonly fitId: string
  /** Number of the fit among those of the account, from 1. */
  readonly fitCount: number
  /** When it is made, epoch milliseconds. */
  readonly at: number
}

const seenOf = (buckets: readonly Bucket[]): readonly PaymentsSeen[] => {
  const seen = new Map<string, PaymentsSeen>()
  for (const { channel, band, sums } of buckets) {
    const paymentCount = (seen.get(`${channel} ${band}`)?.paymentCount ?? 0) + sums.n
    seen.set(`${channel} ${band}`, { channel: channel === 'pos' ? 'POS' : 'ECOM', bandSlot: band, paymentCount })
  }
  return [...seen.values()]
}

const binRatesOf = ({ binRates }: Statistics): readonly BinRateSeen[] => {
  const counts = new Map<string, BinRateSeen>()
  for (const { bin, rate, count } of binRates) {
    const paymentCount = (counts.get(`${bin} ${rate}`)?.paymentCount ?? 0) + count
    counts.set(`${bin} ${rate}`, { bin, rate, paymentCount })
  }
  return [...counts.values()]
}

const recorded = (
  { cluster, basis, n, errorBps, explainedShare, tiers, ...fitted }: FittedCluster,
  seen: readonly PaymentsSeen[],
  price: KnownPrice | null,
): FittedCostCluster => ({
  ...cluster,
  basis: basis === 'payments' ? 'PAYMENTS' : 'TOTALS',
  fee: fitted.fee,
  paymentCount: n,
  gross: fitted.gross,
  errorBps,
  slopeErrorBps: fitted.slopeErrorBps,
  explainedRatio: explainedShare,
  verdict: fitted.verdict,
  tiers: tiers.map(({ from, to, fee, errorBps: tierErrorBps, n: paymentCount, gross, verdict }) => ({
    from,
    to,
    fee,
    errorBps: tierErrorBps,
    paymentCount,
    gross,
    verdict,
  })),
  seen,
  price,
})

const chunk = <Item>(items: readonly Item[], size: number, slot: number): readonly Item[] => items.slice(slot * size, (slot + 1) * size)

/**
 * The events of a fit, in chunks that records have room for; at least one, so that a fit of nothing ends what was learned.
 * `fitted` is what {@link fitAccount} gave for `statistics`; `prices`, by the text of a cluster, is what later ones are compared with.
 */
export const fitEvents = (
  identity: FitIdentity,
  statistics: Statistics,
  fitted: readonly FittedCluster[],
  prices: ReadonlyMap<string, KnownPrice> = new Map(),
): readonly CostModelFitted[] => {
  const { merchantId, merchantRegistrationCount, connector, account, fitId, fitCount, at } = identity
  const clusters = fitted.map((one) => {
    const text = clusterText(one.cluster)
    return recorded(one, seenOf(statistics.clusters.get(text) ?? []), prices.get(text) ?? null)
  })
  const binRates = binRatesOf(statistics)
  const chunkCount = Math.max(1, Math.ceil(clusters.length / FIT_CHUNK_CLUSTER_COUNT), Math.ceil(binRates.length / FIT_CHUNK_BIN_COUNT))
  return Array.from({ length: chunkCount }, (_, chunkSlot) => ({
    type: 'CostModelFitted',
    data: {
      merchantId,
      connector,
      account,
      fitId,
      fitCount,
      chunkSlot,
      chunkCount,
      reportDate: new Date(at).toISOString().slice(0, 10),
      latestDate: statistics.latestDay === null ? null : dayText(statistics.latestDay),
      clusters: chunk(clusters, FIT_CHUNK_CLUSTER_COUNT, chunkSlot),
      binRates: chunk(binRates, FIT_CHUNK_BIN_COUNT, chunkSlot),
      settledDays: chunkSlot === 0 ? settledDaysOf(statistics) : [],
      at,
      merchantRegistrationCount,
    },
  }))
}
