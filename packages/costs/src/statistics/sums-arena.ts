import type { Sums } from './sums.ts'

const BLOCK_SLOT_COUNT = 4_096

/** Sums of one bucket. */
const FIELD_COUNT = 11

/** Many sums that grow, in plain memory: a report may have hundreds of thousands of them at a time. */
export class SumsArena {
  readonly #blocks: Float64Array[] = []
  /** What one payment adds. */
  readonly #parts: Float64Array = new Float64Array(FIELD_COUNT)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Place of new sums, all zero. */
  open(): number {
    const slot = this.#count
    if (slot % BLOCK_SLOT_COUNT === 0) this.#blocks.push(new Float64Array(BLOCK_SLOT_COUNT * FIELD_COUNT))
    this.#count += 1
    return slot
  }

  /** `gross` above zero. */
  addPayment(slot: number, gross: number, fee: number): void {
    const block = this.#blocks[Math.floor(slot / BLOCK_SLOT_COUNT)]
    if (block === undefined) return
    const u = 1 / gross
    const parts = this.#parts
    parts[0] = 1
    parts[1] = gross
    parts[2] = fee
    parts[3] = gross * gross
    parts[4] = gross * fee
    parts[5] = fee * fee
    parts[6] = u
    parts[7] = u * u
    parts[8] = u * fee
    parts[9] = u * u * fee
    parts[10] = u * u * fee * fee
    const from = (slot % BLOCK_SLOT_COUNT) * FIELD_COUNT
    for (let place = 0; place < FIELD_COUNT; place++) block[from + place] = (block[from + place] ?? 0) + (parts[place] ?? 0)
  }

  at(slot: number): Sums {
    const block = this.#blocks[Math.floor(slot / BLOCK_SLOT_COUNT)]
    const from = (slot % BLOCK_SLOT_COUNT) * FIELD_COUNT
    const part = (place: number): number => block?.[from + place] ?? 0
    return {
      n: part(0),
      sx: part(1),
      sy: part(2),
      sxx: part(3),
      sxy: part(4),
      syy: part(5),
      su: part(6),
      suu: part(7),
      suy: part(8),
      suuy: part(9),
      syyuu: part(10),
    }
  }

  clear(): void {
    this.#blocks.length = 0
    this.#count = 0
  }
}
