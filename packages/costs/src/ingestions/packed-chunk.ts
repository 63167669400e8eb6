import type { SettledBucket } from '@switchyard/events'
import type { Channel } from '../reports/canonical-row.ts'
import type { Day } from '../reports/day.ts'
import type { Band } from '../statistics/band.ts'
import type { Bucket, Contribution } from '../statistics/contribution.ts'
import type { FitCluster } from '../statistics/fit-cluster.ts'
import type { Sums } from '../statistics/sums.ts'
import { type ContributionChunk, clustersOf } from './contribution-chunks.ts'
import type { KeptTexts } from './kept-texts.ts'

/** Which report a contribution is of, and what of earlier ones it stands for. */
export type ContributionHead = Pick<Contribution, 'ingestionId' | 'sequence' | 'covers'>

/** A chunk whose buckets lie in one piece of memory, which threads hand over; as objects they would take three times as much. */
export interface PackedChunk extends Omit<ContributionChunk, 'buckets'> {
  readonly bucketCount: number
  /** Of each bucket: slot of its cluster, day, channel (1: at a terminal), band, then its sums. */
  readonly numbers: Float64Array
}

const PLACE_WIDTH = 4
const SUMS_WIDTH = 11
const WIDTH = PLACE_WIDTH + SUMS_WIDTH
const [CLUSTER, DAY, CHANNEL, BAND] = [0, 1, 2, 3] as const

const numbersOf = (bucket: SettledBucket): readonly number[] => {
  const { clusterSlot, epochDay, channel, band, paymentCount, sx, sy, sxx, sxy, syy, su, suu, suy, suuy, syyuu } = bucket
  return [clusterSlot, epochDay, channel === 'POS' ? 1 : 0, band, paymentCount, sx, sy, sxx, sxy, syy, su, suu, suy, suuy, syyuu]
}

/** Packs a chunk. */
export const packedChunk = ({ buckets, ...rest }: ContributionChunk): PackedChunk => {
  const numbers = new Float64Array(buckets.length * WIDTH)
  for (const [index, bucket] of buckets.entries()) numbers.set(numbersOf(bucket), index * WIDTH)
  return { ...rest, bucketCount: buckets.length, numbers }
}

/** Sums where they lie in a packed chunk. */
class PackedSums implements Sums {
  readonly #numbers: Float64Array
  readonly #from: number

  constructor(numbers: Float64Array, from: number) {
    this.#numbers = numbers
    this.#from = from
  }

  get n(): number {
    return this.#part(0)
  }
  get sx(): number {
    return this.#part(1)
  }
  get sy(): number {
    return this.#part(2)
  }
  get sxx(): number {
    return this.#part(3)
  }
  get sxy(): number {
    return this.#part(4)
  }
  get syy(): number {
    return this.#part(5)
  }
  get su(): number {
    return this.#part(6)
  }
  get suu(): number {
    return this.#part(7)
  }
  get suy(): number {
    return this.#part(8)
  }
  get suuy(): number {
    return this.#part(9)
  }
  get syyuu(): number {
    return this.#part(10)
  }

  #part(place: number): number {
    return this.#numbers[this.#from + place] ?? 0
  }
}

/** A bucket where it lies in a packed chunk. */
class PackedBucket implements Bucket {
  readonly cluster: FitCluster
  readonly #numbers: Float64Array
  readonly #from: number

  constructor(cluster: FitCluster, numbers: Float64Array, from: number) {
    this.cluster = cluster
    this.#numbers = numbers
    this.#from = from
  }

  get day(): Day {
    return this.#part(DAY)
  }
  get channel(): Channel {
    return this.#part(CHANNEL) === 1 ? 'pos' : 'ecom'
  }
  get band(): Band {
    return this.#part(BAND)
  }
  get sums(): Sums {
    return new PackedSums(this.#numbers, this.#from + PLACE_WIDTH)
  }

  #part(place: number): number {
    return this.#numbers[this.#from + place] ?? 0
  }
}

/** Buckets where they lie, made when they are asked for. */
const bucketsOf = ({ numbers, bucketCount }: PackedChunk, clusters: readonly FitCluster[]): Iterable<Bucket> => ({
  *[Symbol.iterator]() {
    for (let from = 0; from < bucketCount * WIDTH; from += WIDTH) {
      const cluster = clusters[numbers[from + CLUSTER] ?? 0]
      if (cluster !== undefined) yield new PackedBucket(cluster, numbers, from)
    }
  },
})

/** What is told in part of a report. */
export type ContributionPiece = Pick<Contribution, 'buckets' | 'totals' | 'binRates'>

/** What one chunk tells. Its texts are kept once for all chunks that were given the same `texts`: each has brought copies of its own. */
export const pieceOf = (chunk: PackedChunk, texts: KeptTexts): ContributionPiece => {
  const clusters = clustersOf(chunk).map((cluster) => texts.ofCluster(cluster))
  return {
    buckets: bucketsOf(chunk, clusters),
    totals: chunk.totals.flatMap(({ clusterSlot, epochDay: day, channel, turnover, cost, fixedCost, paymentCount: count }) => {
      const cluster = clusters[clusterSlot]
      return cluster === undefined ? [] : [{ cluster, day, channel: channel === 'POS' ? 'pos' : 'ecom', turnover, cost, fixedCost, count }]
    }),
    binRates: chunk.binRates.map(({ bin, epochDay: day, rate, paymentCount: count }) => ({
      bin: texts.of(bin),
      day,
      rate: texts.of(rate),
      count,
    })),
  }
}

const joined = <Item>(pieces: readonly ContributionPiece[], itemsOf: (piece: ContributionPiece) => Iterable<Item>): Iterable<Item> => ({
  *[Symbol.iterator]() {
    for (const piece of pieces) yield* itemsOf(piece)
  },
})

/** The contribution of a report of which these are all parts, in their order. */
export const contributionOf = (of: ContributionHead, pieces: readonly ContributionPiece[]): Contribution => ({
  ...of,
  buckets: joined(pieces, ({ buckets }) => buckets),
  totals: joined(pieces, ({ totals }) => totals),
  binRates: joined(pieces, ({ binRates }) => binRates),
})
