import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createKeySpace } from './key-space.ts'

const KEYS = ['m_1', 'm_2', 'm_3', '', '__proto__', 'length', '0', '-1']
const COLUMN_COUNTS = [1, 3, 1]

const step = fc.record({
  table: fc.nat(COLUMN_COUNTS.length - 1),
  column: fc.nat(2),
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.nat()),
  expected: fc.constantFrom(...KEYS),
})

describe('a key space', () => {
  test('gives each of its tables what maps of their own would give, whatever the others hold and whichever key is expected', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const space = createKeySpace()
        const tables = COLUMN_COUNTS.map((columnCount) => space.table<number>(columnCount))
        const maps = COLUMN_COUNTS.map((columnCount) => Array.from({ length: columnCount }, () => new Map<string, number>()))
        for (const { table, column, key, value, expected } of steps) {
          const place = space.placeOf(expected)
          if (place !== undefined) space.expect(expected, place)
          const [columns, asked] = [maps[table] ?? [], column % (COLUMN_COUNTS[table] ?? 1)]
          if (value === null) expect(tables[table]?.get(key, asked)).toBe(columns[asked]?.get(key))
          else {
            tables[table]?.set(key, value, asked)
            columns[asked]?.set(key, value)
          }
        }
        for (const [number, columns] of maps.entries()) {
          expect(new Set(tables[number]?.keys())).toEqual(new Set(columns[0]?.keys()))
          for (const key of KEYS)
            expect(columns.map((_, column) => tables[number]?.get(key, column))).toEqual(columns.map((map) => map.get(key)))
        }
      }),
    )
  })

  test('keys that were only asked for are not kept', () => {
    const space = createKeySpace()
    const table = space.table<string>()
    expect(table.get('asked')).toBeUndefined()
    expect([...table.keys()]).toEqual([])
    table.set('asked', 'set behind it')
    expect(table.get('asked')).toBe('set behind it')
  })

  test('a key stands at its place for good, and nowhere before anything stands under it', () => {
    const space = createKeySpace()
    const table = space.table<string>()
    expect(space.placeOf('m_1')).toBeUndefined()
    table.set('m_1', 'first')
    const place = space.placeOf('m_1')
    table.set('m_2', 'second')
    table.set('m_1', 'third')
    expect(space.placeOf('m_1')).toBe(place)
    expect(space.placeOf('m_2')).not.toBe(place)
  })

  test('a table that is made later holds nothing under the keys of the others', () => {
    const space = createKeySpace()
    space.table<string>().set('m_1', 'of the first')
    const later = space.table<string>()
    expect(later.get('m_1')).toBeUndefined()
    expect([...later.keys()]).toEqual([])
  })
})
