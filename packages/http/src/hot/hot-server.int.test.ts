import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  createSampleServer,
  createSlowRoute,
  echo,
  SAMPLE_KEY,
  type SampleServer,
  type SlowRoute,
  sampleOptions,
} from '../server/sample-server.fixture.ts'
import { createHotServer, type HotServer } from './hot-server.ts'
import { openRawClient, type RawClient } from './raw-client.fixture.ts'

const hotSpec = { access: 'protected', method: 'POST', body: 'raw-json', hot: true } as const
const requestOf = (body: string, path = '/hot'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${SAMPLE_KEY}\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`
const COLD = 'GET /cold HTTP/1.1\r\nHost: x\r\n\r\n'

/** A hot server with a listener in front of it, and a whole server behind it that takes over what it passes on. */
describe('a hot server', () => {
  let listener: Server
  let hot: HotServer
  let whole: SampleServer
  let slow: SlowRoute
  const clients: RawClient[] = []

  beforeEach(async () => {
    slow = createSlowRoute({ ...hotSpec, path: '/slow' }, { status: 200, body: 'late' })
    const routes = [echo({ ...hotSpec, path: '/hot' }), slow.route, echo({ path: '/cold' })]
    whole = createSampleServer(routes)
    await whole.listen(0, '127.0.0.1')
    hot = createHotServer({ ...sampleOptions(routes), passOn: (socket: Socket, bytes: Buffer) => whole.adopt(socket, bytes) })
    listener = createServer({ allowHalfOpen: true, noDelay: true }, hot.accept)
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    slow.answer()
    for (const client of clients.splice(0)) client.end()
    listener.close()
    await Promise.all([hot.close(), whole.close()])
  })

  const open = (): RawClient => {
    const address = listener.address()
    const client = openRawClient(typeof address === 'object' && address !== null ? address.port : 0)
    clients.push(client)
    return client
  }

  test('answers plain requests to hot routes, and passes a connection on with what it has read of another', async () => {
    const client = open()
    await client.write(requestOf('1') + requestOf('2') + COLD + requestOf('3'))
    expect(await client.answer()).toContain('"body":1')
    expect(await client.answer()).toContain('"body":2')
    expect(await client.answer()).toContain('"body":null')
    expect(await client.answer()).toContain('"body":3')
    await client.write(requestOf('4'))
    expect(await client.answer()).toContain('"body":4')
  })

  test('drained, it answers and ends the connection', async () => {
    const client = open()
    await client.write(requestOf('1'))
    expect(await client.answer()).toContain('Connection: keep-alive')
    hot.drain()
    await client.write(requestOf('2'))
    expect(await client.closed()).toContain('connection: close')
  })

  test('closing ends idle connections, lets a running request finish, and takes nothing more', async () => {
    const [idle, running] = [open(), open()]
    await idle.write(requestOf('1'))
    await idle.answer()
    await running.write(requestOf('1', '/slow'))
    await slow.entered
    const closing = hot.close()
    expect(await idle.closed()).toBe('')
    slow.answer()
    const answer = await running.closed()
    expect(answer).toContain('"late"')
    expect(answer).toContain('connection: close')
    await closing
    expect(await open().closed()).toBe('')
  })

  test('a whole server waits at its end for the connections that it has adopted, and takes none afterwards', async () => {
    const client = open()
    await client.write(COLD)
    await client.answer()
    await client.write(requestOf('1', '/slow'))
    await slow.entered
    let isClosed = false
    const closing = whole.close().then(() => (isClosed = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    slow.answer()
    expect(await client.closed()).toContain('"late"')
    await closing
    const late = open()
    await late.write(COLD)
    expect(await late.closed()).toBe('')
  })

  test('a whole server that closes takes what the other one has begun to read, until that is closed, too', async () => {
    const client = open()
    await client.write(requestOf('1'))
    await client.answer()
    const head = 'POST /cold HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
    await client.write(head.slice(0, 8))
    // The other end has it by the time that a further connection is answered.
    const later = open()
    await later.write(requestOf('2'))
    await later.answer()
    const helped = hot.close()
    const closing = whole.close(helped)
    expect(await later.closed()).toBe('')
    await client.write(head.slice(8))
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 405 [^]*connection: close/)
    await Promise.all([helped, closing])
  })
})
