import { TupleBuilder, type TupleTable } from '../tuple-index.ts'

/** What payments of a likeness mostly were, at every level. */
export interface GuessTable {
  readonly likenesses: TupleTable
  /** Place of the likeness, and what is kept of how the payments were seen. */
  readonly keys: TupleTable
  /** By place of the key; UNKNOWN where too few were seen. */
  readonly categories: Int32Array
}

/** Guesses as they are found. */
export class Guesses {
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
