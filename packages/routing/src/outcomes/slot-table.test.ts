import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { SlotTable } from './slot-table.ts'

const SLOT_COUNT = 64

/** Keys of few hashes, as somebody would choose them. */
const toggles = fc.array(fc.nat(SLOT_COUNT - 1), { maxLength: 300, size: 'max' })

describe('a table of slots', () => {
  test.each([1, 2, 1_000])('finds each key that was added and not cleared, with %p hashes', (hashCount) => {
    fc.assert(
      fc.property(toggles, (all) => {
        const table = new SlotTable(SLOT_COUNT)
        const expected = new Map<string, number>()
        for (const slot of all) {
          const key = `key ${slot}`
          if (expected.delete(key)) table.clear(slot)
          else {
            table.add(slot % hashCount, key, slot)
            expected.set(key, slot)
          }
        }
        for (let slot = 0; slot < SLOT_COUNT; slot++) {
          const key = `key ${slot}`
          expect(table.find(slot % hashCount, key)).toBe(expected.get(key) ?? -1)
          expect(table.keyAt(slot)).toBe(expected.has(key) ? key : undefined)
        }
      }),
    )
  })

  test('keys that were chosen to meet are all found, and those of other hashes too', () => {
    const table = new SlotTable(4_096)
    for (let slot = 0; slot < 4_000; slot++) table.add(slot % 2 === 0 ? 7 : slot, `key ${slot}`, slot)
    const found = Array.from({ length: 4_000 }, (_, slot) => table.find(slot % 2 === 0 ? 7 : slot, `key ${slot}`))
    expect(found).toEqual(Array.from({ length: 4_000 }, (_, slot) => slot))
  })
})
