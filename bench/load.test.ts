import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createAnswerReader } from './answers.mjs'
import { requestTemplate, writeDigits } from './template.mjs'

const templateOf = (body: string): ReturnType<typeof requestTemplate> =>
  requestTemplate({ host: 'localhost', path: '/decide-gateway', headers: { 'x-api-key': 'k' }, body, slots: { id: 10, status: 7 } })

describe('a request with slots', () => {
  test('is valid HTTP whose body has the length that it says', () => {
    const [head = '', body = ''] = templateOf('{"n":"é","status":"{{status}}","id":"pay_{{id}}"}').bytes.toString().split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toBe('POST /decide-gateway HTTP/1.1')
    expect(/content-length: (\d+)/.exec(head)?.[1]).toBe(String(Buffer.byteLength(body)))
  })

  test('any number can be written into its slot', () => {
    const { bytes, offsets } = templateOf('{"n":"é","status":"{{status}}","id":"pay_{{id}}"}')
    fc.assert(
      fc.property(fc.nat(), (number) => {
        const slot = offsets['id']
        if (slot === undefined) throw new Error('no slot')
        writeDigits(bytes, slot, number)
        expect(JSON.parse(bytes.toString().split('\r\n\r\n')[1] ?? '').id).toBe(`pay_${String(number).padStart(10, '0')}`)
      }),
    )
  })

  test.each(['{"id":"{{id}}"}', '{"id":"{{id}}","status":"{{status}}","x":"{{other}}"}'])(
    'slots that do not match are refused: %s',
    (body) => {
      expect(() => templateOf(body)).toThrow('slot')
    },
  )
})

describe('reading answers', () => {
  const answer = (status: number, body: string): string => `HTTP/1.1 ${status} OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  test('finds the same answers however the bytes are cut', () => {
    const bytes = Buffer.from(answer(200, '{"a":1}') + answer(400, '') + answer(200, 'x'.repeat(50)))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const seen: string[] = []
        const read = createAnswerReader((status, body) => seen.push(`${status} ${body.toString()}`))
        for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          read(bytes.subarray(from, from + size))
          from += size
        }
        expect(seen).toEqual(['200 {"a":1}', '400 ', `200 ${'x'.repeat(50)}`])
      }),
    )
  })

  test('an answer without a length is refused', () => {
    const read = createAnswerReader(() => undefined)
    expect(() => read(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))).toThrow('length')
  })
})
