import { UNKNOWN } from '../tuple-index.ts'
import type { Guesses } from './guesses.ts'
import { SEEN_AS_COUNT } from './numbered-fit.ts'

/** Payments that a guess needs. */
const CATEGORY_SUPPORT_MIN = 20

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
export class CategoryTally {
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
