import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { CommonStates } from './common-states.ts'

/** Plain data with few names and values, so that two of them often say the same. */
const state = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, -0, '', 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0', 'length'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value

describe('states that say the same', () => {
  test('are one object, and only those', () => {
    fc.assert(
      fc.property(state, state, (first, second) => {
        const common = new CommonStates()
        expect(common.of(0, first)).toBe(first)
        expect(common.of(0, second)).toBe(isDeepStrictEqual(first, second) ? first : second)
      }),
      { numRuns: 1_000 },
    )
  })

  test('whatever keys without a state come between them', () => {
    const common = new CommonStates()
    const settings = common.of(0, { registered: true, settings: null })
    expect(common.of(0, undefined)).toBeUndefined()
    expect(common.of(0, { settings: null, registered: true })).toBe(settings)
  })

  test('of one slice only', () => {
    const common = new CommonStates()
    const [first, second] = [{ registered: true }, { registered: true }]
    common.of(0, first)
    expect(common.of(1, second)).toBe(second)
  })
})
