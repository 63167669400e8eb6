import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RecentLists } from './recent-lists.ts'

const names = fc.oneof(fc.constantFrom('gate_a', 'gate_b', 'gate_c', ''), fc.string({ maxLength: 20 }))

test('every list is given with the same texts in the same order, whatever came before it; equal ones are one', () => {
  const lists = new RecentLists()
  fc.assert(
    fc.property(fc.array(fc.array(names, { maxLength: 4 })), (all) => {
      for (const list of all) {
        const kept = lists.of(list)
        expect(kept).toEqual(list)
        expect(lists.of([...list])).toBe(kept)
      }
    }),
  )
})
