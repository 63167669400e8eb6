import { grouped } from '../grouped.ts'
import type { Day } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { GRADED_COUNT_MIN } from './grade.ts'

/** Days before the latest one that always count. */
export const BASE_WINDOW_DAYS = 90
/** Days before the latest one that may count where there are few payments. */
const LONGEST_WINDOW_DAYS = 365

const byDay = (buckets: readonly Bucket[]): readonly (readonly Bucket[])[] =>
  [...grouped(buckets, ({ day }) => day)].sort(([one], [other]) => other - one).map(([, ofDay]) => ofDay)

/** The buckets of the last 90 days. */
export const inBaseWindow = (buckets: readonly Bucket[], latestDay: Day): readonly Bucket[] =>
  buckets.filter(({ day }) => day >= latestDay - BASE_WINDOW_DAYS)

/**
 * The buckets of one cluster that its line is fitted to (cost.md 8.2): all of the last 90 days, and older whole days up to a
 * year back while the later ones hold too few payments. `latestDay` is that of the account.
 */
export const inFitWindow = (buckets: readonly Bucket[], latestDay: Day): readonly Bucket[] => {
  const chosen: Bucket[] = []
  let laterCount = 0
  for (const ofDay of byDay(buckets)) {
    const age = latestDay - (ofDay[0]?.day ?? Number.NEGATIVE_INFINITY)
    if (age > LONGEST_WINDOW_DAYS || (age > BASE_WINDOW_DAYS && laterCount >= GRADED_COUNT_MIN)) break
    chosen.push(...ofDay)
    laterCount += ofDay.reduce((count, { sums }) => count + sums.n, 0)
  }
  return chosen
}

/**
 * The newest whole days of a cluster with enough payments for a line together, of the last 90 days and behind `lookedAt`: windows
 * that are compared have no day in common.
 */
export const inRecentWindow = (buckets: readonly Bucket[], lookedAt: Day | undefined, latestDay: Day): readonly Bucket[] => {
  const first = Math.max(latestDay - BASE_WINDOW_DAYS, (lookedAt ?? Number.NEGATIVE_INFINITY) + 1)
  const chosen: Bucket[] = []
  let count = 0
  for (const ofDay of byDay(buckets.filter(({ day }) => day >= first))) {
    if (count >= GRADED_COUNT_MIN) break
    chosen.push(...ofDay)
    count += ofDay.reduce((sum, { sums }) => sum + sums.n, 0)
  }
  return chosen
}
