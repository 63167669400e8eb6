import { once } from 'node:events'
import { createServer, type Server, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { echo, SAMPLE_KEY, sampleOptions } from '../server/sample-server.fixture.ts'
import { createHotServer, type HotServerOptions } from './hot-server.ts'
import { openRawClient, type RawClient } from './raw-client.fixture.ts'
import { receiveIntoShared } from './shared-buffer.ts'

const CLIENT_COUNT = 6
/** The server runs in this thread: after so many turns it has read what was written. */
const TURN_COUNT = 10

const headOf = (length: number, key = SAMPLE_KEY): string =>
  `POST /hot HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: ${length}\r\n\r\n`
const requestOf = (body: string): string => headOf(body.length) + body
const routes = [echo({ access: 'protected', method: 'POST', body: 'raw-json', hot: true, path: '/hot' })]

const send = async (client: RawClient | undefined, ...pieces: readonly string[]): Promise<void> => {
  for (const piece of pieces) {
    await client?.write(piece)
    for (let turn = 0; turn < TURN_COUNT; turn++) await nextTurn()
  }
}

const nobody: HotServerOptions['passOn'] = (socket) => void socket.destroy()

describe('bytes that sockets receive into one buffer', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** Clients of a hot server; `prepare` sees each socket before the server does. */
  const start = async (
    count: number,
    { passOn = nobody, prepare = () => {}, ...options }: Partial<HotServerOptions> & { readonly prepare?: (socket: Socket) => void } = {},
  ): Promise<readonly RawClient[]> => {
    const hot = createHotServer({ ...sampleOptions(routes), ...options, passOn })
    const listener: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      prepare(socket)
      hot.accept(socket)
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = Object(listener.address())
    const clients = Array.from({ length: count }, () => openRawClient(port))
    ends.push(
      () => listener.close(),
      () => hot.close(),
      () => clients.forEach((client) => void client.end()),
    )
    return clients
  }

  test('stay those of their connection, however requests of many are cut and mixed', async () => {
    const clients = await start(CLIENT_COUNT)
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 300 })
    const sent = fc.array(fc.record({ client: fc.nat(CLIENT_COUNT - 1), text, cut: fc.nat(500) }), { minLength: 2, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(sent, async (requests) => {
        const turns = new Map<number, Promise<void>>()
        const ask = async (client: RawClient | undefined, body: string, cut: number): Promise<void> => {
          const request = requestOf(body)
          await send(client, request.slice(0, cut), request.slice(cut))
          expect(await client?.answer()).toContain(`"body":${body},"caller"`)
        }
        for (const { client, text, cut } of requests) {
          const before = turns.get(client) ?? Promise.resolve()
          turns.set(
            client,
            before.then(() => ask(clients[client], JSON.stringify(text), cut)),
          )
        }
        await Promise.all(turns.values())
      }),
      { numRuns: 60 },
    )
  })

  test('are kept where a body is read later than it came', async () => {
    let learn = (): void => {}
    const learned = new Promise<void>((resolve) => (learn = resolve))
    let isKnown = false
    const options = sampleOptions(routes, { knows: () => isKnown, refreshCredentials: () => learned })
    const [early, late] = await start(2, options)
    await send(early, requestOf('"early"'))
    await send(late, headOf(6, 'another') + '"late"')
    isKnown = true
    learn()
    expect(await early?.answer()).toContain('"body":"early"')
    expect(await late?.answer()).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('are passed on as a stream to whoever takes the connection', async () => {
    let received = ''
    const passOn = (socket: Socket, bytes: Buffer): void => {
      socket.unshift(bytes)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (received.endsWith('end')) socket.end('over')
      })
      socket.resume()
    }
    const [client] = await start(1, { passOn })
    await send(client, 'GET /cold', ' and more, ', 'end')
    expect(await client?.closed()).toBe('over')
    expect(received).toBe('GET /cold and more, end')
  })

  test('come in pieces of their own where a socket has no such way', async () => {
    const prepare = (socket: Socket): void => void Reflect.set(Object(Reflect.get(socket, '_handle')), 'useUserBuffer', undefined)
    const [client] = await start(1, { prepare })
    await send(client, requestOf('1') + requestOf('2').slice(0, 40))
    expect(await client?.answer()).toContain('"body":1')
    await client?.write(requestOf('2').slice(40))
    expect(await client?.answer()).toContain('"body":2')
  })

  test('are none where a socket is none of the network', () => {
    expect(receiveIntoShared(new Socket(), () => true)).toBe(false)
  })
})
