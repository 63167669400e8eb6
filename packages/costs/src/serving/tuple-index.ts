/** Marks a part of a key that stands for every value. */
export const ANY = 0
/** A value that no key has. */
export const UNKNOWN = -1
/** What a key that is not there leads to. */
export const NOT_FOUND = -1
const FIRST_ID = 1
const EMPTY = 0
const MULTIPLIER = 0x9e37_79b1

/** Numbers texts, so that keys of texts become keys of small numbers. */
export class Names {
  readonly #ids: Map<string, number> = new Map()
  readonly #texts: string[] = []

  /** The number of a text, a new one when it has none. */
  add(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    this.#ids.set(text, this.#texts.push(text) - 1 + FIRST_ID)
    return this.#texts.length - 1 + FIRST_ID
  }

  /** {@link UNKNOWN} for a text without one. */
  of(text: string): number {
    return this.#ids.get(text) ?? UNKNOWN
  }

  textOf(id: number): string {
    return this.#texts[id - FIRST_ID] ?? ''
  }
}

const hashOf = (key: ArrayLike<number>, start: number, width: number): number => {
  let hash = 0
  for (let part = 0; part < width; part++) {
    hash = Math.imul(hash ^ (key[start + part] ?? 0), MULTIPLIER)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}

/** Keys of a fixed number of small numbers, each with a value. Looking one up allocates nothing. */
export class TupleIndex {
  readonly #width: number
  readonly #keys: Int32Array
  readonly #values: Int32Array
  /** Place of an entry, from 1; open addressing. */
  readonly #slots: Int32Array

  /** The last value of a key that occurs more than once counts. Values are not below 0. */
  constructor(width: number, entries: readonly (readonly [key: readonly number[], value: number])[]) {
    this.#width = width
    this.#keys = new Int32Array(entries.length * width)
    this.#values = new Int32Array(entries.length)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * entries.length + 2)))
    entries.forEach(([key, value], place) => {
      this.#keys.set(key, place * width)
      this.#values[place] = value
      this.#slots[this.#slotOf(key)] = place + 1
    })
  }

  /** {@link NOT_FOUND} for a key that is not there. */
  get(key: ArrayLike<number>): number {
    const place = this.#slots[this.#slotOf(key)] ?? EMPTY
    return place === EMPTY ? NOT_FOUND : (this.#values[place - 1] ?? NOT_FOUND)
  }

  #slotOf(key: ArrayLike<number>): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(key, 0, this.#width) & mask
    for (let place = this.#slots[slot] ?? EMPTY; place !== EMPTY && !this.#isAt(key, place - 1); place = this.#slots[slot] ?? EMPTY) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  #isAt(key: ArrayLike<number>, place: number): boolean {
    for (let part = 0; part < this.#width; part++) if (this.#keys[place * this.#width + part] !== key[part]) return false
    return true
  }
}
