import { hash32 } from '@switchyard/kernel'
import { type Cells, type CellsKind, type Dated, ObjectCells } from './cells.ts'
import { SlotTable } from './slot-table.ts'

/** Bounds of an {@link AgingMap}. */
export interface AgingLimits {
  readonly countMax: number
  /** Age beyond which an entry is forgotten, milliseconds. */
  readonly ageMsMax: number
  /** Characters of what is long in the values (`Cells.length`); absent: nothing can be. */
  readonly lengthMax?: number
}

/** Slots of a map with its first entry, and the fewest that one shrinks to; a power of two. */
const FIRST_SLOT_COUNT = 4

/** A map with more slots for each entry gives memory back. */
const SLOTS_PER_ENTRY_MAX = 8

/**
 * Entries that one addition forgets at most because of their number or age: none holds up what comes behind it, and what is too old becomes
 * less all the same. What takes too much goes at once.
 */
const FORGOTTEN_PER_ADDITION_MAX = 2

/** Of all maps that are empty, as most are: never written to. */
const NO_SLOTS = new SlotTable(0)
const NO_CELLS = new ObjectCells<never>(0)

let hashedKey = ''
let lastHash = hash32(hashedKey)
/** Of the key that was hashed last it is at hand: who looks for a payment in vain adds it next. */
const hashOf = (key: string): number => {
  if (key === hashedKey) return lastHash
  hashedKey = key
  lastHash = hash32(key)
  return lastHash
}

/**
 * A map in insertion order that forgets its oldest entries when it is full or they are too old, as they are added to it.
 * What it forgets depends on the calls alone, never on a clock. A ring of slots instead of a JavaScript map, which gets slow when
 * its first entry is removed again and again, stands still for up to 50 ms when it makes itself anew, and looks into more
 * memory for each key.
 */
export class AgingMap<Value extends Dated> {
  readonly #countMax: number
  readonly #ageMsMax: number
  readonly #lengthMax: number
  readonly #cellsKind: CellsKind<Value> | undefined
  #slots = NO_SLOTS
  #cells: Cells<Value> = NO_CELLS
  /** The slot of the oldest entry, and how many there are from it to the newest one's: gaps among them, but none at its beginning. */
  #head = 0
  #span = 0
  #size = 0

  /** An object for each value, where nothing else is said. */
  constructor({ countMax, ageMsMax, lengthMax = 0 }: AgingLimits, cellsKind?: CellsKind<Value>) {
    this.#countMax = countMax
    this.#ageMsMax = ageMsMax
    this.#lengthMax = lengthMax
    this.#cellsKind = cellsKind
  }

  get size(): number {
    return this.#size
  }

  get(key: string): Value | undefined {
    if (this.#size === 0) return undefined
    const slot = this.#slots.find(hashOf(key), key)
    return slot < 0 ? undefined : this.#cells.get(slot)
  }

  /** Oldest first. */
  *entries(): Generator<[string, Value]> {
    for (let place = 0; place < this.#span; place++) {
      const slot = this.#slotAt(place)
      const key = this.#slots.keyAt(slot)
      if (key !== undefined) yield [key, this.#cells.get(slot)]
    }
  }

  delete(key: string): void {
    if (this.#size === 0) return
    const slot = this.#slots.find(hashOf(key), key)
    if (slot >= 0) this.#clear(slot)
  }

  /** Adds the newest entry; an entry of the same key gives up its place. */
  add(key: string, value: Value): void {
    this.delete(key)
    this.addNew(key, value)
  }

  /** As {@link add}, of a key without an entry. */
  addNew(key: string, value: Value): void {
    this.#push(hashOf(key), key, value)
    for (let count = 0; count < FORGOTTEN_PER_ADDITION_MAX && this.#isOldestOver(value.at); count++) this.#clear(this.#head)
    while (this.#size > 1 && this.#cells.length > this.#lengthMax) this.#clear(this.#head)
  }

  /** Another value for an entry, in its place. */
  replace(key: string, value: Value): void {
    if (this.#size === 0) return
    const slot = this.#slots.find(hashOf(key), key)
    if (slot >= 0) this.#cells.set(slot, value)
  }

  /** Adds an entry of a snapshot, without forgetting anything. */
  restore(key: string, value: Value): void {
    this.delete(key)
    this.#push(hashOf(key), key, value)
  }

  #slotAt(place: number): number {
    return (this.#head + place) & (this.#slots.slotCount - 1)
  }

  #push(hash: number, key: string, value: Value): void {
    const { slotCount } = this.#slots
    if (this.#span === slotCount) this.#renew(this.#size * 2 > slotCount ? slotCount * 2 : slotCount)
    const slot = this.#slotAt(this.#span)
    this.#slots.add(hash, key, slot)
    this.#cells.set(slot, value)
    this.#span += 1
    this.#size += 1
  }

  /** Whether there are too many entries, or the oldest one is too old; the newest stays. */
  #isOldestOver(now: number): boolean {
    return this.#size > 1 && (this.#size > this.#countMax || now - this.#cells.atOf(this.#head) > this.#ageMsMax)
  }

  #clear(slot: number): void {
    this.#slots.clear(slot)
    this.#cells.clear(slot)
    this.#size -= 1
    while (this.#span > 0 && this.#slots.keyAt(this.#head) === undefined) {
      this.#head = this.#slotAt(1)
      this.#span -= 1
    }
    const { slotCount } = this.#slots
    if (slotCount > FIRST_SLOT_COUNT && this.#size * SLOTS_PER_ENTRY_MAX < slotCount) this.#renew(slotCount / 2)
  }

  /** The same entries without gaps in so many slots. */
  #renew(wantedCount: number): void {
    const [slots, cells, head, span] = [this.#slots, this.#cells, this.#head, this.#span]
    const slotCount = Math.max(wantedCount, FIRST_SLOT_COUNT)
    this.#slots = new SlotTable(slotCount, this.#cellsKind?.numberCount)
    this.#cells = this.#cellsKind?.create(this.#slots) ?? new ObjectCells(slotCount)
    this.#head = 0
    this.#span = 0
    this.#size = 0
    for (let place = 0; place < span; place++) {
      const slot = (head + place) & (slots.slotCount - 1)
      const key = slots.keyAt(slot)
      if (key !== undefined) this.#push(slots.hashAt(slot), key, cells.get(slot))
    }
  }
}
