/** Lists of a slot: two, so that nearly all are empty or have one member. */
const LISTS_PER_SLOT = 2

/** First slots of lists stand behind so many numbers for each slot. */
const FIRSTS_BEGIN = 2

/** Behind them, what whoever uses the table keeps of each slot. */
const OWN_NUMBERS_BEGIN = FIRSTS_BEGIN + LISTS_PER_SLOT

/** Members of a list that are looked at one by one. Chance makes no list so long: who chose the keys did. */
const LIST_LENGTH_MAX = 32

/**
 * Keys in numbered slots, and where each stands: lists of slots that are linked by number, no object per entry, and nothing left
 * behind by what is taken out. Hashes are 32 bits, well mixed and known to everybody: keys that were chosen to meet go to a
 * JavaScript map, whose hashes are not.
 */
export class SlotTable {
  readonly #keys: (string | undefined)[]
  /**
   * The hash of each slot, then the slot behind each in its list, then the first slot of each list: slots plus one, zero at the end; then
   * the own numbers of its user. One array, because each has a head of 200 bytes, and a merchant with a handful of payments has room for as many.
   */
  readonly #numbers: Int32Array
  /** Keys that met in a list which was full already, and the slots they stand in. */
  #crowded: Map<string, number> | undefined

  /** `slotCount` is a power of two; beside its key each slot has room for so many numbers of its user. */
  constructor(slotCount: number, numberCount = 0) {
    this.#keys = new Array<string | undefined>(slotCount).fill(undefined)
    this.#numbers = new Int32Array(slotCount * (OWN_NUMBERS_BEGIN + numberCount))
  }

  get slotCount(): number {
    return this.#keys.length
  }

  /** The key in a slot; undefined of an empty one. */
  keyAt(slot: number): string | undefined {
    return this.#keys[slot]
  }

  hashAt(slot: number): number {
    return this.#numbers[slot] ?? 0
  }

  /** One of the slot's own numbers, 32 bits with a sign. */
  numberAt(slot: number, which: number): number {
    return this.#numbers[(OWN_NUMBERS_BEGIN + which) * this.slotCount + slot] ?? 0
  }

  setNumber(slot: number, which: number, value: number): void {
    this.#numbers[(OWN_NUMBERS_BEGIN + which) * this.slotCount + slot] = value
  }

  /** The slot of a key; -1 where it has none. */
  find(hash: number, key: string): number {
    let slot = this.#firstOf(hash)
    while (slot >= 0 && (this.#numbers[slot] !== hash || this.#keys[slot] !== key)) slot = this.#behind(slot)
    return slot < 0 && this.#crowded !== undefined ? (this.#crowded.get(key) ?? -1) : slot
  }

  /** Puts a key that has no slot yet into an empty one. */
  add(hash: number, key: string, slot: number): void {
    this.#keys[slot] = key
    this.#numbers[slot] = hash
    if (this.#isFull(hash)) {
      this.#crowded ??= new Map()
      this.#crowded.set(key, slot)
      return
    }
    const list = this.#listOf(hash)
    this.#numbers[this.slotCount + slot] = this.#numbers[list] ?? 0
    this.#numbers[list] = slot + 1
  }

  /** Empties a slot that a key stands in. */
  clear(slot: number): void {
    const key = this.#keys[slot]
    this.#keys[slot] = undefined
    if (this.#crowded !== undefined && key !== undefined && this.#crowded.delete(key)) return
    const list = this.#listOf(this.hashAt(slot))
    const behind = this.#behind(slot) + 1
    let before = this.#firstOf(this.hashAt(slot))
    if (before === slot) {
      this.#numbers[list] = behind
      return
    }
    while (this.#behind(before) !== slot) before = this.#behind(before)
    this.#numbers[this.slotCount + before] = behind
  }

  /** Where the first slot of a list stands. */
  #listOf(hash: number): number {
    const { slotCount } = this
    return FIRSTS_BEGIN * slotCount + (hash & (LISTS_PER_SLOT * slotCount - 1))
  }

  #firstOf(hash: number): number {
    return (this.#numbers[this.#listOf(hash)] ?? 0) - 1
  }

  #behind(slot: number): number {
    return (this.#numbers[this.slotCount + slot] ?? 0) - 1
  }

  #isFull(hash: number): boolean {
    let length = 0
    for (let slot = this.#firstOf(hash); slot >= 0; slot = this.#behind(slot)) length += 1
    return length >= LIST_LENGTH_MAX
  }
}
