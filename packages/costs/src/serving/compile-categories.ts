import { ANY, TupleBuilder, type TupleTable, UNKNOWN } from '../tuple-index.ts'
import { LEVELS, LIKENESS_WIDTH, LIKENESSES, type Likeness, putLikeness } from './likenesses.ts'
import type { ModelNames } from './model-names.ts'
import { CLUSTER_WIDTH, type ModelledClusters } from './modelled-clusters.ts'
import { FIRST_ID, type Names } from './names.ts'
import { SEEN_AS_COUNT } from './numbered-fit.ts'

/** Payments that a guess needs. */
const CATEGORY_SUPPORT_MIN = 20

/** Places in the key of a cluster. */
const [NETWORK, VARIANT, FUNDING, ISSUER, CATEGORY] = [1, 2, 3, 4, 6] as const

/** What payments of a likeness mostly were, at every level. */
export interface GuessTable {
  readonly likenesses: TupleTable
  /** Place of the likeness, and what is kept of how the payments were seen. */
  readonly keys: TupleTable
  /** By place of the key; UNKNOWN where too few were seen. */
  readonly categories: Int32Array
}

/** Guesses as they are found. */
class Guesses {
  readonly #keys: TupleBuilder
  readonly #categories: number[] = []
  readonly #key: number[] = [0, 0]

  constructor(expectedCount: number) {
    this.#keys = new TupleBuilder(2, expectedCount)
  }

  /** Each key once. */
  add(likeness: number, seenAs: number, category: number): void {
    this.#key[0] = likeness
    this.#key[1] = seenAs
    this.#categories[this.#keys.add(this.#key)] = category
  }

  finish(likenesses: TupleTable): GuessTable {
    return { likenesses, keys: this.#keys.finish(), categories: Int32Array.from(this.#categories) }
  }
}

/** Numbers by how payments were seen, and which of them are not zero. */
class SeenNumbers {
  readonly #values: Float64Array = new Float64Array(SEEN_AS_COUNT)
  readonly #used: number[] = []

  add(seenAs: number, value: number): void {
    const known = this.#values[seenAs] ?? 0
    if (known === 0) this.#used.push(seenAs)
    this.#values[seenAs] = known + value
  }

  of(seenAs: number): number {
    return this.#values[seenAs] ?? 0
  }

  /** Tells all that are not zero, and begins anew. */
  drain(tell: (seenAs: number, value: number) => void): void {
    for (const seenAs of this.#used) {
      tell(seenAs, this.#values[seenAs] ?? 0)
      this.#values[seenAs] = 0
    }
    this.#used.length = 0
  }
}

/**
 * Finds the most frequent category of likenesses. It is told likeness by likeness, and of each category by category in the order of
 * their labels, so that of two that are as frequent the first one stays.
 */
class CategoryTally {
  readonly #guesses: Guesses
  readonly #ofCategory: SeenNumbers = new SeenNumbers()
  readonly #ofLikeness: SeenNumbers = new SeenNumbers()
  readonly #best: Int32Array = new Int32Array(SEEN_AS_COUNT)
  readonly #bestCount: Float64Array = new Float64Array(SEEN_AS_COUNT)

  constructor(guesses: Guesses) {
    this.#guesses = guesses
  }

  add(seenAs: number, count: number): void {
    this.#ofCategory.add(seenAs, count)
  }

  endCategory(category: number): void {
    this.#ofCategory.drain((seenAs, count) => {
      if (this.#ofLikeness.of(seenAs) === 0) this.#bestCount[seenAs] = 0
      this.#ofLikeness.add(seenAs, count)
      if (count <= (this.#bestCount[seenAs] ?? 0)) return
      this.#bestCount[seenAs] = count
      this.#best[seenAs] = category
    })
  }

  endLikeness(likeness: number): void {
    this.#ofLikeness.drain((seenAs, count) => {
      this.#guesses.add(likeness, seenAs, count < CATEGORY_SUPPORT_MIN ? UNKNOWN : (this.#best[seenAs] ?? UNKNOWN))
    })
  }
}

/** The places of labels in their order, by the number of each. */
const ranksOf = (labels: Names): Int32Array => {
  const sorted = [...labels.texts].sort()
  const ranks = new Int32Array(FIRST_ID + sorted.length)
  for (const [rank, label] of sorted.entries()) ranks[labels.of(label)] = rank
  return ranks
}

/** `items` by a number below `count` that each has, in the order in which they are among equal ones. */
const sortedBy = (items: Int32Array, numberOf: Int32Array, count: number): Int32Array => {
  const starts = new Int32Array(count + 1)
  for (const item of items) starts[(numberOf[item] ?? 0) + 1] = (starts[(numberOf[item] ?? 0) + 1] ?? 0) + 1
  for (let number = 0; number < count; number++) starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0)
  const sorted = new Int32Array(items.length)
  for (const item of items) {
    const number = numberOf[item] ?? 0
    const at = starts[number] ?? 0
    sorted[at] = item
    starts[number] = at + 1
  }
  return sorted
}

/** Guesses of one model; clusters are gone through once for each likeness. */
class CategoryCompiler {
  readonly #of: ModelledClusters
  readonly #likenesses: TupleBuilder = new TupleBuilder(LIKENESS_WIDTH)
  readonly #guesses: Guesses
  readonly #tally: CategoryTally
  /** All clusters by the label of their category. */
  readonly #byCategory: Int32Array
  readonly #partOf: Int32Array

  constructor(names: ModelNames, of: ModelledClusters) {
    this.#of = of
    this.#guesses = new Guesses(of.count)
    this.#tally = new CategoryTally(this.#guesses)
    const ranks = ranksOf(names.categories)
    const rankOf = new Int32Array(of.count)
    const clusters = new Int32Array(of.count)
    for (let cluster = 0; cluster < of.count; cluster++) {
      rankOf[cluster] = ranks[this.#number(cluster, CATEGORY)] ?? 0
      clusters[cluster] = cluster
    }
    this.#byCategory = sortedBy(clusters, rankOf, ranks.length)
    this.#partOf = new Int32Array(of.count)
    for (const [part, [first, { count }]] of of.parts.entries()) this.#partOf.fill(part, first, first + count)
  }

  guessBy(likeness: Likeness): void {
    const keeps = LEVELS.filter((level) => level.likeness === likeness).map((level) => level.keeps)
    const likenessOf = this.#likenessesOf(likeness)
    let before: number | undefined
    for (const cluster of sortedBy(this.#byCategory, likenessOf, this.#likenesses.count)) {
      if (before !== undefined) this.#leave(before, cluster, likenessOf)
      this.#see(cluster, keeps)
      before = cluster
    }
    if (before !== undefined) this.#leave(before, undefined, likenessOf)
  }

  finish(): GuessTable {
    return this.#guesses.finish(this.#likenesses.finish())
  }

  /** Ends what the next cluster does not share with the one before. */
  #leave(before: number, next: number | undefined, likenessOf: Int32Array): void {
    const likeness = likenessOf[before] ?? 0
    const category = this.#number(before, CATEGORY)
    const isSameLikeness = next !== undefined && likenessOf[next] === likeness
    if (isSameLikeness && this.#number(next, CATEGORY) === category) return
    this.#tally.endCategory(category)
    if (!isSameLikeness) this.#tally.endLikeness(likeness)
  }

  #see(cluster: number, keeps: readonly number[]): void {
    const [first, clusters] = this.#of.parts[this.#partOf[cluster] ?? 0] ?? []
    if (first === undefined || clusters === undefined) return
    const place = cluster - first
    for (let at = clusters.seenFrom[place] ?? 0; at < (clusters.seenFrom[place + 1] ?? 0); at++) {
      const seenAs = clusters.seenAs[at] ?? 0
      const count = clusters.seenCount[at] ?? 0
      for (const kept of keeps) this.#tally.add(seenAs & kept, count)
    }
  }

  #likenessesOf(likeness: Likeness): Int32Array {
    const key: number[] = new Array(LIKENESS_WIDTH).fill(ANY)
    const likenesses = new Int32Array(this.#of.count)
    for (let cluster = 0; cluster < this.#of.count; cluster++) {
      key[0] = this.#number(cluster, 0)
      key[1] = this.#number(cluster, NETWORK)
      const [variant, funding, issuer] = [this.#number(cluster, VARIANT), this.#number(cluster, FUNDING), this.#number(cluster, ISSUER)]
      putLikeness(key, likeness, { variant, funding, issuer })
      likenesses[cluster] = this.#likenesses.add(key)
    }
    return likenesses
  }

  #number(cluster: number, part: number): number {
    return this.#of.keys[cluster * CLUSTER_WIDTH + part] ?? ANY
  }
}

/** What the interchange category of a payment is guessed by, which is known after settlement only; by connector. */
export const compileCategories = (names: ModelNames, of: ModelledClusters): GuessTable => {
  const compiler = new CategoryCompiler(names, of)
  for (const likeness of LIKENESSES) compiler.guessBy(likeness)
  return compiler.finish()
}
