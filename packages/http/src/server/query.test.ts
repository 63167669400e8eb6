import { expect, test } from '@jest/globals'
import { wholeNumberOf } from './query.ts'

test('a limit of attempts that was left blank was no whole number', () => {
  const query = new URLSearchParams('limit=&offset=5&other=x')
  expect(['limit', 'absent', 'offset', 'other'].map((name) => wholeNumberOf(query, name, 7))).toEqual([7, 7, 5, undefined])
})
