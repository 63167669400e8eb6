import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { remembering } from './remembered.ts'

test('property: what is remembered is what would be worked out', () => {
  const text = fc.oneof(fc.constantFrom('', 'a', 'aa', '2026-01-12', '2026-01-21', '2026-02-12'), fc.string({ maxLength: 600 }))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 100 }), (texts) => {
      const known = remembering((asked) => ({ asked }))
      for (const asked of [...texts, ...texts]) expect(known(asked)).toEqual({ asked })
    }),
  )
})

test('a text is worked out once while it is remembered', () => {
  let count = 0
  const twice = remembering((asked) => {
    count += 1
    return asked + asked
  })
  for (let turn = 0; turn < 3; turn++) for (const asked of ['a', 'b', 'c']) expect(twice(asked)).toBe(asked + asked)
  expect(count).toBe(3)
})
