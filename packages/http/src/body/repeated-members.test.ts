import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { repeatedMember } from './repeated-members.ts'

const repeatedIn = (text: string): string | undefined => repeatedMember(text, JSON.parse(text))

describe('members that are given twice', () => {
  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":{"b":1,"c":2,"b":3}}', 'b'],
    ['[{"a":1},{"x":":","b":1,"b":2}]', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"a":1},"a":2}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"0":1,"0":2}', '0'],
    ['{"":1,"":2}', ''],
    ['{"a" : 1, "a"\n: 2}', 'a'],
    ['{"a:b":":","a:b":"{"}', 'a:b'],
    ['{"\\"":1,"\\"":2}', '"'],
    [`{"x${'😀'.repeat(40)}":1,"x${'😀'.repeat(40)}":2}`, `x${'😀'.repeat(31)}\uFFFD`],
  ])('%s', (text, name) => {
    expect(repeatedIn(text)).toBe(name)
  })

  test.each(['{}', '[]', '1', '"a:b:c"', '{"a":{"a":{"a":1}}}', '[{"a":1},{"a":2}]', '{"a":"{\\"a\\":1,\\"a\\":2}"}', '{"a":"\\\\"}'])(
    'there is none in %s',
    (text) => {
      expect(repeatedIn(text)).toBeUndefined()
    },
  )

  test('no text that was printed from a value has one', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(repeatedIn(JSON.stringify(value))).toBeUndefined()))
  })

  test('wherever a member is repeated, it is found', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(members, fc.jsonValue(), fc.nat(), (object, other, pick) => {
        const entries = Object.entries(object)
        const [name] = entries[pick % entries.length] ?? ['']
        const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(other)}}`
        expect(repeatedIn(`[{"x":${text}}]`)).toBe(name.slice(0, 64))
      }),
    )
  })
})
