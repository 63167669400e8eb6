import type { BinRateSeen, CostModelFitted, CostVerdict, FittedCostCluster } from '@switchyard/events'
import type { FittedCluster } from '../fit/fitted-cluster.ts'
import type { Verdict } from '../fit/grade.ts'
import { recordedFunding } from '../reports/funding.ts'

/** One event of a fit. */
export type FitChunk = CostModelFitted['data']

/** The latest fit of an account, whole. */
export interface LearnedFit extends Omit<FitChunk, 'chunkSlot' | 'clusters' | 'binRates' | 'settledDays'> {
  readonly clusters: readonly FittedCostCluster[]
  readonly binRates: readonly BinRateSeen[]
}

const verdictOf = (verdict: CostVerdict): Verdict => (verdict === 'UNKNOWN' ? 'THIN' : verdict)

/** A cluster as it was fitted, of its event. */
export const fittedClusterOf = (recorded: FittedCostCluster): FittedCluster => ({
  cluster: {
    cardNetwork: recorded.cardNetwork,
    variant: recorded.variant,
    funding: recordedFunding(recorded.funding),
    issuerCountry: recorded.issuerCountry,
    currency: recorded.currency,
    interchangeCategory: recorded.interchangeCategory,
    cardProduct: recorded.cardProduct,
  },
  basis: recorded.basis === 'TOTALS' ? 'totals' : 'payments',
  fee: recorded.fee,
  n: recorded.paymentCount,
  gross: recorded.gross,
  errorBps: recorded.errorBps,
  slopeErrorBps: recorded.slopeErrorBps,
  explainedShare: recorded.explainedRatio,
  verdict: verdictOf(recorded.verdict),
  tiers: recorded.tiers.map(({ paymentCount, verdict, ...tier }, index) => ({
    ...tier,
    index,
    n: paymentCount,
    verdict: verdictOf(verdict),
  })),
})

/** A fit of its chunks, in any order; undefined while one is missing. */
export const wholeFit = (chunks: readonly FitChunk[]): LearnedFit | undefined => {
  const bySlot = new Map(chunks.map((chunk) => [chunk.chunkSlot, chunk]))
  const [first] = chunks
  if (first === undefined || bySlot.size < first.chunkCount) return undefined
  const ordered = [...bySlot.values()].sort((one, other) => one.chunkSlot - other.chunkSlot)
  const { chunkSlot: _, settledDays: _days, ...common } = first
  return { ...common, clusters: ordered.flatMap(({ clusters }) => clusters), binRates: ordered.flatMap(({ binRates }) => binRates) }
}
