import type { BinRateSeen, FittedCostCluster, PaymentsSeen } from '@switchyard/events'
import type { Channel } from '../reports/canonical-row.ts'
import type { Band } from '../statistics/band.ts'
import { Names } from './names.ts'
import { curveOfTiers, type PriceCurve } from './price-curve.ts'

/** The parts of a cluster's key behind the connector, in their order. */
const PARTS = ['cardNetwork', 'variant', 'funding', 'issuerCountry', 'currency', 'interchangeCategory', 'cardProduct'] as const
export const PART_COUNT: number = PARTS.length
export const ISSUER_PART: number = PARTS.indexOf('issuerCountry')
export const CURRENCY_PART: number = PARTS.indexOf('currency')

/** How the payments of a cluster are priced. */
export type Pricing = 'none' | 'line' | 'curve'
const PRICINGS: readonly Pricing[] = ['none', 'line', 'curve']

const BAND_BITS = 12
/** Bands become numbers above zero, which stands for every band. */
const BAND_OFFSET = 1000
const CHANNELS: Readonly<Record<Channel, number>> = { pos: 1, ecom: 2 }

/** Channel and band in one number; neither part of it is zero. */
export const seenAs = (channel: Channel, band: Band): number => CHANNELS[channel] * 2 ** BAND_BITS + band + BAND_OFFSET

/** {@link seenAs} lies below. */
export const SEEN_AS_COUNT: number = 4 * 2 ** BAND_BITS

/** What of {@link seenAs} is kept; a part that is left out is zero. */
export const KEEPS: Readonly<Record<'channelAndBand' | 'channel' | 'band' | 'nothing', number>> = {
  channelAndBand: ~0,
  channel: ~0 << BAND_BITS,
  band: 2 ** BAND_BITS - 1,
  nothing: 0,
}

const FIGURE_COUNT = 3
const NO_FEE = { pctBps: 0, fixed: 0 }

/** Clusters of one event of a fit in numbers, which take a small part of the memory that the event does. */
export class NumberedClusters {
  readonly count: number
  readonly #parts: Int32Array
  readonly #pricing: Uint8Array
  /** Share, fixed part and value of each. */
  readonly #figures: Float64Array
  readonly #curves: Map<number, PriceCurve> = new Map()
  /** Where the payments that were seen of each begin; one more than clusters. */
  readonly #seenFrom: Int32Array
  readonly #seenAs: Int32Array
  readonly #seenCount: Float64Array

  constructor(clusters: readonly FittedCostCluster[], spellings: readonly Names[]) {
    const seenTotal = clusters.reduce((count, { seen }) => count + seen.length, 0)
    this.count = clusters.length
    this.#parts = new Int32Array(clusters.length * PART_COUNT)
    this.#pricing = new Uint8Array(clusters.length)
    this.#figures = new Float64Array(clusters.length * FIGURE_COUNT)
    this.#seenFrom = new Int32Array(clusters.length + 1)
    this.#seenAs = new Int32Array(seenTotal)
    this.#seenCount = new Float64Array(seenTotal)
    for (const [place, cluster] of clusters.entries()) {
      PARTS.forEach((part, slot) => {
        this.#parts[place * PART_COUNT + slot] = spellings[slot]?.add(cluster[part]) ?? 0
      })
      this.#price(place, cluster)
      this.#see(place, cluster.seen)
    }
  }

  /** Number of the spelling of a part of a cluster. */
  partOf(place: number, part: number): number {
    return this.#parts[place * PART_COUNT + part] ?? 0
  }

  pricingOf(place: number): Pricing {
    return PRICINGS[this.#pricing[place] ?? 0] ?? 'none'
  }

  pctBpsOf(place: number): number {
    return this.#figures[place * FIGURE_COUNT] ?? 0
  }

  fixedOf(place: number): number {
    return this.#figures[place * FIGURE_COUNT + 1] ?? 0
  }

  grossOf(place: number): number {
    return this.#figures[place * FIGURE_COUNT + 2] ?? 0
  }

  curveOf(place: number): PriceCurve | undefined {
    return this.#curves.get(place)
  }

  /** Tells how the payments of a cluster were seen ({@link seenAs}), and how many. */
  eachSeen(place: number, tell: (seenAs: number, count: number) => void): void {
    const end = this.#seenFrom[place + 1] ?? 0
    for (let at = this.#seenFrom[place] ?? 0; at < end; at++) tell(this.#seenAs[at] ?? 0, this.#seenCount[at] ?? 0)
  }

  /** A line that is GOOD; else tiers of which one is (cost.md 14, rungs 3 and 4). */
  #price(place: number, { fee, gross, verdict, tiers }: FittedCostCluster): void {
    const { pctBps, fixed } = fee ?? NO_FEE
    this.#figures.set([pctBps, fixed, gross], place * FIGURE_COUNT)
    if (!(gross > 0)) return
    const isLine = verdict === 'GOOD' && fee !== null
    const curve = isLine ? undefined : curveOfTiers(tiers)
    if (curve !== undefined) this.#curves.set(place, curve)
    if (isLine || curve !== undefined) this.#pricing[place] = PRICINGS.indexOf(isLine ? 'line' : 'curve')
  }

  #see(place: number, seen: readonly PaymentsSeen[]): void {
    let at = this.#seenFrom[place] ?? 0
    for (const { channel, bandSlot, paymentCount } of seen) {
      this.#seenAs[at] = seenAs(channel === 'POS' ? 'pos' : 'ecom', bandSlot)
      this.#seenCount[at] = paymentCount
      at += 1
    }
    this.#seenFrom[place + 1] = at
  }
}

/** A fit of an account as its events come in, kept as numbers; its texts are numbered by itself, so nothing of older fits stays. */
export class NumberedFit {
  readonly #chunkCount: number
  readonly #chunks: NumberedClusters[] = []
  readonly #binRates: (readonly BinRateSeen[])[] = []
  readonly #spellings: readonly Names[] = PARTS.map(() => new Names())
  #takenCount = 0

  constructor(chunkCount: number) {
    this.#chunkCount = chunkCount
  }

  /** Takes the chunk of a slot; again changes nothing. */
  take(slot: number, clusters: readonly FittedCostCluster[], binRates: readonly BinRateSeen[]): void {
    if (this.#chunks[slot] !== undefined) return
    this.#chunks[slot] = new NumberedClusters(clusters, this.#spellings)
    this.#binRates[slot] = binRates
    this.#takenCount += 1
  }

  /** Whether all chunks are there. */
  get isWhole(): boolean {
    return this.#takenCount >= this.#chunkCount
  }

  /** In the order of their slots. */
  get chunks(): readonly NumberedClusters[] {
    return Object.values(this.#chunks)
  }

  get binRates(): readonly BinRateSeen[] {
    return Object.values(this.#binRates).flat()
  }

  get clusterCount(): number {
    return this.chunks.reduce((count, chunk) => count + chunk.count, 0)
  }

  /** The spellings of a part, in the order of their numbers. */
  spellingsOf(part: number): readonly string[] {
    return this.#spellings[part]?.texts ?? []
  }

  get currencies(): readonly string[] {
    return this.spellingsOf(CURRENCY_PART)
  }
}
