import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { CHANGE_VALUE_LENGTH_MAX, CHANGED_FIELDS_MAX } from '../limits.ts'
import { differencesOf } from './differences.ts'

describe('differences of two states', () => {
  test.each([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ field: 's.b', before: 2, after: 3 }]],
    ['a member that came', {}, { a: { b: 1 } }, [{ field: 's.a', before: null, after: { b: 1 } }]],
    ['a member that went', { a: 'x' }, {}, [{ field: 's.a', before: 'x', after: null }]],
    ['a member inside', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ field: 's.a.c', before: 2, after: 3 }]],
    ['a list of texts', { a: ['x'] }, { a: ['y', 'x'] }, [{ field: 's.a', before: ['x'], after: ['y', 'x'] }]],
    [
      'a list of objects',
      { a: [{ id: 1, n: 1 }, { id: 2 }] },
      { a: [{ id: 1, n: 2 }, { id: 2 }] },
      [{ field: 's.a', before: [{ id: 1, n: 1 }], after: [{ id: 1, n: 2 }] }],
    ],
    ['a first object of a list', { a: [] }, { a: [{ id: 1 }] }, [{ field: 's.a', before: [], after: [{ id: 1 }] }]],
    [
      'the order of a list of objects',
      { a: [{ id: 1 }, { id: 2 }] },
      { a: [{ id: 2 }, { id: 1 }] },
      [{ field: 's.a', before: [{ id: 1 }, { id: 2 }], after: [{ id: 2 }, { id: 1 }] }],
    ],
    [
      'an object that a list has once more',
      { a: [{ id: 1 }] },
      { a: [{ id: 1 }, { id: 1 }] },
      [{ field: 's.a', before: [{ id: 1 }], after: [{ id: 1 }, { id: 1 }] }],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(differencesOf('s', before, after)).toEqual(expected)
  })

  test('of a list of objects only those that are other objects now are serialised: a thousand were, four times, for each change of one', () => {
    let serialisedCount = 0
    const element = (id: number) => ({
      id,
      toJSON: () => {
        serialisedCount += 1
        return { id }
      },
    })
    const [first, second, third, changed] = [element(1), element(2), element(3), { id: 4 }]
    expect(differencesOf('s', { a: [first, second, third] }, { a: [first, second, third, changed] })).toEqual([
      { field: 's.a', before: [], after: [changed] },
    ])
    expect(differencesOf('s', { a: [first, { id: 2 }, third] }, { a: [first, changed, third] })).toEqual([
      { field: 's.a', before: [{ id: 2 }], after: [changed] },
    ])
    expect(differencesOf('s', { a: [first, second, third] }, { a: [first, second, third] })).toEqual([])
    expect(serialisedCount).toBe(0)
  })

  test.each(['passwordHash', 'keyHash', 'clientSecret', 'accessToken', 'ciphertext', 'customHeaders'])('%s is never told', (name) => {
    const told = JSON.stringify([
      differencesOf('s', { [name]: 'old-value' }, { [name]: 'new-value' }),
      differencesOf('s', {}, { list: [{ [name]: 'new-value' }] }),
      differencesOf('s', { inside: { [name]: 'old-value' } }, { inside: null }),
    ])
    expect(told).toContain('[hidden]')
    expect(told).not.toMatch(/old-value|new-value/)
  })

  test('a long value is cut off, and says so', () => {
    const [difference] = differencesOf('s', {}, { a: 'x'.repeat(CHANGE_VALUE_LENGTH_MAX + 1) })
    expect(difference?.after).toMatchObject({ cut_off: true, length: CHANGE_VALUE_LENGTH_MAX + 3 })
    expect(JSON.stringify(difference).length).toBeLessThan(CHANGE_VALUE_LENGTH_MAX + 200)
  })

  test('a long value was cut inside of a character, and half of it answered in JSON that strict readers refuse', () => {
    const [difference] = differencesOf('s', {}, { a: '😀'.repeat(CHANGE_VALUE_LENGTH_MAX) })
    expect(JSON.stringify(difference)).not.toMatch(/\\ud[89a-f]/)
  })

  test('a change of many members is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]))
    expect(differencesOf('s', {}, many)).toHaveLength(CHANGED_FIELDS_MAX)
  })

  test('it tells exactly the members that are not the same', () => {
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>(1, 'x', [1], { d: 1 }, { d: 2 }))
    fc.assert(
      fc.property(state, state, (before, after) => {
        const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        const different = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
        const told = differencesOf('s', before, after).map(({ field }) => field.split('.')[1])
        expect([...new Set(told)].sort()).toEqual(different.sort())
      }),
    )
  })
})
