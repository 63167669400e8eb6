import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { maskedText } from './free-text.ts'

/** Every text looked at, however short it is. */
const maskedByReference = (text: string, lengthMax: number): string => text.replace(/\d(?:[ -]?\d){12,18}/g, '[digits]').slice(0, lengthMax)

describe('free text', () => {
  test('short texts are let through as the search would let them', () => {
    const digits = fc.string({ unit: fc.constantFrom('0', '7', ' ', '-', 'x'), maxLength: 24 })
    fc.assert(fc.property(digits, fc.nat(30), (text, lengthMax) => maskedText(text, lengthMax) === maskedByReference(text, lengthMax)))
  })

  test.each([
    ['4242424242424', '[digits]'],
    ['424242424242', '424242424242'],
    ['4242-4242 4242-4', '[digits]'],
    ['card 4242 4242 4242 4242', 'card [digits]'],
  ])('%s becomes %s', (text, masked) => expect(maskedText(text, 100)).toBe(masked))
})
