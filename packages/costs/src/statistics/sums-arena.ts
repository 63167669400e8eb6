import type { Sums } from './sums.ts'

/** Sums of one bucket. */
const FIELD_COUNT = 11
const BLOCK_SLOT_COUNT = 4_096

/** Many sums that grow, in plain memory: a report may have hundreds of thousands of them at a time. */
export class SumsArena {
  readonly #blocks: Float64Array[] = []
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
    const at = (slot % BLOCK_SLOT_COUNT) * FIELD_COUNT
    const add = (place: number, part: number): void => {
      block[at + place] = (block[at + place] ?? 0) + part
    }
    add(0, 1)
    add(1, gross)
    add(2, fee)
    add(3, gross * gross)
    add(4, gross * fee)
    add(5, fee * fee)
    add(6, u)
    add(7, u * u)
    add(8, u * fee)
    add(9, u * u * fee)
    add(10, u * u * fee * fee)
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
