import type { Channel, FeeTotal, PaymentKind, ReportRow, SettledPayment } from '../reports/canonical-row.ts'
import type { Day } from '../reports/day.ts'
import { detached } from '../reports/detached.ts'
import { bandOf } from './band.ts'
import { PRODUCT_BIN_DIGITS, type RateOfBin } from './bin-rates.ts'
import { ClusterIndex } from './cluster-index.ts'
import type { BinRateCount, Bucket, Contribution } from './contribution.ts'
import type { FitCluster } from './fit-cluster.ts'
import { RunningSums } from './sums.ts'
import { TotalsRollUp } from './totals-roll-up.ts'

/** Days that a row may lie ahead of the day it is taken in on: reports are written in other time zones. */
const AHEAD_DAYS_MAX = 1

/** The statistics of one report, without who it came from. */
export type RolledUp = Pick<Contribution, 'buckets' | 'totals' | 'binRates'>

/** What the list of ingestions shows of a report (cost.md 3.5). */
export interface ReportSummary {
  /** First and last day; null when nothing counted. */
  readonly firstDay: Day | null
  readonly lastDay: Day | null
  /** Value by settlement currency, major units: never one sum over currencies. */
  readonly grossByCurrency: ReadonlyMap<string, number>
  /** Distinct issuer countries that are not blank, sorted. */
  readonly countries: readonly string[]
  /** Rows without a positive value, or of a day that is still to come: no price can be learned from them. */
  readonly skippedCount: number
}

const clusterOf = (row: PaymentKind, cardProduct: string): FitCluster => ({
  cardNetwork: row.cardNetwork,
  variant: row.variant,
  funding: row.funding,
  issuerCountry: row.issuerCountry,
  currency: row.currency,
  interchangeCategory: row.interchangeCategory,
  cardProduct,
})

interface ClusterBuckets {
  readonly cluster: FitCluster
  readonly buckets: Map<number, Bucket & { readonly sums: RunningSums }>
}

/** Bands lie between these, whatever amount a cell can hold. */
const BAND_SPAN = 1_024

const slotOf = (day: Day, channel: Channel, band: number): number =>
  (day * 2 + (channel === 'pos' ? 1 : 0)) * BAND_SPAN + band + BAND_SPAN / 2

/**
 * Rolls the rows of one report up, in their order (cost.md 7). `rateOfBin` is what earlier reports of the merchant tell; rows
 * without a date count for `ingestedOn`.
 */
export class RollUp {
  readonly #rateOfBin: RateOfBin
  readonly #ingestedOn: Day
  #clusters: ClusterIndex<ClusterBuckets>
  readonly #ofClusters: ClusterBuckets[] = []
  #bucketCount = 0
  readonly #totals: TotalsRollUp = new TotalsRollUp()
  readonly #binRates: Map<string, { -readonly [field in keyof BinRateCount]: BinRateCount[field] }> = new Map()
  readonly #grossByCurrency: Map<string, number> = new Map()
  readonly #countries: Set<string> = new Set()
  #firstDay: Day = Number.POSITIVE_INFINITY
  #lastDay: Day = Number.NEGATIVE_INFINITY
  #skippedCount = 0

  constructor(rateOfBin: RateOfBin, ingestedOn: Day) {
    this.#rateOfBin = rateOfBin
    this.#ingestedOn = ingestedOn
    this.#clusters = this.#newIndex()
  }

  /** Buckets and rates of BINs at hand. */
  get heldCount(): number {
    return this.#bucketCount + this.#binRates.size
  }

  take(row: ReportRow): void {
    const day = row.day ?? this.#ingestedOn
    if (row.type === 'payment' && day <= this.#ingestedOn + AHEAD_DAYS_MAX) this.#observeBin(row, day)
    const gross = row.type === 'payment' ? row.gross : row.turnover
    // Windows count back from the latest day: one wrong date would push everything else out of them.
    if (!(gross > 0) || day > this.#ingestedOn + AHEAD_DAYS_MAX) {
      this.#skippedCount += 1
      return
    }
    this.#firstDay = Math.min(this.#firstDay, day)
    this.#lastDay = Math.max(this.#lastDay, day)
    if (row.issuerCountry !== '' && !this.#countries.has(row.issuerCountry)) this.#countries.add(detached(row.issuerCountry))
    if (row.type === 'payment') this.#takePayment(row, day)
    else this.#takeTotal(row, day)
  }

  /** What is at hand, which is kept no longer: sums may be told in several parts. Totals come with the last one. */
  drain(): RolledUp {
    const rolledUp = { buckets: this.#buckets(), totals: [], binRates: [...this.#binRates.values()] }
    this.#ofClusters.length = 0
    this.#clusters = this.#newIndex()
    this.#bucketCount = 0
    this.#binRates.clear()
    return rolledUp
  }

  /** The last part. */
  finish(): RolledUp {
    return { buckets: this.#buckets(), totals: this.#totals.finish(), binRates: [...this.#binRates.values()] }
  }

  summary(): ReportSummary {
    const isEmpty = this.#lastDay < this.#firstDay
    const grossByCurrency = new Map(this.#grossByCurrency)
    for (const { cluster, turnover } of this.#totals.finish()) addTo(grossByCurrency, cluster.currency, turnover)
    return {
      firstDay: isEmpty ? null : this.#firstDay,
      lastDay: isEmpty ? null : this.#lastDay,
      grossByCurrency,
      countries: [...this.#countries].sort(),
      skippedCount: this.#skippedCount,
    }
  }

  #takePayment(row: SettledPayment, day: Day): void {
    const product = this.#rateOfBin(row.bin.slice(0, PRODUCT_BIN_DIGITS)) ?? row.interchangeRate
    const { cluster, buckets } = this.#clusters.of(row, product)
    const band = bandOf(row.gross)
    const slot = slotOf(day, row.channel, band)
    let bucket = buckets.get(slot)
    if (bucket === undefined) {
      bucket = { cluster, day, channel: row.channel, band, sums: new RunningSums() }
      buckets.set(slot, bucket)
      this.#bucketCount += 1
    }
    bucket.sums.addPayment(row.gross, row.totalFee)
    addTo(this.#grossByCurrency, row.currency, row.gross)
  }

  #takeTotal(row: FeeTotal, day: Day): void {
    this.#totals.take(clusterOf(row, ''), day, row)
  }

  #observeBin({ bin, interchangeRate }: SettledPayment, day: Day): void {
    if (bin.length < PRODUCT_BIN_DIGITS || interchangeRate === '') return
    const short = bin.slice(0, PRODUCT_BIN_DIGITS)
    // Six digits, a day and a rate are short: one text tells them apart.
    const key = `${short} ${day} ${interchangeRate}`
    const seen = this.#binRates.get(key)
    if (seen) seen.count += 1
    else this.#binRates.set(key, { bin: short, day, rate: interchangeRate, count: 1 })
  }

  #buckets(): readonly Bucket[] {
    return this.#ofClusters.flatMap(({ buckets }) => [...buckets.values()])
  }

  #newIndex(): ClusterIndex<ClusterBuckets> {
    return new ClusterIndex((cluster) => {
      const own: ClusterBuckets = { cluster, buckets: new Map() }
      this.#ofClusters.push(own)
      return own
    })
  }
}

const addTo = (sums: Map<string, number>, key: string, amount: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
