/** A value that knows when it began, epoch milliseconds of event time. */
export interface Dated {
  readonly at: number
}

/** Bounds of an {@link AgingMap}. */
export interface AgingLimits {
  readonly countMax: number
  readonly ageMsMax: number
}

/**
 * A map in insertion order that forgets its oldest entries: an eighth at once when it is full, and all that are older than
 * the limit when the oldest is a quarter beyond it. In portions, because a JavaScript map gets slow when its first entry
 * is removed again and again. What it forgets depends on the calls alone, never on a clock.
 */
export class AgingMap<Value extends Dated> {
  readonly #entries: Map<string, Value> = new Map()
  readonly #limits: AgingLimits
  #oldestAt: number

  constructor(limits: AgingLimits, oldestAt = 0) {
    this.#limits = limits
    this.#oldestAt = oldestAt
  }

  /** When the oldest entry began as far as the map knows: the entry may have been removed since. Part of a snapshot. */
  get oldestAt(): number {
    return this.#oldestAt
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#entries.entries()
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** Adds the newest entry; an entry of the same key gives up its place. */
  add(key: string, value: Value): void {
    const sizeBefore = this.#entries.size
    this.#entries.set(key, value)
    // Nearly always the key is new: then this is the only look into the map.
    if (this.#entries.size === sizeBefore) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    if (this.#entries.size === 1) this.#oldestAt = value.at
    else this.#forget(value.at)
  }

  /** Another value for an entry, in its place. */
  replace(key: string, value: Value): void {
    if (this.#entries.has(key)) this.#entries.set(key, value)
  }

  /** Puts back an entry of a snapshot, without forgetting anything. */
  restore(key: string, value: Value): void {
    this.#entries.set(key, value)
  }

  /** Makes room for the entry that was just added at the end. */
  #forget(at: number): void {
    const { countMax, ageMsMax } = this.#limits
    const isFull = this.#entries.size > countMax
    if (!isFull && at - this.#oldestAt <= ageMsMax * 1.25) return
    const keep = isFull ? countMax - Math.max(1, countMax >> 3) : countMax
    this.#oldestAt = at
    for (const [key, value] of this.#entries) {
      if (this.#entries.size - 1 <= keep && at - value.at <= ageMsMax) {
        this.#oldestAt = value.at
        return
      }
      this.#entries.delete(key)
    }
  }
}
