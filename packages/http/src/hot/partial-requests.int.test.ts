import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createSampleServer, echo, SAMPLE_KEY, type SampleServer } from '../server/sample-server.fixture.ts'
import { openRawClient, type RawClient } from './raw-client.fixture.ts'

/** Of a whole request here; a minute in a service. */
const REQUEST_TIMEOUT_MS = 300
const CLIENT_COUNT = 200
const LARGE_BYTES = 60_000

const head = (length: number): string => `POST /hot HTTP/1.1\r\nHost: x\r\nx-api-key: ${SAMPLE_KEY}\r\nContent-Length: ${length}\r\n`
const whole = `${head(1)}\r\n1`
const TIMED_OUT =
  /^HTTP\/1\.1 408 Request Timeout\r\nx-request-id: id-\d+\r\ncontent-type: application\/json\r\n[^]*connection: close\r\n\r\n(.*)$/
const BODY = { code: 'TE_03', message: 'Request timeout', data: null }

/** What a process holds in buffers, after everything that can be thrown away was. */
const heldBytes = (): number => {
  setFlagsFromString('--expose_gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

/** Handles that were closed let go of their buffers some turns later. */
const settledBytes = async (before: number): Promise<'released' | number> => {
  for (let turns = 0; turns < 100; turns++) {
    if (heldBytes() - before < LARGE_BYTES) return 'released'
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return heldBytes() - before
}

describe('hot requests that come in part', () => {
  let server: SampleServer
  let port: number
  let clients: RawClient[]

  beforeEach(async () => {
    server = createSampleServer([echo({ access: 'protected', method: 'POST', body: 'raw-json', hot: true, path: '/hot' })], {
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    })
    port = (await server.listen(0, '127.0.0.1')).port
    clients = []
  })
  afterEach(async () => {
    for (const client of clients) client.end()
    await server.close()
  })

  const open = (): RawClient => {
    const client = openRawClient(port)
    clients.push(client)
    return client
  }
  const bodyOf = (answer: string): unknown => JSON.parse(TIMED_OUT.exec(answer)?.[1] ?? 'null')

  test.each([
    ['half a method', 'PO'],
    ['half a head', head(1).slice(0, 40)],
    ['a head without its last line', head(1)],
    ['a head without its body', `${head(1)}\r\n`],
    ['half a body', `${head(20)}\r\n"half`],
    ['a body of which the last byte is missing', `${head(LARGE_BYTES)}\r\n${'1'.repeat(LARGE_BYTES - 1)}`],
  ])('%s is answered 408, and the connection is closed', async (_name, bytes) => {
    const client = open()
    await client.write(bytes)
    expect(bodyOf(await client.closed())).toEqual(BODY)
    expect(server.logged).toEqual([])
  })

  test('so is one behind others that were answered', async () => {
    const client = open()
    await client.write(whole + whole)
    for (let answered = 0; answered < 2; answered++) expect(await client.answer()).toContain('"body":1')
    await client.write(`${whole}${head(20)}\r\n"half`)
    expect(await client.answer()).toContain('"body":1')
    expect(bodyOf(await client.closed())).toEqual(BODY)
  })

  test.each([
    ['head', `${head(1).trimEnd()}\r\nx-slow: ${'x'.repeat(4_000)}`],
    ['body', `${head(4_000)}\r\n${'1'.repeat(3_999)}`],
  ])('a %s that keeps coming byte by byte is cut off all the same', async (_name, bytes) => {
    const client = open()
    let isOpen = true
    client.socket.once('close', () => {
      isOpen = false
    })
    for (let at = 0; at < bytes.length && isOpen; at++) {
      client.socket.write(bytes.charAt(at), 'latin1')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(isOpen).toBe(false)
    expect(bodyOf(await client.closed())).toEqual(BODY)
  })

  test('one that is completed in time is answered, whoever waits for its rest', async () => {
    const client = open()
    for (const byte of whole) {
      client.socket.write(byte, 'latin1')
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await client.answer()).toContain('"body":1')
  })

  test('many at once hold no memory when they are over, and disturb nobody', async () => {
    const other = open()
    await other.write(whole)
    expect(await other.answer()).toContain('"body":1')
    const before = heldBytes()
    const stalled = Array.from({ length: CLIENT_COUNT }, open)
    await Promise.all(stalled.map((client) => client.write(`${head(LARGE_BYTES)}\r\n${'1'.repeat(LARGE_BYTES - 1)}`)))
    for (let asked = 0; asked < 20; asked++) {
      await other.write(whole)
      expect(await other.answer()).toContain('"body":1')
    }
    for (const answer of await Promise.all(stalled.map((client) => client.closed()))) expect(bodyOf(answer)).toEqual(BODY)
    expect(await settledBytes(before)).toBe('released')
    await other.write(whole)
    expect(await other.answer()).toContain('"body":1')
  })
})
