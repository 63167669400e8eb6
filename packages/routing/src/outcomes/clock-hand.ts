/** Entries that are looked at to forget one of them. */
const LOOKED_AT_COUNT = 8

/**
 * Forgets entries of a full map, one at a time: of the next few in the map's order the one that was used longest ago. It then stands
 * behind them, so that all have their turn, and no look takes longer where there are more (to sort 50,000 held everybody up for 29 ms).
 * What it forgets follows from the map, its order and {@link passedCount}: a snapshot keeps these.
 */
export class ClockHand<Entry> {
  readonly #entries: Map<string, Entry>
  readonly #usedAt: (entry: Entry) => number
  /** Undefined until it is needed; it goes on with what is added meanwhile. */
  #rest: IterableIterator<[string, Entry]> | undefined
  #passedCount: number

  /** `usedAt`: any number that grows with each use. */
  constructor(entries: Map<string, Entry>, usedAt: (entry: Entry) => number, passedCount = 0) {
    this.#entries = entries
    this.#usedAt = usedAt
    this.#passedCount = passedCount
  }

  /** Entries before it in the order of the map. */
  get passedCount(): number {
    return this.#passedCount
  }

  /** Takes one entry out of the map; undefined when there is none. */
  forget(): readonly [key: string, entry: Entry] | undefined {
    let oldest: [string, Entry] | undefined
    let isPassed = false
    for (let left = Math.min(LOOKED_AT_COUNT, this.#entries.size); left > 0; left -= 1) {
      const { entry, isFirst } = this.#advance()
      if (isFirst) isPassed = false
      if (oldest !== undefined && this.#usedAt(entry[1]) >= this.#usedAt(oldest[1])) continue
      oldest = entry
      isPassed = true
    }
    if (oldest === undefined) return undefined
    this.#entries.delete(oldest[0])
    if (isPassed) this.#passedCount -= 1
    return oldest
  }

  /** The next entry of a map that has some; behind the last one comes the first. */
  #advance(): { readonly entry: [string, Entry]; readonly isFirst: boolean } {
    this.#rest ??= this.#behindPassed()
    const next = this.#rest.next()
    if (next.done === true) {
      this.#rest = undefined
      this.#passedCount = 0
      return { ...this.#advance(), isFirst: true }
    }
    this.#passedCount += 1
    return { entry: next.value, isFirst: false }
  }

  #behindPassed(): IterableIterator<[string, Entry]> {
    const rest = this.#entries.entries()
    for (let passed = 0; passed < this.#passedCount; passed += 1) rest.next()
    return rest
  }
}
