import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isExactNumber, printExactly } from './exact-numbers.ts'
import { parseJsonText } from './parse-json.ts'

const printed = (text: string): string => {
  const parsed = parseJsonText(text, 'exact')
  return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null ? printExactly(parsed.value) : 'refused'
}

describe('bodies that are passed on', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551615',
    '1e400',
    '-1E-400',
    '0.1234567890123456789',
    `1${'0'.repeat(5_000)}`,
    `0.${'0'.repeat(5_000)}1`,
  ])('a number that JavaScript would round goes on as it was written: %.30s', (number) => {
    const text = `{"a":[${number}],"b":{"c":${number}}}`
    expect(printed(text)).toBe(text)
  })

  test('other numbers are the numbers they are', () => {
    const parsed = parseJsonText('{"card":"4242424242424242","a":1250,"b":1.50,"c":-1e2,"d":9007199254740991}', 'exact')
    expect(parsed).toEqual({ ok: true, value: { card: '4242424242424242', a: 1250, b: 1.5, c: -100, d: 9_007_199_254_740_991 } })
  })

  test('an object that says it is such a number is an object', () => {
    const text = '{"n":{"isLosslessNumber":true,"value":"1,2"},"m":12345678901234567890}'
    expect(printed(text)).toBe(text)
    const parsed = parseJsonText(text, 'exact')
    expect(parsed.ok && Object.values(Object(parsed.value)).map(isExactNumber)).toEqual([false, true])
  })

  test('what is refused is refused beside such numbers, too', () => {
    const number = '"n":12345678901234567890'
    expect(printed(`{${number},"a":1,"a":1}`)).toBe('refused')
    expect(printed(`{${number},"a":"\\ud800"}`)).toBe('refused')
    expect(printed(`{${number}`)).toBe('refused')
    expect(printed(`{${number},"__proto__":{"a":1},"b":{"__proto__":1}}`)).toBe(`{${number},"b":{}}`)
  })

  test('other values are printed as JSON.stringify prints them', () => {
    const number = '12345678901234567890'
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('__proto__')) // dropped
        expect(printed(`{"value":${text}}`)).toBe(`{"value":${text}}`)
        expect(printed(`{"n":${number},"value":${text}}`)).toBe(`{"n":${number},"value":${text}}`)
      }),
    )
  })
})
