import type { CostModelFitted } from '@switchyard/events'
import { fitAccount } from '../fit/fit-account.ts'
import type { PriceChange } from '../reads/price-changes.ts'
import { rememberingLast } from '../remembering-last.ts'
import type { Contribution } from '../statistics/contribution.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import { type FitIdentity, fitEvents } from './fit-events.ts'
import { followPrices } from './followed-prices.ts'
import type { LearnedFit } from './learned-fit.ts'

/** How many clusters of a fit occur in a report, and how many of these are GOOD (cost.md 8.11). */
export interface TouchedClusters {
  readonly ingestionId: string
  readonly clusterCount: number
  readonly goodClusterCount: number
}

/** All that follows from the reports of an account. */
export interface AccountFit {
  readonly events: readonly CostModelFitted[]
  /** Against what was known at the fit before. */
  readonly changes: readonly PriceChange[]
  readonly touched: readonly TouchedClusters[]
}

const clustersOf = ({ buckets, totals }: Contribution): ReadonlySet<string> => {
  const texts = new Set<string>()
  // What is told of one cluster mostly stands together.
  const note = rememberingLast((cluster: FitCluster) => texts.add(clusterText(cluster)))
  for (const { cluster } of buckets) note(cluster)
  for (const { cluster } of totals) note(cluster)
  return texts
}

const touchedBy = (contribution: Contribution, goodByText: ReadonlyMap<string, boolean>): TouchedClusters => {
  const found = [...clustersOf(contribution)].filter((text) => goodByText.has(text))
  const good = found.filter((text) => goodByText.get(text) === true)
  return { ingestionId: contribution.ingestionId, clusterCount: found.length, goodClusterCount: good.length }
}

/**
 * Learns the costs of an account from what its reports say together (cost.md 8 to 10.3). `previous` is the fit before this one, if
 * there is one; the reports of `newIds` are told how they are in it.
 */
export const fitReports = (
  identity: FitIdentity,
  contributions: readonly Contribution[],
  previous: Pick<LearnedFit, 'clusters'> | undefined,
  newIds: readonly string[],
): AccountFit => {
  const statistics = statisticsOf(contributions)
  const clusters = fitAccount(statistics)
  const goodByText = new Map(clusters.map(({ cluster, verdict }) => [clusterText(cluster), verdict === 'GOOD']))
  const { prices, changes } = followPrices(statistics, clusters, previous?.clusters ?? [])
  return {
    events: fitEvents(identity, statistics, clusters, prices),
    changes,
    touched: contributions.filter(({ ingestionId }) => newIds.includes(ingestionId)).map((one) => touchedBy(one, goodByText)),
  }
}
