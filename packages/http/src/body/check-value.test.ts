import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { checkValue } from './check-value.ts'
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
})
