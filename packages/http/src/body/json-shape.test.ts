import { describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { shapeOf } from './json-shape.ts'
import { parseJson } from './parse-json.ts'

const name = fc.oneof(fc.constantFrom('id', 'constructor', '10', '-1', '$&', 'a.b', '(', '[0]', '{}', ','), fc.string({ maxLength: 6 }))
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.constantFrom('', '"', '\\', 'a\\b"c\nd', '{"a":[1,"\\""]}', 'thirteen char', 'é', '[', '}'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { maxLength: 4 }))
const { object } = fc.letrec((tie) => ({
  object: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, value, tie('object')), { maxKeys: 6 }),
}))
const blanks = fc.constantFrom(undefined, 1, '\t', '\r\n ')

/** The same members with other values of the same kind: scalars for scalars, lists for lists. */
const withOtherValues = (of: unknown, next: () => unknown): unknown => {
  if (Array.isArray(of)) return [next(), next()]
  if (typeof of !== 'object' || of === null) return next()
  return Object.fromEntries(Object.entries(of).map(([key, member]) => [key, withOtherValues(member, next)]))
}

/** ASCII, and certainly without escapes of code units. */
const isPlain = (text: string): boolean => Buffer.byteLength(text) === text.length && !text.includes('\\u')

const read = (shape: ReturnType<typeof shapeOf>, text: string): unknown => shape?.read(Buffer.from(text))

describe('the shape of a JSON text', () => {
  test('reads what it was made of, and texts that differ in their values, as JSON.parse does', () => {
    fc.assert(
      fc.property(object, fc.array(scalar, { minLength: 1 }), blanks, (sample, scalars, indent) => {
        let count = 0
        const other = withOtherValues(sample, () => scalars[count++ % scalars.length])
        const [first, second] = [JSON.stringify(sample, null, indent), JSON.stringify(other, null, indent)]
        const shape = shapeOf(Buffer.from(first).toString('latin1'))
        for (const text of [first, second, first, first]) {
          const found = read(shape, text)
          if (found !== undefined || (shape !== undefined && isPlain(text))) expect(found).toEqual(JSON.parse(text))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('reads nothing that is refused otherwise, and nothing otherwise', () => {
    const edits = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', 'e', '-', ' ', 'é', '\u0001')),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    fc.assert(
      fc.property(object, edits, (sample, all) => {
        const text = JSON.stringify(sample)
        const edited = all.reduce((before, [at, put]) => {
          const place = at % (before.length + 1)
          return before.slice(0, place) + put + before.slice(place + 1)
        }, text)
        const found = read(shapeOf(Buffer.from(text).toString('latin1')), edited)
        if (found !== undefined) expect({ ok: true, value: found }).toEqual(parseJson(Buffer.from(edited)))
      }),
      { numRuns: 5_000 },
    )
  })

  const SAMPLE = '{"id":"p_1","amount":1.5,"of":{"list":["a","b"],"flag":true},"note":null}'

  test.each([
    ['other texts and numbers', '{"id":"p_2","amount":-0,"of":{"list":["a","b"],"flag":false},"note":null}'],
    ['values of other kinds', '{"id":7,"amount":"much","of":{"list":[],"flag":null},"note":true}'],
    ['escapes', String.raw`{"id":"a\"b\\\/\b\f\n\r\t","amount":1e3,"of":{"list":["\""],"flag":true},"note":"{\"a\":1}"}`],
    ['a long text', `{"id":"${'x'.repeat(200)}","amount":1,"of":{"list":[1, null],"flag":true},"note":null}`],
  ])('reads %s', (_name, text) => {
    expect(read(shapeOf(SAMPLE), text)).toEqual(JSON.parse(text))
  })

  test.each([
    ['another name', SAMPLE.replace('amount', 'Amount')],
    ['one member more', SAMPLE.replace('true}', 'true,"x":1}')],
    ['a blank more', SAMPLE.replace(':1.5', ': 1.5')],
    ['an escape of a code unit', SAMPLE.replace('p_1', '\\u0041')],
    ['text beyond ASCII', SAMPLE.replace('p_1', 'é')],
    ['an object in a list', SAMPLE.replace('"a"', '{}')],
    ['a number that is none', SAMPLE.replace('1.5', '01')],
    ['a control character', SAMPLE.replace('p_1', 'p\t1')],
    ['something behind it', `${SAMPLE}x`],
  ])('leaves %s to JSON.parse', (_name, text) => {
    expect(read(shapeOf(SAMPLE), text)).toBeUndefined()
  })

  test.each(['[]', '"a"', '1', '{"a":[{}]}', '{"a":[[]]}', '{"é":1}', '{"__proto__":1}', '{"a\\n":1}', '{"a":"\\u0041"}'])(
    '%s has none',
    (text) => {
      expect(shapeOf(Buffer.from(text).toString('latin1'))).toBeUndefined()
    },
  )

  test('a body of a new shape held up the thread while a regular expression was compiled for it', () => {
    const made = jest.spyOn(globalThis, 'RegExp')
    expect(read(shapeOf(SAMPLE), SAMPLE)).toEqual(JSON.parse(SAMPLE))
    expect(made).not.toHaveBeenCalled()
    made.mockRestore()
  })

  test('a number that begins as the last one did, and one that ends before it', () => {
    const shape = shapeOf('{"a":12,"b":"x"}')
    for (const text of ['{"a":123,"b":"x"}', '{"a":1,"b":"x"}', '{"a":1.5,"b":"xy"}', '{"a":1,"b":""}']) {
      expect(read(shape, text)).toEqual(JSON.parse(text))
    }
  })

  test('a text that stopped being of the shape in its middle leaves what it had right', () => {
    const shape = shapeOf(SAMPLE)
    expect(read(shape, SAMPLE.replace('p_1', 'p_22').replace('"note"', '"Note"'))).toBeUndefined()
    expect(read(shape, SAMPLE)).toEqual(JSON.parse(SAMPLE))
  })

  test('what it gives is nobody else’s: a change of it does not come back', () => {
    const shape = shapeOf(SAMPLE)
    const first = Object(read(shape, SAMPLE))
    first.id = 'changed'
    first.of.flag = 'changed'
    first.of.list.push('changed')
    expect(read(shape, SAMPLE)).toEqual(JSON.parse(SAMPLE))
  })
})
