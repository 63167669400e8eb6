import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AgingLimits, AgingMap } from './aging-map.ts'
import type { Dated } from './cells.ts'

interface Entry extends Dated {
  readonly name: string
}

/** The same with a JavaScript map, by the words of {@link AgingMap}. */
class ReferenceMap {
  readonly entries: Map<string, Entry> = new Map()
  readonly #limits: AgingLimits

  constructor(limits: AgingLimits) {
    this.#limits = limits
  }

  add(key: string, value: Entry): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    for (let count = 0; count < 2; count++) {
      const [oldest] = this.entries
      if (oldest === undefined || this.entries.size === 1) return
      if (this.entries.size <= this.#limits.countMax && value.at - oldest[1].at <= this.#limits.ageMsMax) return
      this.entries.delete(oldest[0])
    }
  }
}

type Step = readonly ['add' | 'delete' | 'replace', key: number, at: number]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: fc.constant('add' as const) }, fc.constantFrom('delete' as const, 'replace' as const)),
  fc.nat(60),
  fc.nat(50),
)
const steps = fc.array(step, { maxLength: 400, size: 'max' })
const limitsOf = (countMax: number): AgingLimits => ({ countMax, ageMsMax: 300 })

/** Does all steps with both; `now` grows by the last number of each. */
const run = (all: readonly Step[], countMax: number): { readonly map: AgingMap<Entry>; readonly reference: ReferenceMap } => {
  const map = new AgingMap<Entry>(limitsOf(countMax))
  const reference = new ReferenceMap(limitsOf(countMax))
  let now = 0
  for (const [index, [kind, number, passed]] of all.entries()) {
    now += passed
    const [key, value] = [`p_${number}`, { at: now, name: `${kind} ${index}` }]
    if (kind === 'add') {
      map.add(key, value)
      reference.add(key, value)
    } else if (kind === 'delete') {
      map.delete(key)
      reference.entries.delete(key)
    } else {
      map.replace(key, value)
      if (reference.entries.has(key)) reference.entries.set(key, value)
    }
    expect(map.size).toBe(reference.entries.size)
  }
  return { map, reference }
}

describe('a map that forgets its oldest entries', () => {
  test('has what a JavaScript map has, in the same order', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 50 }), (all, countMax) => {
        const { map, reference } = run(all, countMax)
        expect([...map.entries()]).toEqual([...reference.entries])
        for (let number = 0; number <= 60; number++) expect(map.get(`p_${number}`)).toEqual(reference.entries.get(`p_${number}`))
      }),
    )
  })

  test('put back at any point, goes on as before', () => {
    fc.assert(
      fc.property(steps, steps, (past, future) => {
        const { map } = run(past, 20)
        const copy = new AgingMap<Entry>(limitsOf(20))
        for (const [key, value] of map.entries()) copy.restore(key, value)
        for (const [index, [, number]] of future.entries()) {
          const value = { at: 20_000 + index, name: String(index) }
          map.add(`p_${number}`, value)
          copy.add(`p_${number}`, value)
          expect([...copy.entries()]).toEqual([...map.entries()])
        }
      }),
    )
  })

  test('keeps the newest of many, and each is found', () => {
    const map = new AgingMap<Entry>({ countMax: 10_000, ageMsMax: 1_000_000 })
    for (let n = 0; n < 50_000; n++) map.add(`payment_${n}`, { at: n, name: '' })
    expect(map.size).toBe(10_000)
    expect([39_999, 40_000, 45_000, 49_999].map((n) => map.get(`payment_${n}`)?.at)).toEqual([undefined, 40_000, 45_000, 49_999])
  })

  test('what is too old goes two by two as something is added, never the newest', () => {
    const map = new AgingMap<Entry>({ countMax: 100, ageMsMax: 10 })
    for (let n = 0; n < 5; n++) map.add(`old_${n}`, { at: 0, name: '' })
    const counts = [1, 2, 3].map((n) => {
      map.add(`new_${n}`, { at: 1_000 * n, name: '' })
      return map.size
    })
    expect(counts).toEqual([4, 3, 2])
    map.add('new_4', { at: 9_000, name: '' })
    expect([...map.entries()].map(([key]) => key)).toEqual(['new_4'])
  })

  test('removed from its middle again and again, it takes no more room than its entries need', () => {
    const map = new AgingMap<Entry>({ countMax: 1_000, ageMsMax: 1_000_000 })
    map.add('first', { at: 0, name: 'first' })
    for (let n = 0; n < 20_000; n++) {
      map.add(`p_${n}`, { at: n, name: '' })
      map.delete(`p_${n - 3}`)
    }
    expect([...map.entries()].map(([key]) => key)).toEqual(['first', 'p_19997', 'p_19998', 'p_19999'])
  })
})
