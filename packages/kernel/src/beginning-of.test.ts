import { test } from '@jest/globals'
import fc from 'fast-check'
import { beginningOf } from './beginning-of.ts'

test('the beginning of a text is what UTF-8 gives back of it', () => {
  const units = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), maxLength: 12 })
  fc.assert(fc.property(units, fc.nat(14), (text, length) => beginningOf(text, length) === Buffer.from(text.slice(0, length)).toString()))
})
