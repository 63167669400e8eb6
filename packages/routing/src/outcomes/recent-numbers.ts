/** Slots of a first table, a power of two: so few numbers need no memory beside the array itself. */
const FIRST_SLOT_COUNT = 8

/** A set of whole numbers from 0 to 2^53 - 1 that are well mixed already (hashes): a table of numbers, no object per entry. */
class NumberTable {
  /** Each number plus one; zero is an empty slot. */
  #slots: Float64Array
  #size = 0

  constructor(slotCount = FIRST_SLOT_COUNT) {
    this.#slots = new Float64Array(slotCount)
  }

  /** Room for as many numbers as are in it; those that follow it will be as many. */
  get slotCount(): number {
    return this.#slots.length
  }

  get size(): number {
    return this.#size
  }

  has(value: number): boolean {
    return this.#slots[this.#slotOf(value + 1)] !== 0
  }

  /** Only for a number that is not there yet. */
  add(value: number): void {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow()
    this.#slots[this.#slotOf(value + 1)] = value + 1
    this.#size++
  }

  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
  }

  /** In ascending order. */
  values(): readonly number[] {
    return [...this.#slots.filter((entry) => entry !== 0).sort()].map((entry) => entry - 1)
  }

  /** Where the entry stands, or the empty slot where it would stand. */
  #slotOf(entry: number): number {
    const mask = this.#slots.length - 1
    let slot = (entry >>> 0) & mask
    for (let found = this.#slots[slot]; found !== 0 && found !== entry; found = this.#slots[slot]) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const entries = this.#slots
    this.#slots = new Float64Array(entries.length * 2)
    for (const entry of entries) if (entry !== 0) this.#slots[this.#slotOf(entry)] = entry
  }
}

/** Never added to. */
const NONE = new NumberTable(1)

/** The complete state of {@link RecentNumbers}: both generations, each in ascending order. */
export interface RecentNumbersState {
  readonly newer: readonly number[]
  readonly older: readonly number[]
}

const tableOf = (values: readonly number[]): NumberTable => {
  if (values.length === 0) return NONE
  const table = new NumberTable()
  for (const value of values) if (!table.has(value)) table.add(value)
  return table
}

/** Remembers at least the newest `countMax` hashes and at most twice as many: two generations, the older one goes when the newer one is full. */
export class RecentNumbers {
  readonly #countMax: number
  #newer: NumberTable
  #older: NumberTable

  constructor(countMax: number, { newer, older }: RecentNumbersState = { newer: [], older: [] }) {
    this.#countMax = countMax
    this.#newer = tableOf(newer)
    this.#older = tableOf(older)
  }

  has(value: number): boolean {
    return this.#newer.has(value) || this.#older.has(value)
  }

  /** Remembers a number; answers whether it was not known. */
  add(value: number): boolean {
    if (this.has(value)) return false
    if (this.#newer === NONE) this.#newer = new NumberTable()
    if (this.#newer.size >= this.#countMax) this.#beginAnew()
    this.#newer.add(value)
    return true
  }

  /** In the room of those that go: memory that nobody has used yet is found page by page while somebody waits for an answer. */
  #beginAnew(): void {
    const gone = this.#older
    this.#older = this.#newer
    if (gone.slotCount === this.#older.slotCount) {
      gone.clear()
      this.#newer = gone
    } else this.#newer = new NumberTable(this.#older.slotCount)
  }

  /** What a snapshot keeps. */
  state(): RecentNumbersState {
    return { newer: this.#newer.values(), older: this.#older.values() }
  }
}
