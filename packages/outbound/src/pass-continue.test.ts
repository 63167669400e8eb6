import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createAnswerHeads } from './pass-continue.ts'

/** What comes out of pieces of an answer. */
const passed = (...pieces: readonly string[]): string => {
  const heads = createAnswerHeads()
  return pieces
    .map((piece) => {
      const bytes = Buffer.from(piece, 'latin1')
      heads.pass(bytes)
      return bytes.toString('latin1')
    })
    .join('')
}

const informational = fc
  .tuple(
    fc.constantFrom('', '\r\n', '\r\n\r\n'),
    fc.constantFrom('1.0', '1.1'),
    fc.constantFrom('100', '102', '103', '199'),
    fc.constantFrom('', ' ', ' Continue', ' HTTP/1.1 100'),
    fc.array(fc.constantFrom('a: 1', 'content-length: 4', 'HTTP/1.1 100: Continue', 'empty:'), { maxLength: 3 }),
  )
  .map(([before, version, status, text, headers]) => ({
    before: `${before}HTTP/${version} `,
    status,
    after: `${text}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`,
  }))
const final = fc
  .tuple(fc.constantFrom('200 OK', '204', '301 100', '500 HTTP/1.1 100'), fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100'))
  .map(([status, body]) => `HTTP/1.1 ${status}\r\na: b\r\n\r\n${body}`)

describe('the heads of an answer', () => {
  test('have 102 where 100 was a status, and nowhere else, whatever pieces they come in', () => {
    fc.assert(
      fc.property(fc.array(informational, { maxLength: 4 }), final, fc.array(fc.nat(400), { maxLength: 8 }), (heads, last, cuts) => {
        const text = (statusOf: (status: string) => string): string =>
          heads.map(({ before, status, after }) => before + statusOf(status) + after).join('') + last
        const whole = text((status) => status)
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
        const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place))
        expect(passed(...pieces)).toBe(text((status) => (status === '100' ? '102' : status)))
      }),
    )
  })

  test.each(['', '\r\n', 'SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/1.1 1000 Continue\r\n\r\n', 'HTTP/1.1  100\r\n\r\n'])(
    'keep their length when they are none: %j',
    (text) => {
      expect(passed(text)).toHaveLength(text.length)
    },
  )

  test('are looked at again when the next answer begins', () => {
    const heads = createAnswerHeads()
    heads.pass(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))
    const next = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n')
    heads.pass(next)
    expect(next.toString()).toContain('100')
    heads.begin()
    heads.pass(next)
    expect(next.toString()).toContain('102')
  })
})
