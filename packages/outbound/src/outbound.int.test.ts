import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { OutboundOutcome, OutboundRequest } from '@switchyard/kernel'
import {
  answering,
  dripping,
  failingFirst,
  flooding,
  redirecting,
  resetting,
  silent,
  sleeping,
} from '../../../test/support/receivers/behaviours.ts'
import { startRawReceiver } from '../../../test/support/receivers/raw-receiver.ts'
import { type Behaviour, type Receiver, startReceiver } from '../../../test/support/receivers/receiver.ts'
import { ANSWER_BODY_BYTES_MAX, INFORMATIONAL_ANSWERS_MAX } from './limits.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const started = async (behaviour: Behaviour): Promise<Receiver> => {
  const receiver = await startReceiver(behaviour)
  stops.push(receiver.stop)
  return receiver
}

const rawly = async (bytes: string): Promise<string> => {
  const receiver = await startRawReceiver((socket) => socket.end(bytes))
  stops.push(receiver.stop)
  return receiver.url
}

const outbound = (): Outbound => {
  const created = createOutbound({ schemes: 'http_too', allowedRanges: ['127.0.0.0/8'] })
  stops.push(created.close)
  return created
}

const request = (url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  endpointId: 'merchant/default',
  url,
  headers: [['content-type', 'application/json']],
  body: Buffer.from('{"n":"é"}'),
  timeoutMs: 10_000,
  ...changes,
})

const sent = (url: string, changes?: Partial<OutboundRequest>): Promise<OutboundOutcome> => outbound().send(request(url, changes))

describe('a request', () => {
  test('is one POST with the headers as they are given, the host first, and the exact body', async () => {
    const { url, requests, port } = await started(answering(200))
    const outcome = await sent(`${url}?shop=7`, {
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Shop', '7'],
        ['x-shop', '8'],
      ],
    })
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, body: 'ok', bodyEnd: 'whole' })
    const [received] = requests
    expect(received).toMatchObject({ method: 'POST', path: '/hook?shop=7', body: '{"n":"é"}' })
    expect(received?.rawHeaders.slice(0, 2)).toEqual(['host', `127.0.0.1:${port}`])
    expect(received?.rawHeaders.join(' ')).toContain('Content-Type application/json X-Shop 7 x-shop 8')
    expect(received?.headers['content-length']).toBe('10')
    for (const name of ['cookie', 'via', 'expect', 'transfer-encoding']) expect(received?.headers[name]).toBeUndefined()
  })

  test('keeps its connection for the next one to the same endpoint, and for no other endpoint', async () => {
    const { url, connectionCount } = await started(answering(200))
    const { send } = outbound()
    await send(request(url))
    await send(request(url))
    expect(connectionCount()).toBe(1)
    await send(request(url, { endpointId: 'other/default' }))
    expect(connectionCount()).toBe(2)
  })

  test('goes over a connection of its own while others are under way', async () => {
    const { url, connectionCount } = await started(answering(200))
    const { send } = outbound()
    await Promise.all([1, 2, 3].map(() => send(request(url))))
    expect(connectionCount()).toBe(3)
  })

  test('cookies of an answer are not sent back', async () => {
    const { url, requests } = await started(answering(200, 'ok', { 'set-cookie': 'a=b' }))
    const { send } = outbound()
    await send(request(url))
    await send(request(url))
    expect(requests[1]?.headers['cookie']).toBeUndefined()
  })

  test('with headers that can not be sent is refused aloud', async () => {
    const { url } = await started(answering(200))
    await expect(sent(url, { headers: [['x-a', 'b\r\nc: d']] })).rejects.toThrow('header')
  })
})

describe('answers', () => {
  test.each([200, 204, 301, 404, 410, 429, 500, 503, 599])('%d is told as it is', async (status) => {
    const { url } = await started(answering(status, ''))
    expect(await sent(url)).toMatchObject({ kind: 'answered', status, bodyEnd: 'whole' })
  })

  test('headers are told as they came', async () => {
    const { url } = await started(answering(429, 'later', { 'Retry-After': '7', 'X-A': ['1', '2'] }))
    const outcome = await sent(url)
    const headers = outcome.kind === 'answered' ? outcome.headers : []
    expect(headers).toContainEqual(['Retry-After', '7'])
    expect(headers.filter(([name]) => name === 'X-A')).toEqual([
      ['X-A', '1'],
      ['X-A', '2'],
    ])
  })

  test.each([301, 302, 303, 307, 308])('a redirect with %d is not followed', async (status) => {
    const target = await started(answering(200))
    const { url } = await started(redirecting(target.url, status))
    expect(await sent(url)).toMatchObject({ kind: 'answered', status })
    expect(target.requests).toEqual([])
  })

  test('an informational answer is passed over', async () => {
    const url = await rawly('HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    expect(await sent(url)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' })
  })

  test('informational answers without an end are no answer, long before the deadline', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    expect(await sent(await rawly(hint.repeat(INFORMATIONAL_ANSWERS_MAX) + final))).toMatchObject({ kind: 'answered', status: 200 })
    expect(await sent(await rawly(hint.repeat(INFORMATIONAL_ANSWERS_MAX + 1) + final))).toMatchObject({ kind: 'invalid_response' })
  })

  test('a status line without a text is fine', async () => {
    expect(await sent(await rawly('HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'))).toMatchObject({ status: 200, body: 'ok' })
  })

  test.each([
    ['a status beyond 599', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['headers beyond the bound', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('%s is no answer', async (_name, bytes) => {
    expect(await sent(await rawly(bytes))).toMatchObject({ kind: 'invalid_response' })
  })

  test('a body beyond the cap ends with the connection; the status counts', async () => {
    const { url } = await started(flooding)
    const outcome = await sent(url)
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, bodyEnd: 'too_large' })
    expect(outcome.kind === 'answered' ? outcome.body.length : 0).toBe(ANSWER_BODY_BYTES_MAX)
  })

  test('a body of exactly the cap is whole', async () => {
    const { url } = await started(answering(200, 'x'.repeat(ANSWER_BODY_BYTES_MAX)))
    const outcome = await sent(url)
    expect(outcome).toMatchObject({ bodyEnd: 'whole', body: 'x'.repeat(ANSWER_BODY_BYTES_MAX) })
  })

  test('a packed body is never unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000))
    const { url } = await started(answering(200, packed, { 'content-encoding': 'gzip' }))
    expect(await sent(url)).toMatchObject({ status: 200, body: `data:;base64,${packed.toString('base64')}` })
  })

  test('a body that breaks off is told, the status counts', async () => {
    const url = await rawly('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok')
    expect(await sent(url)).toMatchObject({ kind: 'answered', status: 200, body: 'ok', bodyEnd: 'connection_lost' })
  })
})

describe('deadlines', () => {
  test.each([
    ['never answers', silent],
    ['answers too late', sleeping(60_000)],
  ])('an endpoint that %s is a timeout', async (_name, behaviour) => {
    const { url } = await started(behaviour)
    const outcome = await sent(url, { timeoutMs: 1_000 })
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'answer' })
    expect(outcome.latencyMs).toBeGreaterThanOrEqual(999)
  })

  test('a body that drips ends at the deadline; the status counts', async () => {
    const { url } = await started(dripping(5))
    const outcome = await sent(url, { timeoutMs: 1_000 })
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, bodyEnd: 'timeout' })
    expect(outcome.kind === 'answered' ? outcome.body : '').toMatch(/^a+$/)
  })

  test('a name server that does not answer is a timeout of its own', async () => {
    const { send } = createOutbound({ schemes: 'http_too', allowedRanges: [], resolveName: () => new Promise(() => {}) })
    expect(await send(request('http://receiver.test/', { timeoutMs: 50 }))).toMatchObject({ kind: 'timeout', phase: 'dns' })
  })

  test('a TLS handshake that nobody answers is a timeout of its own', async () => {
    const receiver = await startRawReceiver(() => {})
    stops.push(receiver.stop)
    const outcome = await sent(`https://127.0.0.1:${receiver.port}/`, { timeoutMs: 1_000 })
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'tls' })
  })

  test('after a timeout the connection is not used again', async () => {
    const { url, connectionCount } = await started((inbound, response, index) => {
      if (index > 0) answering(200)(inbound, response, index)
    })
    const { send } = outbound()
    await send(request(url, { timeoutMs: 50 }))
    expect(await send(request(url))).toMatchObject({ status: 200 })
    expect(connectionCount()).toBe(2)
  })
})

describe('broken connections', () => {
  test('a reset before an answer', async () => {
    const { url, requests } = await started(resetting)
    expect(await sent(url)).toMatchObject({ kind: 'connection_reset' })
    expect(requests).toHaveLength(1)
  })

  test('a connection that is ended without an answer', async () => {
    expect(await sent(await rawly(''))).toMatchObject({ kind: 'connection_reset' })
  })

  test('nobody listens', async () => {
    const receiver = await startReceiver(silent)
    await receiver.stop()
    expect(await sent(receiver.url)).toMatchObject({ kind: 'connection_refused' })
  })

  test('a name without addresses', async () => {
    const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    const { send } = createOutbound({ schemes: 'http_too', allowedRanges: [], resolveName: () => Promise.reject(missing) })
    expect(await send(request('http://receiver.test/'))).toMatchObject({ kind: 'dns_error' })
  })

  test('a kept connection that breaks under the next request is replaced silently, once', async () => {
    // The first request is answered; whatever comes second on a connection finds it broken.
    const seen = new Set<unknown>()
    const { url, requests, connectionCount } = await started((inbound, response, index) => {
      if (seen.has(response.socket)) resetting(inbound, response, index)
      else answering(200)(inbound, response, index)
      seen.add(response.socket)
    })
    const { send } = outbound()
    expect(await send(request(url))).toMatchObject({ status: 200 })
    expect(await send(request(url))).toMatchObject({ status: 200 })
    expect(connectionCount()).toBe(2)
    expect(requests).toHaveLength(3)
  })

  test('the replacement is not replaced again', async () => {
    const { url, requests } = await started((inbound, response, index) => {
      if (index === 0) answering(200)(inbound, response, index)
      else resetting(inbound, response, index)
    })
    const { send } = outbound()
    await send(request(url))
    expect(await send(request(url))).toMatchObject({ kind: 'connection_reset' })
    expect(requests).toHaveLength(3)
  })

  test('a connection that the endpoint ended meanwhile costs nothing', async () => {
    const { url, dropConnections, requests } = await started(failingFirst(0))
    const { send } = outbound()
    await send(request(url))
    dropConnections()
    expect(await send(request(url))).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(2)
  })

  test('an endpoint that ends its connections by itself is asked over new ones', async () => {
    const { url, connectionCount } = await started(answering(200, 'ok', { connection: 'close' }))
    const { send } = outbound()
    for (let turn = 0; turn < 3; turn++) expect(await send(request(url))).toMatchObject({ status: 200 })
    expect(connectionCount()).toBe(3)
  })
})

describe('an answer that is read piece by piece', () => {
  test.each([0, 1])('takes its connection along when it is broken off after %d pieces', async (count) => {
    let gone = (): void => {}
    const isGone = new Promise<void>((resolve) => (gone = resolve))
    const receiver = await startRawReceiver((socket) => {
      socket.on('close', () => gone())
      socket.write(`HTTP/1.1 500 Oops\r\ncontent-length: 3000000\r\n\r\n${'x'.repeat(1_000_000)}`)
    })
    stops.push(receiver.stop)
    const answer = await outbound().fetchStream({ method: 'GET', url: receiver.url, headers: [] })
    if (answer.kind !== 'answered') throw new Error(answer.kind)
    const pieces = answer.bytes[Symbol.asyncIterator]()
    for (let read = 0; read < count; read++) await pieces.next()
    await pieces.return?.()
    await expect(isGone).resolves.toBeUndefined()
  })
})
