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

  test('a value is made once while there is room, and anew once the room was needed', () => {
    const interned = new Interned<object>(2)
    const [first, second] = [interned.of('a', () => ({})), interned.of('b', () => ({}))]
    expect([interned.of('a', () => ({})), interned.of('b', () => ({}))]).toEqual([first, second])
    expect(interned.of('a', () => ({}))).toBe(first)
    interned.of('c', () => ({}))
    expect(interned.of('a', () => ({}))).not.toBe(first)
  })
})
