import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { checkValue } from './check-value.ts'
import { withFewMembers } from './few-members.ts'
import { parseBody } from './parse-body.ts'

const schema = z.object({ id: z.string().min(1).max(64), list: z.array(z.string()).max(3).nullish() })

describe('a value that somebody sent', () => {
  test.each([
    ['an object that is no text in any way', { length: { toString: 0 } }],
    ['a list of such objects', { length: [{ toString: 0 }] }],
    ['lists that nest deeper than a text of them could be made', { length: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) }],
    ['an object with a length that is none', { length: {} }],
  ])('with %s as the length of a text is refused by the name of its member', (_name, id) => {
    expect(parseBody(schema, { id })).toMatchObject({
      ok: false,
      reply: { status: 422, body: { message: expect.stringContaining(': id: ') } },
    })
  })

  test('with such a length of a list, too, however deep', () => {
    const outer = z.object({ of: z.array(schema) })
    const found = checkValue(outer, { of: [{ id: 'a' }, { id: 'b', list: { length: { valueOf: {}, toString: null } } }] })
    expect(found.error?.issues[0]?.path).toEqual(['of', 1, 'list'])
  })

  test('stays as it was where any value may stand', () => {
    const either = z.object({ note: z.union([z.string().max(3), z.record(z.string(), z.unknown())]) })
    const sent = { note: { length: { toString: 0 }, more: 1 } }
    expect(JSON.stringify(checkValue(either, sent).data)).toBe(JSON.stringify(sent))
  })

  test('that throws for another reason still throws', () => {
    const broken = z.string().refine(() => {
      throw new RangeError('a bug')
    })
    expect(() => checkValue(broken, 'a')).toThrow('a bug')
  })

  test.each([
    ['wrong elements', (index: number) => ({ id: index })],
    ['elements that lack everything', () => ({})],
    ['elements too long', () => ({ id: 'x'.repeat(65) })],
  ])('that is a long list of %s is told by the first of them alone', (_name, elementOf) => {
    const read = schema.transform(({ id }) => id)
    const found = checkValue(z.object({ of: z.array(read) }), { of: Array.from({ length: 300_000 }, (_, index) => elementOf(index)) })
    expect(found.error?.issues).toMatchObject([{ path: ['of', 0, 'id'] }])
  })

  test('that holds lists of wrong lists is refused and not given up', () => {
    const nested = z.object({ of: z.array(z.object({ lists: z.array(schema) })) })
    const found = checkValue(nested, { of: [{ lists: Array.from({ length: 300_000 }, () => ({})) }] })
    expect(found.error?.issues).toMatchObject([{ path: ['of', 0, 'lists', 0, 'id'] }])
  })

  test('with more members than are looked at is refused before any of them is', () => {
    let readCount = 0
    const members = withFewMembers(
      z.record(
        z.string(),
        z.number().refine(() => (readCount += 1) > 0),
      ),
      2,
    )
    expect(checkValue(members, { a: 1, b: 2 }).data).toEqual({ a: 1, b: 2 })
    expect(checkValue(members, { a: 1, b: 2, c: 3 }).error?.issues).toMatchObject([{ message: 'expected at most 2 members', path: [] }])
    expect(readCount).toBe(2)
    expect(checkValue(members.nullish(), null).success).toBe(true)
  })
})
