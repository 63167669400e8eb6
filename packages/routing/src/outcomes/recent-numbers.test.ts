import { describe, expect, test } from '@jest/globals'
import { hash53 } from '@switchyard/kernel'
import fc from 'fast-check'
import { RecentNumbers } from './recent-numbers.ts'

/** The same with sets. */
class ReferenceNumbers {
  #newer = new Set<number>()
  #older = new Set<number>()

  add(value: number, countMax: number): boolean {
    if (this.#newer.has(value) || this.#older.has(value)) return false
    if (this.#newer.size >= countMax) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(value)
    return true
  }
}

const numbers = fc.array(fc.oneof(fc.nat(60), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER)), { maxLength: 300, size: 'max' })

describe('recent numbers', () => {
  test('are known as two generations of sets know them', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 100 }), (values, countMax) => {
        const recent = new RecentNumbers(countMax)
        const reference = new ReferenceNumbers()
        expect(values.map((value) => recent.add(value))).toEqual(values.map((value) => reference.add(value, countMax)))
      }),
    )
  })

  test('restored at any point, nothing differs from then on', () => {
    fc.assert(
      fc.property(numbers, fc.nat(300), (values, cut) => {
        const live = new RecentNumbers(20)
        for (const value of values.slice(0, cut)) live.add(value)
        const copy = new RecentNumbers(20, live.state())
        expect(copy.state()).toEqual(live.state())
        const rest = values.slice(cut)
        expect(rest.map((value) => copy.add(value))).toEqual(rest.map((value) => live.add(value)))
        expect(copy.state()).toEqual(live.state())
      }),
    )
  })

  test('many hashes all stand', () => {
    const recent = new RecentNumbers(10_000)
    const hashes = Array.from({ length: 10_000 }, (_, n) => hash53(`p_${n}`))
    expect(hashes.every((hash) => recent.add(hash))).toBe(true)
    expect(hashes.some((hash) => recent.add(hash))).toBe(false)
  })
})
