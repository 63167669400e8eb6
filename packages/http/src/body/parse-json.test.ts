import { describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { JSON_DEPTH_MAX } from '../limits.ts'
import { parseJson } from './parse-json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`

describe('parsing JSON', () => {
  test('what is JSON comes out as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes('__proto__'))
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test.each([
    ['an empty body', Buffer.alloc(0), 'the body is empty'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the body is not UTF-8'],
    ['half a surrogate pair', Buffer.from('{"a":["\\ud800"]}'), 'half a surrogate'],
    ['half a surrogate pair in a name', Buffer.from('{"\\udc00":1}'), 'half a surrogate'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), ''],
    ['a byte order mark', Buffer.from('\ufeff{}'), ''],
    ['an open object', Buffer.from('{"a":'), ''],
    ['two values', Buffer.from('{} {}'), ''],
    ['a comment', Buffer.from('{/*a*/}'), ''],
    ['NaN', Buffer.from('NaN'), ''],
    ['a member that is given twice', Buffer.from('{"a":1,"b":{"c":1,"c":2}}'), 'the member `c` is given more than once'],
  ])('%s is refused', (_name, bytes, detail) => {
    expect(parseJson(bytes)).toEqual({ ok: false, detail: expect.stringContaining(detail) })
  })

  test.each(['{"password":hunter2}', '{"card":"4242424242424242" "cvc":1}', 'hunter2', '{"a":"hunter2', `${'[1,'.repeat(50)}hunter2]`])(
    'what is wrong is told without what was sent: %s',
    (text) => {
      const parsed = parse(text)
      expect(parsed.ok ? '' : parsed.detail).not.toMatch(/hunter2|4242/)
      expect(parsed.ok ? '' : parsed.detail).not.toBe('')
    },
  )

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s nest up to the limit and no deeper', (_name, open, close) => {
    const text = (depth: number): string => nested(depth, open, close)
    expect(parse(text(JSON_DEPTH_MAX)).ok).toBe(true)
    expect(parse(text(JSON_DEPTH_MAX + 1))).toEqual({ ok: false, detail: `nested deeper than ${JSON_DEPTH_MAX} levels` })
    expect(parse(text(100_000)).ok).toBe(false)
  })

  test('brackets in strings are no nesting', () => {
    const value = { a: '[{"\\'.repeat(JSON_DEPTH_MAX * 2), b: '[' }
    expect(parse(JSON.stringify(value))).toEqual({ ok: true, value })
  })

  test.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}', '{"a":1,"b":0,"__proto__":null}'])(
    'a __proto__ member is dropped: %s',
    (text) => {
      const parsed = parse(text)
      const value = parsed.ok ? parsed.value : undefined
      const copy: object = Object.assign({}, value)
      expect([Object.hasOwn(value as object, '__proto__'), Reflect.get(copy, 'admin'), Reflect.get(copy, 'a')]).toEqual([
        false,
        undefined,
        1,
      ])
    },
  )

  test('a __proto__ member is dropped at any depth, and strings that say so are kept', () => {
    expect(parse('[{"a":{"__proto__":{"b":1},"c":"__proto__"}}]')).toEqual({ ok: true, value: [{ a: { c: '__proto__' } }] })
  })

  test('beside one escape a pair was made of each member of a list, so that a body of numbers took ten times as long', () => {
    const pairs = jest.spyOn(Object, 'entries')
    expect(parse('{"a":[0,0],"b":{"c":["x",1]},"d":"\\u0041"}').ok).toBe(true)
    expect(pairs).not.toHaveBeenCalled()
    pairs.mockRestore()
  })

  test('escapes of whole characters are text', () => {
    expect(parse('"\\ud83d\\ude00\\u00e9"')).toEqual({ ok: true, value: '😀é' })
  })
})
