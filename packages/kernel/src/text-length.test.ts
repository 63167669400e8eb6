import { expect, test } from '@jest/globals'
import { isUpTo } from './text-length.ts'

test.each([
  ['', 0, true],
  ['abc', 3, true],
  ['abcd', 3, false],
  ['😀😀😀', 3, true],
  ['😀😀😀😀', 3, false],
  ['😀😀é', 3, true],
  ['a'.repeat(6), 3, false],
])('%j of %i characters at most: %j', (text, lengthMax, expected) => expect(isUpTo(text, lengthMax)).toBe(expected))
