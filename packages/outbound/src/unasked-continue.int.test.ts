import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { OutboundOutcome } from '@switchyard/kernel'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../../../test/support/receivers/certificate.ts'
import { startRawReceiver } from '../../../test/support/receivers/raw-receiver.ts'
import { startReceiver } from '../../../test/support/receivers/receiver.ts'
import { INFORMATIONAL_ANSWERS_MAX } from './limits.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const outbound = (): Outbound => {
  const created = createOutbound({
    schemes: 'http_too',
    allowedRanges: ['127.0.0.0/8'],
    certificateAuthorities: RECEIVER_CERTIFICATE,
    resolveName: () => Promise.resolve(['127.0.0.1']),
  })
  stops.push(created.close)
  return created
}

const rawly = async (behaviour: (socket: Socket) => void): Promise<string> => {
  const receiver = await startRawReceiver(behaviour)
  stops.push(receiver.stop)
  return receiver.url
}

const sent = (url: string, { send }: Outbound = outbound()): Promise<OutboundOutcome> =>
  send({ endpointId: 'merchant/default', url, headers: [['content-type', 'application/json']], body: Buffer.from('{}'), timeoutMs: 10_000 })

describe('100 Continue that nobody asked for', () => {
  test.each([
    ['one', CONTINUE],
    ['several', CONTINUE.repeat(INFORMATIONAL_ANSWERS_MAX)],
    ['one with headers', 'HTTP/1.1 100 Continue\r\nserver: x\r\ncontent-length: 3\r\n\r\n'],
    ['one without a text', 'HTTP/1.1 100\r\n\r\n'],
    ['one behind another informational answer', `HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n${CONTINUE}`],
    ['one before another informational answer', `${CONTINUE}HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n`],
    ['one behind an empty line', `\r\n${CONTINUE}\r\n`],
    [
      'one behind an informational answer that tells of a body',
      `HTTP/1.1 103 Early Hints\r\ntransfer-encoding: chunked\r\n\r\n${CONTINUE}`,
    ],
  ])('is passed over: %s', async (_name, bytes) => {
    expect(await sent(await rawly((socket) => socket.end(bytes + FINAL)))).toMatchObject({ status: 200, body: 'ok', bodyEnd: 'whole' })
  })

  test('is passed over when it comes in pieces', async () => {
    const url = await rawly((socket) => {
      socket.setNoDelay(true)
      for (const [index, byte] of Buffer.from(CONTINUE + FINAL).entries()) setTimeout(() => socket.write(Uint8Array.of(byte)), 2 * index)
    })
    expect(await sent(url)).toMatchObject({ status: 200, body: 'ok', bodyEnd: 'whole' })
  })

  test.each([
    ['http', undefined],
    ['https', { cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }],
  ])('is passed over at every request of a connection: %s', async (scheme, tls) => {
    const receiver = await startReceiver((_inbound, response) => {
      response.writeContinue()
      response.end('ok')
    }, tls)
    stops.push(receiver.stop)
    const over = outbound()
    const url = `${scheme}://receiver.test:${receiver.port}/`
    for (let turn = 0; turn < 3; turn++) expect(await sent(url, over)).toMatchObject({ status: 200, body: 'ok' })
    expect([receiver.requests.length, receiver.connectionCount()]).toEqual([3, 1])
  })

  test('is passed over before a large answer', async () => {
    const url = await rawly((socket) => socket.end(CONTINUE + FINAL))
    const answer = await outbound().fetchStream({ method: 'GET', url, headers: [] })
    expect(answer).toMatchObject({ kind: 'answered', status: 200 })
    const pieces: Uint8Array[] = []
    if (answer.kind === 'answered') for await (const piece of answer.bytes) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe('ok')
  })

  test.each([
    ['of this kind', CONTINUE],
    ['of another kind', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('before a large answer has a bound: informational answers %s', async (_name, bytes) => {
    const fetched = async (count: number): Promise<string> => {
      const url = await rawly((socket) => socket.end(bytes.repeat(count) + FINAL))
      const { kind } = await outbound().fetchStream({ method: 'GET', url, headers: [] })
      return kind
    }
    expect(await fetched(INFORMATIONAL_ANSWERS_MAX)).toBe('answered')
    expect(await fetched(INFORMATIONAL_ANSWERS_MAX + 1)).toBe('invalid_response')
  })

  test('in a body is the body', async () => {
    const body = `${CONTINUE}\r\n\r\n${CONTINUE}`
    const url = await rawly((socket) => socket.end(`${CONTINUE}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`))
    expect(await sent(url)).toMatchObject({ status: 200, body, bodyEnd: 'whole' })
  })

  test('without an end is no answer, without an answer behind it none came', async () => {
    const endless = await rawly((socket) => socket.end(CONTINUE.repeat(INFORMATIONAL_ANSWERS_MAX + 1) + FINAL))
    expect(await sent(endless)).toMatchObject({ kind: 'invalid_response' })
    expect(await sent(await rawly((socket) => socket.end(CONTINUE)))).toMatchObject({ kind: 'connection_reset' })
  })

  test('behind an answer ends the connection, and the next request goes over another', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.write(FINAL)
      setTimeout(() => socket.write(CONTINUE), 20)
    })
    stops.push(receiver.stop)
    const over = outbound()
    expect(await sent(receiver.url, over)).toMatchObject({ status: 200 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await sent(receiver.url, over)).toMatchObject({ status: 200 })
    expect(receiver.connectionCount()).toBe(2)
  })
})
