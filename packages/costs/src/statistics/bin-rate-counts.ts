import type { Day } from '../reports/day.ts'
import { detached } from '../reports/detached.ts'
import { TupleBuilder } from '../tuple-index.ts'
import { PRODUCT_BIN_DIGITS } from './bin-rates.ts'
import type { BinRateCount } from './contribution.ts'

const CAPACITY_MIN = 64
const GROWTH = 2

const ZERO = 0x30

/** Its first digits as a number, by hand: this is asked for every row of a file. */
const numberOf = (bin: string): number => {
  let number = 0
  for (let digit = 0; digit < PRODUCT_BIN_DIGITS; digit++) number = number * 10 + bin.charCodeAt(digit) - ZERO
  return number
}

/** How often cards of a BIN had a rate on a day, counted in plain memory. */
export class BinRateCounts {
  #keys: TupleBuilder = new TupleBuilder(3)
  #counts: Float64Array = new Float64Array(CAPACITY_MIN)
  readonly #rateIds: Map<string, number> = new Map()
  readonly #rates: string[] = []
  readonly #key: number[] = [0, 0, 0]

  get count(): number {
    return this.#keys.count
  }

  /** `bin` has at least {@link PRODUCT_BIN_DIGITS} digits. */
  add(bin: string, day: Day, rate: string): void {
    this.#key[0] = numberOf(bin)
    this.#key[1] = day
    this.#key[2] = this.#idOf(rate)
    const place = this.#keys.add(this.#key)
    if (place === this.#counts.length) this.#grow()
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  *all(): Generator<BinRateCount> {
    for (let place = 0; place < this.#keys.count; place++) {
      const bin = String(this.#keys.partOf(place, 0)).padStart(PRODUCT_BIN_DIGITS, '0')
      const rate = this.#rates[this.#keys.partOf(place, 2)] ?? ''
      yield { bin, day: this.#keys.partOf(place, 1), rate, count: this.#counts[place] ?? 0 }
    }
  }

  clear(): void {
    this.#keys = new TupleBuilder(3)
    this.#counts = new Float64Array(CAPACITY_MIN)
    this.#rateIds.clear()
    this.#rates.length = 0
  }

  #idOf(rate: string): number {
    const known = this.#rateIds.get(rate)
    if (known !== undefined) return known
    const text = detached(rate)
    const id = this.#rates.push(text) - 1
    this.#rateIds.set(text, id)
    return id
  }

  #grow(): void {
    const counts = new Float64Array(GROWTH * this.#counts.length)
    counts.set(this.#counts)
    this.#counts = counts
  }
}
