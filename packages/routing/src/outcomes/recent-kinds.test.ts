import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RecentKinds } from './recent-kinds.ts'

describe('what is kept of recent kinds', () => {
  test('is what making it anew gives, in whatever order kinds come', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.nat(12) }), { maxLength: 200 }), (kinds) => {
        const made = (kind: { readonly name: number }): string => `made of ${kind.name}`
        const recent = new RecentKinds<{ readonly name: number }, string>((a, b) => a.name === b.name, made)
        for (const kind of kinds) expect(recent.of(kind)).toBe(made(kind))
      }),
    )
  })

  test('a kind that comes again is not made again', () => {
    let count = 0
    const recent = new RecentKinds<string, number>(
      (a, b) => a === b,
      () => (count += 1),
    )
    for (const kind of ['a', 'b', 'a', 'a', 'b']) recent.of(kind)
    expect(count).toBe(2)
  })
})
