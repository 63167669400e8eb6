import type { Channel, FeeTotal, PaymentKind, ReportRow, SettledPayment } from '../reports/canonical-row.ts'
import type { Day } from '../reports/day.ts'
import { bandOf } from './band.ts'
import { BinRateCounts } from './bin-rate-counts.ts'
import { PRODUCT_BIN_DIGITS, type RateOfBin } from './bin-rates.ts'
import { ClusterIndex } from './cluster-index.ts'
import type { BinRateCount, Bucket, TotalsBucket } from './contribution.ts'
import type { FitCluster } from './fit-cluster.ts'
import { SumsArena } from './sums-arena.ts'
import { TotalsRollUp } from './totals-roll-up.ts'

/** Days that a row may lie ahead of the day it is taken in on: reports are written in other time zones. */
const AHEAD_DAYS_MAX = 1

/** The statistics of one report, without who it came from. */
export interface RolledUp {
  readonly buckets: readonly Bucket[]
  readonly totals: readonly TotalsBucket[]
  readonly binRates: readonly BinRateCount[]
}

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
  /** Value of its payments. */
  gross: number
  /** Places of the sums, by day, channel and band. */
  readonly slots: Map<number, number>
}

/** Bands lie between these, whatever amount a cell can hold. */
const BAND_SPAN = 1_024

const keyOf = (day: Day, channel: Channel, band: number): number =>
  (day * 2 + (channel === 'pos' ? 1 : 0)) * BAND_SPAN + band + BAND_SPAN / 2

const placeOf = (key: number): Pick<Bucket, 'day' | 'channel' | 'band'> => {
  const dayAndChannel = Math.floor(key / BAND_SPAN)
  return { day: Math.floor(dayAndChannel / 2), channel: dayAndChannel % 2 === 1 ? 'pos' : 'ecom', band: (key % BAND_SPAN) - BAND_SPAN / 2 }
}

/**
 * Rolls the rows of one report up, in their order (cost.md 7). `rateOfBin` is what earlier reports of the merchant tell; rows
 * without a date count for `ingestedOn`.
 */
export class RollUp {
  readonly #rateOfBin: RateOfBin
  readonly #ingestedOn: Day
  #clusters: ClusterIndex<ClusterBuckets>
  readonly #ofClusters: ClusterBuckets[] = []
  readonly #sums: SumsArena = new SumsArena()
  readonly #totals: TotalsRollUp = new TotalsRollUp()
  readonly #binRates: BinRateCounts = new BinRateCounts()
  /** Of clusters that are at hand no more. */
  #grossByCurrency: ReadonlyMap<string, number> = new Map()
  #countries: ReadonlySet<string> = new Set()
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
    return this.#sums.count + this.#binRates.count
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
    if (row.type === 'payment') this.#takePayment(row, day)
    else this.#takeTotal(row, day)
  }

  /** What is at hand, piece by piece, which is kept no longer: sums may be told in several parts. Totals come with the last one. */
  *drain(part: 'next' | 'last', pieceCount: number): Generator<RolledUp> {
    for (const buckets of inPieces(this.#buckets(), pieceCount)) yield { buckets, totals: [], binRates: [] }
    for (const binRates of inPieces(this.#binRates.all(), pieceCount)) yield { buckets: [], totals: [], binRates }
    if (part === 'last') for (const totals of inPieces(this.#totals.finish(), pieceCount)) yield { buckets: [], totals, binRates: [] }
    this.#grossByCurrency = this.#grossOfAll()
    this.#countries = this.#countriesOfAll()
    this.#ofClusters.length = 0
    this.#clusters = this.#newIndex()
    this.#sums.clear()
    this.#binRates.clear()
  }

  /** All of it at once. */
  finish(): RolledUp {
    return { buckets: [...this.#buckets()], totals: this.#totals.finish(), binRates: [...this.#binRates.all()] }
  }

  summary(): ReportSummary {
    const isEmpty = this.#lastDay < this.#firstDay
    const totals = this.#totals.finish()
    const grossByCurrency = this.#grossOfAll()
    for (const { cluster, turnover } of totals) addTo(grossByCurrency, cluster.currency, turnover)
    const countries = new Set([...this.#countriesOfAll(), ...totals.map(({ cluster }) => cluster.issuerCountry)])
    return {
      firstDay: isEmpty ? null : this.#firstDay,
      lastDay: isEmpty ? null : this.#lastDay,
      grossByCurrency,
      countries: [...countries].filter((country) => country !== '').sort(),
      skippedCount: this.#skippedCount,
    }
  }

  #grossOfAll(): Map<string, number> {
    const grossByCurrency = new Map(this.#grossByCurrency)
    for (const { cluster, gross } of this.#ofClusters) addTo(grossByCurrency, cluster.currency, gross)
    return grossByCurrency
  }

  #countriesOfAll(): ReadonlySet<string> {
    return new Set([...this.#countries, ...this.#ofClusters.map(({ cluster }) => cluster.issuerCountry)])
  }

  #takePayment(row: SettledPayment, day: Day): void {
    const product = this.#rateOfBin(row.bin.slice(0, PRODUCT_BIN_DIGITS)) ?? row.interchangeRate
    const own = this.#clusters.of(row, product)
    const { slots } = own
    const key = keyOf(day, row.channel, bandOf(row.gross))
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = this.#sums.open()
      slots.set(key, slot)
    }
    this.#sums.addPayment(slot, row.gross, row.totalFee)
    own.gross += row.gross
  }

  #takeTotal(row: FeeTotal, day: Day): void {
    this.#totals.take(clusterOf(row, ''), day, row)
  }

  #observeBin({ bin, interchangeRate }: SettledPayment, day: Day): void {
    if (bin.length >= PRODUCT_BIN_DIGITS && interchangeRate !== '') this.#binRates.add(bin, day, interchangeRate)
  }

  *#buckets(): Generator<Bucket> {
    for (const { cluster, slots } of this.#ofClusters)
      for (const [key, slot] of slots) yield { cluster, ...placeOf(key), sums: this.#sums.at(slot) }
  }

  #newIndex(): ClusterIndex<ClusterBuckets> {
    return new ClusterIndex((cluster) => {
      const own: ClusterBuckets = { cluster, gross: 0, slots: new Map() }
      this.#ofClusters.push(own)
      return own
    })
  }
}

function* inPieces<Item>(items: Iterable<Item>, count: number): Generator<readonly Item[]> {
  let piece: Item[] = []
  for (const item of items) {
    piece.push(item)
    if (piece.length < count) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

const addTo = (sums: Map<string, number>, key: string, amount: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
