import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Interned } from './interned.ts'

describe('interned values', () => {
  test('each text gives its own value, however few are kept', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(9).map(String), { maxLength: 100 }), (countMax, texts) => {
        const interned = new Interned<{ readonly text: string }>(countMax)
        for (const text of texts) expect(interned.of(text, () => ({ text })).text).toBe(text)
      }),
    )
  })

  test('a value is made once while there is room; others make room only when there were many of them', () => {
    const interned = new Interned<object>(2)
    const find = (text: string): object => interned.of(text, () => ({}))
    const [first, second] = [find('a'), find('b')]
    expect([find('a') === first, find('b') === second, find('c') === find('c')]).toEqual([true, true, false])
    for (let count = 0; count < 6; count++) find('c')
    expect([find('a') === first, find('c') === find('c'), find('a') === first]).toEqual([true, true, false])
  })
})
