import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { STREAMED_REPLY_BUFFER_BYTES_MAX } from '../limits.ts'
import { streamReply } from './stream-reply.ts'

const SILENCE_MAX_MS = 600
const PIECE = `${'x'.repeat(1024 * 1024 - 1)}\n`
const BUFFERED_PIECE_COUNT = STREAMED_REPLY_BUFFER_BYTES_MAX / PIECE.length

let server: Server
let client: Socket
afterEach(async () => {
  client.destroy()
  server.close()
  await once(server, 'close')
})

/** An answer of so many pieces to a client that has not read anything; `made` counts them. */
const answering = async (pieceCount: number) => {
  const seen = { made: 0, isGivenUp: false, settledCount: 0 }
  const pieces = async function* (): AsyncGenerator<string> {
    try {
      for (; seen.made < pieceCount; seen.made++) yield PIECE
    } finally {
      seen.isGivenUp = true
    }
  }
  const ended = new EventEmitter()
  const settled = Promise.all([once(ended, 'settled'), once(ended, 'sent')])
  const onSettled = (): void => {
    seen.settledCount += 1
    ended.emit('settled')
  }
  server = createServer((_, response) => {
    const context = { requestId: 'r_1', connection: 'keep' } as const
    const sent = streamReply(response, { status: 200, pieces: pieces(), onSettled }, context, SILENCE_MAX_MS)
    void sent.then(() => ended.emit('sent'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  client = connect(port, '127.0.0.1')
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return { seen, settled }
}

describe('an answer in pieces', () => {
  test.each([
    ['too large to wait in memory', BUFFERED_PIECE_COUNT * 2],
    ['that waits in memory as a whole', BUFFERED_PIECE_COUNT - 1],
  ])('%s does not wait for ever for a client that reads nothing', async (_name, pieceCount) => {
    const { seen, settled } = await answering(pieceCount)
    await settled
    expect(seen).toMatchObject({ isGivenUp: true, settledCount: 1 })
    expect(seen.made).toBeLessThan(BUFFERED_PIECE_COUNT * 2)
  })

  test('waits for a client that reads slowly, however long it takes', async () => {
    const { seen, settled } = await answering(BUFFERED_PIECE_COUNT * 2)
    let isSettled = false
    void settled.then(() => {
      isSettled = true
    })
    const startedAt = Date.now()
    let byteCount = 0
    client.on('data', (chunk) => {
      byteCount += chunk.length
      client.pause()
      if (!isSettled) setTimeout(() => client.resume(), 3)
    })
    client.resume()
    await settled
    expect(Date.now() - startedAt).toBeGreaterThan(SILENCE_MAX_MS)
    expect(seen).toEqual({ made: BUFFERED_PIECE_COUNT * 2, isGivenUp: true, settledCount: 1 })
    expect(byteCount).toBeGreaterThan(STREAMED_REPLY_BUFFER_BYTES_MAX)
  })
})
