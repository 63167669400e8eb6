import { ANY, TupleBuilder } from '../tuple-index.ts'
import { CategoryTally } from './category-tally.ts'
import { Guesses, type GuessTable } from './guesses.ts'
import { LEVELS, LIKENESS_WIDTH, LIKENESSES, type Likeness, putLikeness } from './likenesses.ts'
import type { ModelNames } from './model-names.ts'
import { CLUSTER_WIDTH, type ModelledClusters } from './modelled-clusters.ts'
import { FIRST_ID, type Names } from './names.ts'

/** Places in the key of a cluster. */
const [NETWORK, VARIANT, FUNDING, ISSUER, CATEGORY] = [1, 2, 3, 4, 6] as const

/** The places of labels in their order, by the number of each. */
const ranksOf = (labels: Names): Int32Array => {
  const sorted = [...labels.texts].sort()
  const ranks = new Int32Array(FIRST_ID + sorted.length)
  for (const [rank, label] of sorted.entries()) ranks[labels.of(label)] = rank
  return ranks
}

/** Where the items of each number begin when they are in the order of these. */
const startsOf = (items: Int32Array, numberOf: Int32Array, count: number): Int32Array => {
  const ends = new Int32Array(count)
  for (const item of items) {
    const number = numberOf[item] ?? 0
    ends[number] = (ends[number] ?? 0) + 1
  }
  let start = 0
  return ends.map((own) => {
    start += own
    return start - own
  })
}

/** `items` by a number below `count` that each has, in the order in which they are among equal ones. */
const sortedBy = (items: Int32Array, numberOf: Int32Array, count: number): Int32Array => {
  const next = startsOf(items, numberOf, count)
  const sorted = new Int32Array(items.length)
  for (const item of items) {
    const number = numberOf[item] ?? 0
    const at = next[number] ?? 0
    sorted[at] = item
    next[number] = at + 1
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
    const [first = 0, clusters] = this.#of.parts[this.#partOf[cluster] ?? 0] ?? []
    clusters?.eachSeen(cluster - first, (seenAs, count) => {
      for (const kept of keeps) this.#tally.add(seenAs & kept, count)
    })
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
