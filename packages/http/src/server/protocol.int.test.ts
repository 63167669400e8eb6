import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Route, RouteReply } from '../route.ts'
import { createSampleServer, echo, SAMPLE_KEY, type SampleServer, sampleSpec } from './sample-server.fixture.ts'

/** A gate for a test: `opened` resolves when `open` is called. */
const createLatch = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('HTTP on the wire', () => {
  let server: SampleServer
  let port: number
  let entered: ReturnType<typeof createLatch>
  let answer: ReturnType<typeof createLatch>

  beforeEach(async () => {
    entered = createLatch()
    answer = createLatch()
    const slow: Route = {
      spec: sampleSpec({ path: '/slow' }),
      handle: async (): Promise<RouteReply> => {
        entered.open()
        await answer.opened
        return { status: 200, body: 'late' }
      },
    }
    const hot = echo({ path: '/hot', access: 'protected', method: 'POST', body: 'raw-json', hot: true })
    server = createSampleServer([slow, hot, echo({ path: '/health' })])
    port = (await server.listen(0, '127.0.0.1')).port
  })
  afterEach(async () => {
    answer.open()
    await server.close()
  })

  const open = (): Socket => connect({ port, host: '127.0.0.1' })
  /** Everything that comes back until the server closes, or until `enough` says so. */
  const receive = (socket: Socket, enough: (text: string) => boolean = () => false): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      const done = (): void => {
        socket.destroy()
        resolve(text)
      }
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (enough(text)) done()
      })
      socket.on('error', done)
      socket.on('close', done)
    })
  const exchange = (raw: string): Promise<string> => {
    const socket = open()
    socket.write(raw.replaceAll('\n', '\r\n'))
    return receive(socket)
  }
  const hotHead = `POST /hot HTTP/1.1\nHost: x\nx-api-key: ${SAMPLE_KEY}\n`

  test.each([
    ['no HTTP', 'hello\n\n', 400],
    ['a header without a name', 'GET /health HTTP/1.1\nHost: x\n: y\n\n', 400],
    ['a header over two lines', 'GET /health HTTP/1.1\nHost: x\nA: b\n c\nB\n\n', 400],
    ['no host', 'GET /health HTTP/1.1\n\n', 400],
    ['several hosts', 'GET /health HTTP/1.1\nHost: x\nHost: y\n\n', 400],
    ['a fragment', 'GET /health#x HTTP/1.1\nHost: x\n\n', 400],
    ['two lengths', `${hotHead}Content-Length: 2\nContent-Length: 3\n\n{}`, 400],
    ['length and chunks', `${hotHead}Content-Length: 2\nTransfer-Encoding: chunked\n\n0\n\n`, 400],
    ['a negative length', `${hotHead}Content-Length: -1\n\n`, 400],
    ['a length that is none', `${hotHead}Content-Length: 1e3\n\n`, 400],
    ['an unknown transfer encoding', `${hotHead}Transfer-Encoding: gzip\n\n`, 400],
    ['a chunk size that is none', `${hotHead}Transfer-Encoding: chunked\n\nzz\n\n`, 400],
    ['headers that are too large', `GET /health HTTP/1.1\nHost: x\nA: ${'a'.repeat(20_000)}\n\n`, 431],
    ['an expectation that is unknown', `${hotHead}Expect: magic\nContent-Length: 2\n\n{}`, 417],
  ])('%s', async (_name, raw, status) => {
    const text = await exchange(raw)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/\r\nx-request-id: id-\d+\r\n/)
    expect(text.toLowerCase()).toContain('connection: close')
  })

  test('HTTP/1.0 without a host is served, and closed', async () => {
    expect(await exchange('GET /health HTTP/1.0\n\n')).toMatch(/^HTTP\/1.1 200 /)
  })
  test('a body in chunks is read', async () => {
    expect(await exchange(`${hotHead}Connection: close\nTransfer-Encoding: chunked\n\n3\n[1,\n2\n2]\n0\n\n`)).toContain('"body":[1,2]')
  })
  test('a client that asks first is told to go on, or refused without its body', async () => {
    const asking = 'Connection: close\nExpect: 100-continue\nContent-Length: 2\n\n'
    const socket = open()
    socket.write((hotHead + asking).replaceAll('\n', '\r\n'))
    socket.once('data', () => socket.write('{}'))
    const text = await receive(socket)
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
    const refusal = open()
    refusal.write(`POST /hot HTTP/1.1\nHost: x\n${asking}`.replaceAll('\n', '\r\n'))
    expect(await receive(refusal, (answered) => answered.includes('\r\n\r\n'))).toMatch(/^HTTP\/1.1 401 /)
  })
  test('a client that asks first whether to send a body that is too large is refused at once', async () => {
    const socket = open()
    socket.write(`${hotHead}Expect: 100-continue\nContent-Length: 50000000\n\n`.replaceAll('\n', '\r\n'))
    const text = await receive(socket, (answered) => answered.includes('length limit exceeded'))
    expect(text).toMatch(/^HTTP\/1.1 413 /)
    expect(text).toMatch(/\r\nconnection: close\r\n/i)
  })
  test('a body without end is refused as soon as it is too long, and cut when it goes on', async () => {
    const socket = open()
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    socket.write(`${hotHead}Transfer-Encoding: chunked\n\n`.replaceAll('\n', '\r\n'))
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pump)
    pump()
    expect(await receive(socket)).toMatch(/^HTTP\/1.1 413 /)
  })
  test('a connection is kept after a refusal whose body was not wanted', async () => {
    const socket = open()
    const refused = `POST /hot HTTP/1.1\nHost: x\nContent-Length: 100\n\n${'x'.repeat(100)}`
    socket.write(`${refused}GET /health HTTP/1.1\nHost: x\nConnection: close\n\n`.replaceAll('\n', '\r\n'))
    const text = await receive(socket)
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })
  test('a client that goes away in the middle of its body harms nobody', async () => {
    const socket = open()
    await new Promise<void>((resolve) => {
      socket.write(`${hotHead}Content-Length: 100\n\n{`.replaceAll('\n', '\r\n'), () => resolve())
    })
    socket.destroy()
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    expect(server.logged).toEqual([])
  })
  test('a client that goes away before its answer harms nobody', async () => {
    const socket = open()
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await entered.opened
    socket.destroy()
    answer.open()
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    expect(server.logged).toEqual([])
  })
  test('closing lets a running request finish, and takes no more', async () => {
    const running = fetch(`http://127.0.0.1:${port}/slow`)
    await entered.opened
    const closed = server.close()
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed')
    answer.open()
    const response = await running
    expect([await response.json(), response.headers.get('connection')]).toEqual(['late', 'close'])
    await closed
  })
  test('closing cuts a request that does not finish', async () => {
    const stuck: Route = {
      spec: sampleSpec({ path: '/stuck' }),
      handle: () => {
        entered.open()
        return new Promise<RouteReply>(() => {})
      },
    }
    const impatient = createSampleServer([stuck], { closeTimeoutMs: 1 })
    const { url } = await impatient.listen(0, '127.0.0.1')
    const cut = fetch(`${url}/stuck`).catch(String)
    await entered.opened
    await impatient.close()
    expect(await cut).toContain('fetch failed')
  })

  test.each([
    ['a head', 'POST /hot HTTP/1.1\r\nHost: x\r\nA: '],
    ['a body', 'POST /cold HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
    ['a body in chunks', 'POST /hot HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{'],
  ])('%s that does not arrive is not waited for', async (_name, begun) => {
    const route = echo({ path: '/hot', method: 'POST', body: 'raw-json' })
    const impatient = createSampleServer([route, echo({ path: '/cold', method: 'POST', body: 'json' })], { requestTimeoutMs: 50 })
    const { port: other } = await impatient.listen(0, '127.0.0.1')
    const socket = connect({ port: other, host: '127.0.0.1' })
    socket.write(begun)
    const text = await receive(socket)
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    await impatient.close()
  })
})
