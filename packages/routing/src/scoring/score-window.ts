import { assert } from '@switchyard/kernel'
import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'
import { WordPool } from './word-pool.ts'

const WORD_BITS = 32

/** The complete state of a {@link ScoreWindow}: what a snapshot keeps. */
export interface ScoreWindowState {
  /** Number of the entry that comes next; entries are numbered without gaps. */
  readonly next: number
  /** Outcomes in the window, without the optimistic filling. */
  readonly realCount: number
  /** Oldest first: 1 for a success. */
  readonly entries: readonly number[]
}

const wordsFor = (bits: number): number => Math.ceil(bits / WORD_BITS)

/**
 * The newest outcomes of one gateway in one dimension (decide.md 5.2): a ring of bits with a running sum. It is created
 * with the first outcome and starts full of successes, so that a new gateway is tried. The length of the window is an
 * argument of every call because it may change between payments: a read sees the newest entries only, a push forgets the
 * others for good. One owner, one writer; {@link referenceScore} says the same without bits.
 */
export class ScoreWindow {
  // What a score is read from stands first.
  #length: number
  #sum: number
  readonly #pool: WordPool
  #firstWord: number
  #wordCount: number
  #next: number
  #firstReal: number

  /** When the newest outcome came, event time in whole seconds since the epoch: a small number costs no memory of its own. */
  fedAtSeconds = 0

  private constructor(pool: WordPool, next: number, bucketSize: number) {
    this.#pool = pool
    this.#wordCount = wordsFor(bucketSize)
    this.#firstWord = pool.take(this.#wordCount)
    this.#next = next
    this.#firstReal = next
    this.#length = 0
    this.#sum = 0
  }

  /** A window of `successCount` successes that nobody reported; its entries are numbered from `firstSequence` on. */
  static optimistic(firstSequence: number, successCount: number, pool: WordPool = new WordPool()): ScoreWindow {
    const window = new ScoreWindow(pool, firstSequence, successCount)
    for (let entry = 0; entry < successCount; entry++) window.push(1, successCount)
    window.#firstReal = window.#next
    return window
  }

  /** The window of a snapshot. */
  static restore({ next, realCount, entries }: ScoreWindowState, pool: WordPool = new WordPool()): ScoreWindow {
    const length = Math.max(1, entries.length)
    const window = new ScoreWindow(pool, next - entries.length, length)
    for (const entry of entries) window.push(entry === 0 ? 0 : 1, length)
    window.#firstReal = next - realCount
    return window
  }

  /** Number of the entry that comes next. */
  get next(): number {
    return this.#next
  }

  /** Adds the newest outcome, forgets what is older than the newest `bucketSize`, and answers the number of the entry. */
  push(outcome: 0 | 1, bucketSize: number): number {
    assert(bucketSize >= 1 && bucketSize <= BUCKET_SIZE_MAX, 'the length of a window is between 1 and its limit')
    if (bucketSize > this.#wordCount * WORD_BITS) this.#grow(bucketSize)
    while (this.#length >= bucketSize) {
      this.#sum -= this.#bitAt(this.#next - this.#length)
      this.#length--
    }
    const sequence = this.#next++
    this.#length++
    this.#sum += outcome
    this.#write(sequence, outcome)
    return sequence
  }

  /** Turns a failure into a success if it is still in the window; answers whether it was. */
  turnToSuccess(sequence: number): boolean {
    if (sequence >= this.#next || sequence < this.#next - this.#length) return false
    this.#sum += 1 - this.#bitAt(sequence)
    this.#write(sequence, 1)
    return true
  }

  /** Mean of the newest min(`bucketSize`, length) entries, between 0 and 1. */
  score(bucketSize: number): number {
    if (bucketSize >= this.#length) return this.#sum / this.#length
    let sum = 0
    for (let sequence = this.#next - bucketSize; sequence < this.#next; sequence++) sum += this.#bitAt(sequence)
    return sum / bucketSize
  }

  /** Outcomes among the newest `bucketSize` entries, without the optimistic filling. */
  sampleCount(bucketSize: number): number {
    return Math.min(bucketSize, this.#length, this.#next - this.#firstReal)
  }

  /** Outcomes in the window, without the optimistic filling. */
  get realCount(): number {
    return this.sampleCount(this.#length)
  }

  /** Successes among them. */
  get realSuccessCount(): number {
    return this.#sum - (this.#length - this.realCount)
  }

  /** An outcome by its age: 0 is the newest; ages below {@link realCount} are of real outcomes. */
  outcomeAt(age: number): number {
    return this.#bitAt(this.#next - 1 - age)
  }

  /** Keeps the newest `keptCount` outcomes; at most `optimisticCount` successes stand in for what was before them. */
  forgetBefore(keptCount: number, optimisticCount: number): void {
    const kept = Math.min(keptCount, this.realCount)
    this.#length = Math.min(this.#length, kept + optimisticCount)
    this.#firstReal = this.#next - kept
    for (let sequence = this.#next - this.#length; sequence < this.#firstReal; sequence++) this.#write(sequence, 1)
    this.#sum = 0
    for (let sequence = this.#next - this.#length; sequence < this.#next; sequence++) this.#sum += this.#bitAt(sequence)
  }

  /** What a snapshot keeps. */
  state(): ScoreWindowState {
    const first = this.#next - this.#length
    const entries = Array.from({ length: this.#length }, (_, index) => this.#bitAt(first + index))
    return { next: this.#next, realCount: this.realCount, entries }
  }

  /** Gives its memory back; the window is not used any more. */
  free(): void {
    this.#pool.giveBack(this.#firstWord, this.#wordCount)
  }

  #bitAt(sequence: number): number {
    const index = sequence % (this.#wordCount * WORD_BITS)
    return ((this.#pool.words[this.#firstWord + (index >>> 5)] ?? 0) >>> (index & 31)) & 1
  }

  #write(sequence: number, outcome: 0 | 1): void {
    const index = sequence % (this.#wordCount * WORD_BITS)
    const { words } = this.#pool
    const at = this.#firstWord + (index >>> 5)
    const word = words[at] ?? 0
    const mask = 1 << (index & 31)
    words[at] = outcome === 1 ? word | mask : word & ~mask
  }

  #grow(bucketSize: number): void {
    const { entries } = this.state()
    const first = this.#next - this.#length
    this.free()
    this.#wordCount = wordsFor(bucketSize)
    this.#firstWord = this.#pool.take(this.#wordCount)
    for (const [index, entry] of entries.entries()) this.#write(first + index, entry === 0 ? 0 : 1)
  }
}
