import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ClockHand } from './clock-hand.ts'

interface Entry {
  usedAt: number
}

const usedAt = (entry: Entry): number => entry.usedAt
const NAMES = Array.from({ length: 40 }, (_, index) => `k_${index}`)

/** A map of so many entries at most, each of which is used when it is named. */
class Uses {
  readonly entries: Map<string, Entry>
  readonly hand: ClockHand<Entry>
  readonly #countMax: number

  constructor(countMax: number, entries: Iterable<[string, Entry]> = [], passedCount = 0) {
    this.#countMax = countMax
    this.entries = new Map([...entries].map(([name, entry]) => [name, { ...entry }]))
    this.hand = new ClockHand(this.entries, usedAt, passedCount)
  }

  use(name: string, at: number): void {
    const known = this.entries.get(name)
    if (known !== undefined) known.usedAt = at
    else {
      if (this.entries.size >= this.#countMax) this.hand.forget()
      this.entries.set(name, { usedAt: at })
    }
  }

  restored(): Uses {
    return new Uses(this.#countMax, this.entries, this.hand.passedCount)
  }
}

describe('what a full map forgets', () => {
  test('is the same after a restart at any point, and never more than is needed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.constantFrom(...NAMES), { maxLength: 200 }), (countMax, names) => {
        const live = new Uses(countMax)
        let again = live.restored()
        for (const [at, name] of names.entries()) {
          live.use(name, at)
          again.use(name, at)
          expect([...again.entries]).toEqual([...live.entries])
          expect(live.entries.size).toBe(Math.min(countMax, new Set(names.slice(0, at + 1)).size))
          again = again.restored()
        }
      }),
    )
  })

  test('is what was used longest ago while all of it is looked at', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.constantFrom(...NAMES), { maxLength: 100 }), (countMax, names) => {
        const live = new Uses(countMax)
        for (const [at, name] of names.entries()) live.use(name, at)
        const newestFirst = [...new Set(names.toReversed())]
        expect(new Set(live.entries.keys())).toEqual(new Set(newestFirst.slice(0, countMax)))
      }),
    )
  })

  test('is nothing of a few that are used all the time, however many come once', () => {
    const often = NAMES.slice(0, 5)
    const live = new Uses(100)
    for (let at = 0; at < 10_000; at += 1) live.use(at % 4 === 0 ? (often[(at / 4) % 5] ?? '') : `once_${at}`, at)
    expect(often.filter((name) => live.entries.has(name))).toEqual(often)
  })

  test('every entry has its turn', () => {
    const live = new Uses(100)
    for (let at = 0; at < 100; at += 1) live.use(`old_${at}`, at)
    for (let at = 100; at < 1_000; at += 1) live.use(`new_${at}`, at)
    expect([...live.entries.keys()].filter((name) => name.startsWith('old_'))).toEqual([])
  })

  test('is nothing where there is nothing', () => {
    expect(new Uses(3).hand.forget()).toBeUndefined()
  })
})
