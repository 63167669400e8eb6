/** Values that are remembered for each place in a body. */
const VALUE_COUNT_MAX = 16

/** Longest bytes whose value is remembered. */
const VALUE_BYTES_MAX = 512

/** One of so many values that were not known is remembered. A prime, so that each of values that come in turns has its turn. */
const REMEMBERED_ONE_OF = 17

/** A value, and how it stands in bodies. */
export interface RecentValue<Value> {
  readonly bytes: Uint8Array
  readonly value: Value
}

const standsAt = (bytes: Uint8Array, start: number, wanted: Uint8Array): boolean => {
  const last = wanted.length - 1
  if (start + last >= bytes.length || bytes[start + last] !== wanted[last]) return false
  for (let i = 0; i < last; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

/** The values that were read or written last at one place of bodies, with their bytes: who knows one of the two needs not make the other. */
export class RecentValues<Value> {
  /** The one that was found last comes first. */
  readonly #recent: RecentValue<Value>[] = []
  #unknownCount = 0

  /** The value whose bytes stand here, whatever stands behind them. */
  find(bytes: Uint8Array, start: number): RecentValue<Value> | undefined {
    const recent = this.#recent
    for (let index = 0; index < recent.length; index++) {
      const one = recent[index]
      if (one !== undefined && standsAt(bytes, start, one.bytes)) return this.#toFront(index, one)
    }
    return undefined
  }

  /** The bytes of a value, of this very object. */
  bytesOf(value: Value): Uint8Array | undefined {
    const recent = this.#recent
    for (let index = 0; index < recent.length; index++) {
      const one = recent[index]
      if (one?.value === value) return this.#toFront(index, one).bytes
    }
    return undefined
  }

  /** Whether to remember this one of those that were not known: where none comes again, remembering would be all that comes of it. */
  isTurn(): boolean {
    this.#unknownCount += 1
    return this.#unknownCount % REMEMBERED_ONE_OF === 0
  }

  /** Remembers a value, for which one that was not found lately may have to go. */
  add(bytes: Uint8Array, value: Value): void {
    if (bytes.length > VALUE_BYTES_MAX) return
    if (this.#recent.unshift({ bytes: new Uint8Array(bytes), value }) > VALUE_COUNT_MAX) this.#recent.pop()
  }

  /** It changes places with the first one: the next body is most likely to hold it, too. */
  #toFront(index: number, one: RecentValue<Value>): RecentValue<Value> {
    this.#recent[index] = this.#recent[0] ?? one
    this.#recent[0] = one
    return one
  }
}
