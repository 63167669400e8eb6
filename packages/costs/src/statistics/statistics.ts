import type { Day } from '../reports/day.ts'
import type { BinRateCount, Bucket, Contribution, TotalsBucket } from './contribution.ts'
import { clusterText } from './fit-cluster.ts'
import { RunningSums } from './sums.ts'

/** Days that count, back from the latest one (cost.md 7). */
export const RETENTION_DAYS = 400

/** What all contributions of an account say together; the same for every order in which they came. */
export interface Statistics {
  readonly buckets: readonly Bucket[]
  readonly totals: readonly TotalsBucket[]
  readonly binRates: readonly BinRateCount[]
  /** Null when there is nothing. */
  readonly latestDay: Day | null
}

interface Dated {
  readonly day: Day
}

const datedOf = ({ buckets, totals, binRates }: Contribution): readonly Dated[] => [...buckets, ...totals, ...binRates]

/** For each day the sequence from which on contributions count: that of the last one that tells all of the day. */
const startOfDays = (contributions: readonly Contribution[]): ReadonlyMap<Day, number> => {
  const starts = new Map<Day, number>()
  for (const contribution of contributions) {
    if (contribution.covers !== 'whole-days') continue
    for (const { day } of datedOf(contribution)) starts.set(day, Math.max(starts.get(day) ?? 0, contribution.sequence))
  }
  return starts
}

const keyOf = ({ cluster, day, channel, band }: Bucket): string => `${day} ${channel} ${band} ${clusterText(cluster)}`

const merged = (buckets: readonly Bucket[]): readonly Bucket[] => {
  const byKey = new Map<string, Bucket & { readonly sums: RunningSums }>()
  for (const bucket of buckets) {
    const key = keyOf(bucket)
    const known = byKey.get(key) ?? { ...bucket, sums: new RunningSums() }
    known.sums.add(bucket.sums)
    byKey.set(key, known)
  }
  return [...byKey.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, bucket]) => bucket)
}

const latestOf = (contributions: readonly Contribution[]): Day | null =>
  contributions.reduce<Day | null>(
    (latest, contribution) => datedOf(contribution).reduce<Day | null>((max, { day }) => (max === null || day > max ? day : max), latest),
    null,
  )

/**
 * Adds contributions up. A day counts from the last contribution on that tells all of it, so a report that is delivered again
 * replaces its days, and one that is deleted gives back what it had replaced.
 */
export const statisticsOf = (contributions: Iterable<Contribution>): Statistics => {
  const ordered = [...contributions].sort((one, other) => one.sequence - other.sequence)
  const starts = startOfDays(ordered)
  const latestDay = latestOf(ordered)
  const counted = <Part extends Dated>(partsOf: (contribution: Contribution) => readonly Part[]): readonly Part[] =>
    ordered.flatMap((contribution) =>
      partsOf(contribution).filter(({ day }) => contribution.sequence >= (starts.get(day) ?? 0) && day > (latestDay ?? 0) - RETENTION_DAYS),
    )
  return {
    buckets: merged(counted(({ buckets }) => buckets)),
    totals: counted(({ totals }) => totals),
    binRates: counted(({ binRates }) => binRates),
    latestDay,
  }
}
