import { rememberingLast } from '../remembering-last.ts'
import type { Day } from '../reports/day.ts'
import type { BinRateCount, Bucket, Contribution, TotalsBucket } from './contribution.ts'
import { clusterText, type FitCluster } from './fit-cluster.ts'
import { RunningSums, type Sums } from './sums.ts'

/** Days that count, back from the latest one (cost.md 7). */
export const RETENTION_DAYS = 400

/** What all contributions of an account say together; the same for every order in which they came. */
export interface Statistics {
  /** What was paid, by the text of the cluster and in the order of these; of each by day, channel and band, each once. */
  readonly clusters: ReadonlyMap<string, readonly Bucket[]>
  readonly totals: readonly TotalsBucket[]
  readonly binRates: readonly BinRateCount[]
  /** Null when there is nothing. */
  readonly latestDay: Day | null
}

interface Dated {
  readonly day: Day
}

function* datedOf({ buckets, totals, binRates }: Contribution): Generator<Dated> {
  yield* buckets
  yield* totals
  yield* binRates
}

/** For each day the sequence from which on contributions count: that of the last one that tells all of the day. */
const startOfDays = (contributions: readonly Contribution[]): ReadonlyMap<Day, number> => {
  const starts = new Map<Day, number>()
  for (const contribution of contributions) {
    if (contribution.covers !== 'whole-days') continue
    for (const { day } of datedOf(contribution)) starts.set(day, Math.max(starts.get(day) ?? 0, contribution.sequence))
  }
  return starts
}

/** The buckets of one cluster by day, channel and band. */
const inOrder = (one: Bucket, other: Bucket): number =>
  one.day - other.day || Number(one.channel === 'pos') - Number(other.channel === 'pos') || one.band - other.band

/** A bucket with other sums. */
const withSums = ({ cluster, day, channel, band }: Bucket, sums: Sums): Bucket => ({ cluster, day, channel, band, sums })

/** Buckets of one cluster in their order, those of the same payments as one. */
const merged = (group: Bucket[]): readonly Bucket[] => {
  const all: Bucket[] = []
  // Most are told once: only what is added up takes memory of its own.
  let added: RunningSums | undefined
  for (const bucket of group.sort(inOrder)) {
    const last = all.at(-1)
    if (last === undefined || inOrder(last, bucket) !== 0) {
      all.push(bucket)
      added = undefined
      continue
    }
    if (added === undefined) {
      added = new RunningSums().add(last.sums)
      all[all.length - 1] = withSums(last, added)
    }
    added.add(bucket.sums)
  }
  return all
}

/**
 * Buckets by the texts of their clusters, in the order of these. Never all of them in one array: a list of a hundred thousand that grows
 * leaves several times its size behind, which only a collection of everything takes away.
 */
const byCluster = (buckets: Iterable<Bucket>): Statistics['clusters'] => {
  const groups = new Map<string, Bucket[]>()
  // Those of one cluster mostly follow one another.
  const groupOf = rememberingLast((cluster: FitCluster): Bucket[] => {
    const text = clusterText(cluster)
    const group = groups.get(text) ?? []
    groups.set(text, group)
    return group
  })
  for (const bucket of buckets) groupOf(bucket.cluster).push(bucket)
  return new Map([...groups.keys()].sort().map((text) => [text, merged(groups.get(text) ?? [])]))
}

const latestOf = (contributions: readonly Contribution[]): Day | null => {
  let latest: Day | null = null
  for (const contribution of contributions) for (const { day } of datedOf(contribution)) if (latest === null || day > latest) latest = day
  return latest
}

/**
 * Adds contributions up. A day counts from the last contribution on that tells all of it, so a report that is delivered again
 * replaces its days, and one that is deleted gives back what it had replaced.
 */
export const statisticsOf = (contributions: Iterable<Contribution>): Statistics => {
  const ordered = [...contributions].sort((one, other) => one.sequence - other.sequence)
  const starts = startOfDays(ordered)
  const latestDay = latestOf(ordered)
  function* counted<Part extends Dated>(partsOf: (contribution: Contribution) => Iterable<Part>): Generator<Part> {
    for (const contribution of ordered)
      for (const part of partsOf(contribution))
        if (contribution.sequence >= (starts.get(part.day) ?? 0) && part.day > (latestDay ?? 0) - RETENTION_DAYS) yield part
  }
  return {
    clusters: byCluster(counted(({ buckets }) => buckets)),
    totals: [...counted(({ totals }) => totals)],
    binRates: [...counted(({ binRates }) => binRates)],
    latestDay,
  }
}
