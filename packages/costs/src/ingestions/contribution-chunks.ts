import type { BinRateOfDay, CostCluster, ReportContributionTaken, SettledBucket, SettledTotal } from '@switchyard/events'
import { rememberingLast } from '../remembering-last.ts'
import type { Channel } from '../reports/canonical-row.ts'
import { recordedFunding } from '../reports/funding.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'
import type { RolledUp } from '../statistics/roll-up.ts'
import { CONTRIBUTION_CHUNK_COUNT } from './limits.ts'

/** What one event tells of a contribution. */
export type ContributionChunk = Pick<ReportContributionTaken['data'], 'clusters' | 'buckets' | 'totals' | 'binRates'>

const wireChannelOf = (channel: Channel): SettledBucket['channel'] => (channel === 'pos' ? 'POS' : 'ECOM')

/** Gives each cluster of a chunk its place. */
const createSlots = (): { readonly clusters: CostCluster[]; readonly slotOf: (cluster: FitCluster) => number } => {
  const clusters: CostCluster[] = []
  const slots = new Map<string, number>()
  const find = (cluster: FitCluster): number => {
    const text = clusterText(cluster)
    const known = slots.get(text)
    if (known !== undefined) return known
    slots.set(text, clusters.length)
    return clusters.push({ ...cluster }) - 1
  }
  // What is told of one cluster mostly stands together.
  return { clusters, slotOf: rememberingLast(find) }
}

const bucketsChunk = (buckets: RolledUp['buckets']): ContributionChunk => {
  const { clusters, slotOf } = createSlots()
  const recorded = buckets.map(({ cluster, day, channel, band, sums: { n, ...sums } }) => ({
    clusterSlot: slotOf(cluster),
    epochDay: day,
    channel: wireChannelOf(channel),
    band,
    paymentCount: n,
    ...sums,
  }))
  return { clusters, buckets: recorded, totals: [], binRates: [] }
}

const totalsChunk = (totals: RolledUp['totals']): ContributionChunk => {
  const { clusters, slotOf } = createSlots()
  const recorded = totals.map(({ cluster, day, channel, turnover, cost, fixedCost, count }): SettledTotal => {
    const place = { clusterSlot: slotOf(cluster), epochDay: day, channel: wireChannelOf(channel) }
    return { ...place, turnover, cost, fixedCost, paymentCount: count }
  })
  return { clusters, buckets: [], totals: recorded, binRates: [] }
}

const binRatesChunk = (binRates: RolledUp['binRates']): ContributionChunk => ({
  clusters: [],
  buckets: [],
  totals: [],
  binRates: binRates.map(({ bin, day, rate, count }): BinRateOfDay => ({ bin, epochDay: day, rate, paymentCount: count })),
})

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += CONTRIBUTION_CHUNK_COUNT) yield items.slice(from, from + CONTRIBUTION_CHUNK_COUNT)
}

/** What a report adds, in chunks that records have room for. */
export function* contributionChunks({ buckets, totals, binRates }: RolledUp): Generator<ContributionChunk> {
  for (const part of partsOf(buckets)) yield bucketsChunk(part)
  for (const part of partsOf(totals)) yield totalsChunk(part)
  for (const part of partsOf(binRates)) yield binRatesChunk(part)
}

/** The clusters that a chunk tells something of, by their slots. */
export const clustersOf = ({ clusters }: Pick<ContributionChunk, 'clusters'>): readonly FitCluster[] =>
  clusters.map(({ funding, ...cluster }) => ({ ...cluster, funding: recordedFunding(funding) }))
