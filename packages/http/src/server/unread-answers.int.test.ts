import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createOpenAnswers } from './open-answers.ts'
import { createAnswerProtocolError } from './protocol-errors.ts'
import { writeReply } from './write-reply.ts'

const SHORT_MS = 100
/** Longer than a busy machine lets a process stand still, and a small part of what reading takes with these pauses. */
const STANDSTILL_MS = 700
const READ_PAUSE_MS = 15
const LARGE = 'x'.repeat(8 * 1024 * 1024)
const CONTEXT = { requestId: 'r_1', connection: 'keep' } as const

describe('a client that leaves its answer lying', () => {
  let server: Server
  let client: Socket
  afterEach(async () => {
    client.destroy()
    server.close()
    await once(server, 'close')
  })

  /** The connection as the server sees it. */
  const connected = async (listener: RequestListener): Promise<Socket> => {
    server = createServer(listener)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const accepted: Promise<unknown[]> = once(server, 'connection')
    client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    return (await accepted)[0] as Socket
  }

  test('is cut off when it reads nothing of it: such answers stayed in memory for good', async () => {
    const socket = await connected((_, response) => writeReply(response, { status: 200, text: LARGE }, CONTEXT, SHORT_MS))
    client.pause()
    // Several at once: behind the first one each waits for its turn.
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3))
    await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('is not cut off while it reads slowly', async () => {
    await connected((_, response) => writeReply(response, { status: 200, text: LARGE }, CONTEXT, STANDSTILL_MS))
    const startedMs = performance.now()
    let byteCount = 0
    client.on('data', (chunk) => {
      byteCount += chunk.length
      client.pause()
      setTimeout(() => client.resume(), READ_PAUSE_MS)
    })
    client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await once(client, 'end')
    expect(byteCount).toBeGreaterThan(LARGE.length)
    expect(performance.now() - startedMs).toBeGreaterThan(STANDSTILL_MS)
  })

  test('is cut off when it keeps a refused connection open: nobody counted its time any more', async () => {
    const socket = await connected(() => {})
    const refuse = createAnswerProtocolError({ answers: createOpenAnswers(), newId: () => 'id-1', lingerMs: SHORT_MS })
    server.on('clientError', refuse)
    client.write('NOTHING\r\n\r\n')
    const [answer] = await once(client, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
    await once(socket, 'close')
  })
})
