import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createPlainRequestReader } from './plain-request.ts'

const isHot = (path: string): boolean => path === '/hot' || path === '/warm'
const BYTE_COUNT_MAX = 64 * 1024
const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')
const readBytes = createPlainRequestReader(isHot, BYTE_COUNT_MAX)
const read = (text: string) => readBytes(bytesOf(text))

const PLAIN = 'POST /hot HTTP/1.1\nHost: x\nX-Api-Key:  k y \nContent-Length: 2\n\n{}'

describe('plain requests', () => {
  test('are read: path, headers by lower-case name without the blanks around them, body', () => {
    const request = read(PLAIN)
    expect(request).toMatchObject({
      head: { path: '/hot', headers: { host: 'x', 'x-api-key': 'k y', 'content-length': '2' } },
      body: Buffer.from('{}'),
      byteCount: bytesOf(PLAIN).length,
    })
  })

  test.each([
    ['a body of no bytes', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['a header without a value', 'POST /warm HTTP/1.1\nHost: x\nA:\nContent-Length: 0\n\n'],
    ['a connection that is to be kept', 'POST /warm HTTP/1.1\nHost: x\nConnection: Keep-Alive\nContent-Length: 0\n\n'],
    ['what follows is the next request', `${PLAIN}POST /hot`],
  ])('with %s', (_name, text) => {
    expect(read(text)).toHaveProperty('head.path')
  })

  test('are read the same when their head is known', () => {
    const first = read(PLAIN)
    expect(read(PLAIN)).toEqual(first)
    expect(read(PLAIN.replace('{}', '[]'))).toEqual({ ...Object(first), body: Buffer.from('[]') })
    expect(read(PLAIN.slice(0, -1))).toBe('incomplete')
    expect(read(PLAIN.replace('k y', 'k z'))).toHaveProperty('head.headers.x-api-key', 'k z')
  })

  test('are read the same when their head is the last one', () => {
    const first = read(PLAIN)
    const { head } = Object(first)
    const again = (text: string) => readBytes(bytesOf(text), head)
    expect(again(PLAIN)).toEqual(first)
    expect(again(`${PLAIN}POST`)).toEqual(first)
    expect(again(PLAIN.slice(0, -1))).toBe('incomplete')
    for (const other of ['k z', 'k y\nB: 1']) expect(again(PLAIN.replace('k y', other))).toEqual(read(PLAIN.replace('k y', other)))
    expect(again(PLAIN.replace('Host', 'Expect'))).toBe('other')
  })

  test('a head with an id of one request is not kept', () => {
    expect(read(PLAIN.replace('Host: x', 'Host: x\nX-Request-Id: 1'))).toHaveProperty('head.bytes', undefined)
  })

  test('become complete byte by byte, and are nothing else before', () => {
    const bytes = bytesOf(PLAIN)
    for (let end = 0; end < bytes.length; end++) expect(readBytes(bytes.subarray(0, end))).toBe('incomplete')
  })

  test.each([
    ['another method', 'GET /hot HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['another method, from its first byte on', 'G'],
    ['another path', 'POST /cold HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['a query', 'POST /hot?a=1 HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['HTTP/1.0', 'POST /hot HTTP/1.0\nHost: x\nContent-Length: 0\n\n'],
    ['two blanks', 'POST /hot  HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['no host', 'POST /hot HTTP/1.1\nContent-Length: 0\n\n'],
    ['no length', 'POST /hot HTTP/1.1\nHost: x\n\n'],
    ['two lengths', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: 0\nContent-Length: 0\n\n'],
    ['a signed length', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: +0\n\n'],
    ['a length in two parts', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: 0, 0\n\n'],
    ['a length beyond the limit', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: 999999\n\n'],
    ['chunks', 'POST /hot HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nContent-Length: 0\n\n'],
    ['an encoding', 'POST /hot HTTP/1.1\nHost: x\nContent-Encoding: gzip\nContent-Length: 0\n\n'],
    ['an expectation', 'POST /hot HTTP/1.1\nHost: x\nExpect: 100-continue\nContent-Length: 0\n\n'],
    ['an upgrade', 'POST /hot HTTP/1.1\nHost: x\nUpgrade: h2c\nContent-Length: 0\n\n'],
    ['a connection that ends', 'POST /hot HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 0\n\n'],
    ['a header twice', 'POST /hot HTTP/1.1\nHost: x\nA: 1\na: 2\nContent-Length: 0\n\n'],
    ['a folded header', 'POST /hot HTTP/1.1\nHost: x\nA: 1\n 2\nContent-Length: 0\n\n'],
    ['a blank before the colon', 'POST /hot HTTP/1.1\nHost: x\nContent-Length : 0\n\n'],
    ['a header without a name', 'POST /hot HTTP/1.1\nHost: x\n: 1\nContent-Length: 0\n\n'],
    ['a line without a colon', 'POST /hot HTTP/1.1\nHost: x\nabc\nContent-Length: 0\n\n'],
    ['a name with an underscore', 'POST /hot HTTP/1.1\nHost: x\n__proto__: 1\nContent-Length: 0\n\n'],
    ['a name that every object has', 'POST /hot HTTP/1.1\nHost: x\nconstructor: 1\nContent-Length: 0\n\n'],
    ['a value beyond ASCII', 'POST /hot HTTP/1.1\nHost: x\nA: \xe9\nContent-Length: 0\n\n'],
    ['a tab around a value', 'POST /hot HTTP/1.1\nHost: x\nContent-Length: 0\t\n\n'],
    ['more headers than node:http takes', `POST /hot HTTP/1.1\nHost: x\nA: ${'a'.repeat(20_000)}\nContent-Length: 0\n\n`],
    ['a control character', 'POST /hot HTTP/1.1\nHost: x\nA: \x00\nContent-Length: 0\n\n'],
  ])('%s is left to node:http', (_name, text) => {
    expect(read(text)).toBe('other')
  })

  test('a bare line feed or carriage return is left to node:http', () => {
    for (const end of ['\n', '\r']) {
      const text = `POST /hot HTTP/1.1\r\nHost: x${end}A: 1\r\nContent-Length: 0\r\n\r\n`
      expect(readBytes(Buffer.from(text))).toBe('other')
    }
  })

  test('a head without an end is left to node:http at the limit', () => {
    expect(read(`POST /hot HTTP/1.1\nHost: x\nA: ${'a'.repeat(BYTE_COUNT_MAX)}`)).toBe('other')
  })

  test('whatever the bytes, what is read is what stands in them', () => {
    const piece = fc.oneof(
      fc.constantFrom('POST /hot HTTP/1.1\r\n', 'Host: x\r\n', 'Content-Length: 2\r\n', '\r\n', '{}', 'A: b\r\n'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(''), 'latin1')
        const request = readBytes(bytes)
        if (typeof request === 'string') return
        const head = bytes.toString('latin1', 0, request.byteCount - request.body.length)
        expect(head.startsWith(`POST ${request.head.path} HTTP/1.1\r\n`) && head.endsWith('\r\n\r\n')).toBe(true)
        expect(head.slice(0, -4)).not.toContain('\r\n\r\n')
        expect(Number(request.head.headers['content-length'])).toBe(request.body.length)
      }),
      { numRuns: 3_000 },
    )
  })
})
