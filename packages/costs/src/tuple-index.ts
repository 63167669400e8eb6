/** Marks a part of a key that stands for every value. */
export const ANY = 0
/** A value that no key has. */
export const UNKNOWN = -1
/** What a key that is not there leads to. */
export const NOT_FOUND = -1
const EMPTY = 0
const MULTIPLIER = 0x9e37_79b1
const CAPACITY_MIN = 64
/** How many times larger a full builder becomes. */
const GROWTH = 2

/** A power of two: at most half of the slots are taken. */
const slotCountFor = (capacity: number): number => 2 ** Math.ceil(Math.log2(2 * capacity))

const hashOf = (key: ArrayLike<number>, width: number): number => {
  let hash = 0
  for (let part = 0; part < width; part++) {
    hash = Math.imul(hash ^ (key[part] ?? 0), MULTIPLIER)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}

/** Distinct keys of a fixed number of small numbers, each at its place from 0; plain arrays, which threads can hand over. */
export interface TupleTable {
  readonly width: number
  readonly keys: Int32Array
  /** Place of a key, from 1; open addressing. */
  readonly slots: Int32Array
}

/** The slot of a key: that of its place, or the empty one where it would go. */
const slotOf = ({ width, keys, slots }: TupleTable, key: ArrayLike<number>): number => {
  const mask = slots.length - 1
  let slot = hashOf(key, width) & mask
  for (let place = slots[slot] ?? EMPTY; place !== EMPTY; place = slots[slot] ?? EMPTY) {
    const start = (place - 1) * width
    let part = 0
    while (part < width && keys[start + part] === key[part]) part += 1
    if (part === width) return slot
    slot = (slot + 1) & mask
  }
  return slot
}

/** The place of a key; {@link NOT_FOUND} for one that is not there. Allocates nothing. */
export const placeOf = (table: TupleTable, key: ArrayLike<number>): number => (table.slots[slotOf(table, key)] ?? EMPTY) - 1

/** Collects the keys of a {@link TupleTable}. */
export class TupleBuilder {
  readonly #width: number
  #keys: Int32Array
  #slots: Int32Array
  #count = 0
  #table: TupleTable
  readonly #scratch: number[]

  /** `expectedCount` keys have room at once. */
  constructor(width: number, expectedCount = 0) {
    const capacity = Math.max(CAPACITY_MIN, expectedCount)
    this.#width = width
    this.#keys = new Int32Array(capacity * width)
    this.#slots = new Int32Array(slotCountFor(capacity))
    this.#table = { width, keys: this.#keys, slots: this.#slots }
    this.#scratch = new Array(width).fill(ANY)
  }

  get count(): number {
    return this.#count
  }

  /** The place of a key, a new one when it has none; keys do not have {@link UNKNOWN} parts. */
  add(key: ArrayLike<number>): number {
    const slot = slotOf(this.#table, key)
    const known = (this.#slots[slot] ?? EMPTY) - 1
    if (known !== NOT_FOUND) return known
    if ((this.#count + 1) * this.#width > this.#keys.length) {
      this.#grow()
      return this.add(key)
    }
    for (let part = 0; part < this.#width; part++) this.#keys[this.#count * this.#width + part] = key[part] ?? 0
    this.#count += 1
    this.#slots[slot] = this.#count
    return this.#count - 1
  }

  /** A part of the key at a place. */
  partOf(place: number, part: number): number {
    return this.#keys[place * this.#width + part] ?? 0
  }

  /** Writes the key at a place into `key`. */
  putKey(key: number[], place: number): void {
    for (let part = 0; part < this.#width; part++) key[part] = this.partOf(place, part)
  }

  finish(): TupleTable {
    return { width: this.#width, keys: this.#keys.slice(0, this.#count * this.#width), slots: this.#slots }
  }

  #grow(): void {
    const width = this.#width
    const keys = new Int32Array(GROWTH * this.#keys.length)
    keys.set(this.#keys)
    this.#keys = keys
    this.#slots = new Int32Array(GROWTH * this.#slots.length)
    this.#table = { width, keys, slots: this.#slots }
    const key = this.#scratch
    for (let place = 0; place < this.#count; place++) {
      for (let part = 0; part < width; part++) key[part] = keys[place * width + part] ?? 0
      this.#slots[slotOf(this.#table, key)] = place + 1
    }
  }
}
