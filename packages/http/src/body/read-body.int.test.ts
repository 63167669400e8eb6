import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { SMALL_BODY_BYTES_MAX } from '../limits.ts'
import { createBodyRoom } from './body-room.ts'
import { type ReadBody, readBody } from './read-body.ts'

const LARGE_BYTES = 1024 * 1024

describe('bodies that are collected', () => {
  let server: Server
  let clients: Socket[]
  let bodies: readonly ReadBody[]

  beforeEach(async () => {
    // Clients of a test before this one may be told of late.
    const told: ReadBody[] = []
    bodies = told
    clients = []
    const room = createBodyRoom(2 * LARGE_BYTES)
    server = createServer((request, response) => {
      readBody(request, { byteCountMax: 2 * LARGE_BYTES, room }, (body) => {
        told.push(body)
        response.end(Buffer.isBuffer(body) ? 'whole' : body)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    for (const client of clients) client.destroy()
    server.close()
    await once(server, 'close')
  })

  /** Of a body all but its last byte. */
  const begin = (byteCount: number): Socket => {
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    clients.push(client)
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${byteCount}\r\n\r\n`)
    client.write(Buffer.alloc(byteCount - 1))
    return client
  }
  const answerTo = async (client: Socket): Promise<string> => String(await once(client, 'data')).split('\r\n\r\n')[1] ?? ''

  /** Begins three where there is room for two; the one that is refused, and the others. */
  const beginTooMany = async () => {
    const begun = [begin(LARGE_BYTES), begin(LARGE_BYTES), begin(LARGE_BYTES)]
    const refused = await Promise.any(begun.map(async (client) => ({ client, answer: await answerTo(client) })))
    return { refusal: refused.answer, others: begun.filter((client) => client !== refused.client) }
  }
  const complete = (client: Socket): Promise<string> => {
    client.write('.')
    return answerTo(client)
  }

  test('are refused when those that come at the same time take all the room, and taken again behind them', async () => {
    const { refusal, others } = await beginTooMany()
    expect(refusal).toBe('too-many')
    expect(await Promise.all(others.map(complete))).toEqual(['whole', 'whole'])
    expect(await complete(begin(LARGE_BYTES))).toBe('whole')
  })

  test('are taken whatever the others do when they are small', async () => {
    await beginTooMany()
    expect(await complete(begin(SMALL_BODY_BYTES_MAX))).toBe('whole')
  })

  test('leave their room when their clients go away', async () => {
    const { others } = await beginTooMany()
    for (const client of others) client.destroy()
    while (bodies.length < 3) await new Promise((resolve) => setImmediate(resolve))
    expect(bodies).toEqual(['too-many', 'aborted', 'aborted'])
    expect(await complete(begin(LARGE_BYTES))).toBe('whole')
  })
})
