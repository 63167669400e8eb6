import { rememberingLast } from '../remembering-last.ts'
import type { Day } from '../reports/day.ts'
import { TupleBuilder } from '../tuple-index.ts'
import type { BinRateCount, Bucket, Contribution, TotalsBucket } from './contribution.ts'
import { clusterText, type FitCluster } from './fit-cluster.ts'
import { RunningSums, type Sums } from './sums.ts'

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

/** Bands lie between these, whatever amount a cell can hold; parts of a key are not below zero. */
const BAND_OFFSET = 512
const KEY_WIDTH = 4

/** Numbers the clusters of buckets; those of one cluster mostly follow one another. */
const createNumbering = (): { readonly numberOf: (cluster: FitCluster) => number; readonly texts: readonly string[] } => {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const find = (cluster: FitCluster): number => {
    const text = clusterText(cluster)
    const number = numbers.get(text) ?? texts.push(text) - 1
    numbers.set(text, number)
    return number
  }
  return { numberOf: rememberingLast(find), texts }
}

const order = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** A bucket with other sums. */
const withSums = ({ cluster, day, channel, band }: Bucket, sums: Sums): Bucket => ({ cluster, day, channel, band, sums })

/** Buckets of the same payments as one, by day, channel, band and cluster, the latter two by their texts. */
const merged = (buckets: readonly Bucket[]): readonly Bucket[] => {
  const { numberOf, texts } = createNumbering()
  const places = new TupleBuilder(KEY_WIDTH, buckets.length)
  const ofPlaces: Bucket[] = []
  const added = new Map<number, RunningSums>()
  const key = [0, 0, 0, 0]
  for (const bucket of buckets) {
    key[0] = bucket.day
    key[1] = bucket.channel === 'pos' ? 1 : 0
    key[2] = bucket.band + BAND_OFFSET
    key[3] = numberOf(bucket.cluster)
    const place = places.add(key)
    const known = ofPlaces[place]
    if (known === undefined) {
      ofPlaces[place] = bucket
      continue
    }
    // Most are told once: only what is added up takes memory of its own.
    const total = added.get(place) ?? new RunningSums().add(known.sums)
    added.set(place, total.add(bucket.sums))
  }
  const textOf = (place: number): string => texts[places.partOf(place, KEY_WIDTH - 1)] ?? ''
  const sorted = Array.from(ofPlaces.keys()).sort((one, other) => {
    const [a, b] = [ofPlaces[one], ofPlaces[other]]
    if (a === undefined || b === undefined) return 0
    return a.day - b.day || order(a.channel, b.channel) || order(String(a.band), String(b.band)) || order(textOf(one), textOf(other))
  })
  const all: Bucket[] = []
  for (const place of sorted) {
    const bucket = ofPlaces[place]
    const sums = added.get(place)
    if (bucket !== undefined) all.push(sums === undefined ? bucket : withSums(bucket, sums))
  }
  return all
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
