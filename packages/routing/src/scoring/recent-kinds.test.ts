import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RecentKinds } from './recent-kinds.ts'

describe('what is kept of recent kinds', () => {
  test('is what finding it anew gives, in whatever order kinds come', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.nat(12) }), { maxLength: 200 }), (kinds) => {
        const found = (kind: { readonly name: number }) => ({ kind, text: `found of ${kind.name}` })
        const recent = new RecentKinds((a: { readonly name: number }, b) => a.name === b.name, found)
        for (const kind of kinds) expect(recent.of(kind)).toEqual(found(kind))
      }),
    )
  })

  test('a kind that comes again is not looked for again', () => {
    let count = 0
    const recent = new RecentKinds(
      (a: string, b) => a === b,
      (kind) => ({ kind, count: (count += 1) }),
    )
    for (const kind of ['a', 'b', 'a', 'a', 'b']) recent.of(kind)
    expect(count).toBe(2)
  })
})
