import type { Channel } from '../reports/canonical-row.ts'
import type { CategoryCount } from './cost-model.ts'
import type { ModelNames } from './model-names.ts'
import { ANY, TupleBuilder, type TupleTable, UNKNOWN } from './tuple-index.ts'

/** Payments that a guess needs. */
const CATEGORY_SUPPORT_MIN = 20

/** Connector, network, variant, funding, issuer, channel and band. */
export const GUESS_WIDTH = 7
const CHANNEL = 5
const BAND = 6
/** Place of the category in the key of a cluster. */
const CATEGORY = 6
/** Bands become numbers above {@link ANY}. */
export const BAND_OFFSET = 1000
export const CHANNELS: Readonly<Record<Channel, number>> = { pos: 1, ecom: 2 }

/** Which parts of a key a level keeps, first to last: variant, funding, issuer, channel, band; network always (cost.md 14). */
export const LEVELS: readonly (readonly boolean[])[] = [
  'v.icb',
  'v.ic.',
  'v..cb',
  'v.i.b',
  'v.i..',
  '.ficb',
  '.f.cb',
  '.f..b',
  '.f...',
].map((level) => [true, true, ...Array.from(level, (part) => part !== '.')])

const NOTHING_FINER = -1
/** The level of which each level is a sum, so that the counts themselves are read once. */
const SUMS_OF: readonly number[] = [NOTHING_FINER, 0, 0, 0, 1, NOTHING_FINER, 5, 6, 7]

/** What payments of a likeness mostly were; by key, at every level. */
export interface GuessTable {
  readonly keys: TupleTable
  /** By place; UNKNOWN where too few were seen. */
  readonly categories: Int32Array
}

/** Counts by likeness and category. */
class Counts {
  readonly keys: TupleBuilder
  readonly #counts: Float64Array

  /** At most so many. */
  constructor(countMax: number) {
    this.keys = new TupleBuilder(GUESS_WIDTH + 1, countMax)
    this.#counts = new Float64Array(countMax)
  }

  add(key: ArrayLike<number>, count: number): void {
    const place = this.keys.add(key)
    this.#counts[place] = (this.#counts[place] ?? 0) + count
  }

  countAt(place: number): number {
    return this.#counts[place] ?? 0
  }
}

/** Writes the parts that a level keeps into a key. */
const keepParts = (key: number[], parts: readonly number[], level: readonly boolean[]): void => {
  for (let part = 0; part < GUESS_WIDTH; part++) key[part] = level[part] ? (parts[part] ?? ANY) : ANY
}

/** Counts at the levels that others are sums of: all parts that a level does not keep are left out. */
const counted = (names: ModelNames, counts: readonly CategoryCount[], levels: readonly (readonly boolean[])[]): readonly Counts[] => {
  const countMax = counts.reduce((sum, { seen }) => sum + seen.length, 0)
  const all = levels.map((level) => ({ level, sums: new Counts(countMax) }))
  const cluster: number[] = new Array(CATEGORY + 1).fill(ANY)
  const parts: number[] = new Array(GUESS_WIDTH + 1).fill(ANY)
  const key: number[] = new Array(GUESS_WIDTH + 1).fill(ANY)
  for (const count of counts) {
    names.putCluster(cluster, { ...count, currency: '' })
    for (let part = 0; part < CHANNEL; part++) parts[part] = cluster[part] ?? ANY
    key[GUESS_WIDTH] = cluster[CATEGORY] ?? ANY
    for (const { channel, band, count: paymentCount } of count.seen) {
      parts[CHANNEL] = CHANNELS[channel]
      parts[BAND] = band + BAND_OFFSET
      for (const { level, sums } of all) {
        keepParts(key, parts, level)
        sums.add(key, paymentCount)
      }
    }
  }
  return all.map(({ sums }) => sums)
}

const summed = (finer: Counts, level: readonly boolean[]): Counts => {
  const sums = new Counts(finer.keys.count)
  const key: number[] = new Array(GUESS_WIDTH + 1).fill(ANY)
  for (let place = 0; place < finer.keys.count; place++) {
    for (let part = 0; part < GUESS_WIDTH; part++) key[part] = level[part] ? finer.keys.partOf(place, part) : ANY
    key[GUESS_WIDTH] = finer.keys.partOf(place, GUESS_WIDTH)
    sums.add(key, finer.countAt(place))
  }
  return sums
}

/** The most frequent category of each likeness; of two that are as frequent the one whose label comes first. */
class Guesses {
  readonly keys: TupleBuilder
  readonly #best: number[] = []
  readonly #bestCount: number[] = []
  readonly #total: number[] = []
  readonly #names: ModelNames

  constructor(names: ModelNames, expectedCount: number) {
    this.#names = names
    this.keys = new TupleBuilder(GUESS_WIDTH, expectedCount)
  }

  add(key: ArrayLike<number>, category: number, count: number): void {
    const place = this.keys.add(key)
    const best = this.#best[place] ?? UNKNOWN
    const bestCount = this.#bestCount[place] ?? 0
    this.#total[place] = (this.#total[place] ?? 0) + count
    const { categories } = this.#names
    if (count < bestCount || (count === bestCount && categories.textOf(category) > categories.textOf(best))) return
    this.#best[place] = category
    this.#bestCount[place] = count
  }

  finish(): GuessTable {
    const categories = Int32Array.from(this.#best, (best, place) => ((this.#total[place] ?? 0) < CATEGORY_SUPPORT_MIN ? UNKNOWN : best))
    return { keys: this.keys.finish(), categories }
  }
}

/** What the interchange category of a payment is guessed by, which is known after settlement only; by connector. */
export const compileCategories = (names: ModelNames, counts: readonly CategoryCount[]): GuessTable => {
  const key: number[] = new Array(GUESS_WIDTH).fill(ANY)
  const finest = counted(
    names,
    counts,
    LEVELS.filter((_, index) => SUMS_OF[index] === NOTHING_FINER),
  )
  // The finest levels have nearly all of the keys.
  const guesses = new Guesses(
    names,
    finest.reduce((count, { keys }) => count + 2 * keys.count, 0),
  )
  const levels: Counts[] = []
  LEVELS.forEach((level, index) => {
    const finer = levels[SUMS_OF[index] ?? NOTHING_FINER]
    const sums = (finer && summed(finer, level)) ?? finest[levels.filter((_, other) => SUMS_OF[other] === NOTHING_FINER).length]
    if (sums === undefined) return
    levels.push(sums)
    for (let place = 0; place < sums.keys.count; place++) {
      for (let part = 0; part < GUESS_WIDTH; part++) key[part] = sums.keys.partOf(place, part)
      guesses.add(key, sums.keys.partOf(place, GUESS_WIDTH), sums.countAt(place))
    }
  })
  return guesses.finish()
}
