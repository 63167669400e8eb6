/** So few words need no memory beside the array itself. */
const FIRST_WORD_COUNT = 16
/** Little is left unused, and what is copied when the pool grows stays a small multiple of what is in it. */
const GROWTH_FACTOR = 1.125

/**
 * Blocks of 32-bit words out of one array: an array of its own for each of many small windows would cost many times its
 * content. A block that is given back is used again for the next one of its length.
 */
export class WordPool {
  #words: Int32Array = new Int32Array(FIRST_WORD_COUNT)
  #used = 0
  /** Blocks that were given back, by their length; most pools never have one. */
  #free: Map<number, number[]> | undefined

  /** All words; valid until the next block is taken. */
  get words(): Int32Array {
    return this.#words
  }

  /** Index of the first word of a block; its content is arbitrary. */
  take(wordCount: number): number {
    const freed = this.#free?.get(wordCount)?.pop()
    if (freed !== undefined) return freed
    const first = this.#used
    this.#used += wordCount
    if (this.#used > this.#words.length) this.#grow()
    return first
  }

  /** Gives a block back. */
  giveBack(first: number, wordCount: number): void {
    this.#free ??= new Map()
    const free = this.#free.get(wordCount)
    if (free === undefined) this.#free.set(wordCount, [first])
    else free.push(first)
  }

  #grow(): void {
    const grown = new Int32Array(Math.max(this.#used, Math.ceil(this.#words.length * GROWTH_FACTOR)))
    grown.set(this.#words)
    this.#words = grown
  }
}
