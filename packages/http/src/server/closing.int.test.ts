import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { Route } from '../route.ts'
import { createSampleServer, sampleSpec } from './sample-server.fixture.ts'

const LARGE = 'x'.repeat(8 * 1024 * 1024)
const large: Route = { spec: sampleSpec({ path: '/large' }), handle: () => ({ status: 200, text: LARGE }) }

describe('a server that closes', () => {
  test('lets an answer come to its end that a client is reading', async () => {
    const server = createSampleServer([large])
    const { port } = await server.listen(0, '127.0.0.1')
    const client = connect({ port, host: '127.0.0.1' })
    client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'readable')
    const closed = server.close()
    let byteCount = 0
    client.on('data', (chunk: Buffer) => {
      byteCount += chunk.length
    })
    await once(client, 'close')
    await closed
    expect(byteCount).toBeGreaterThan(LARGE.length)
  })

  test('does not wait for ever for a client that does not read its answer', async () => {
    const server = createSampleServer([large], { closeTimeoutMs: 20 })
    const { port } = await server.listen(0, '127.0.0.1')
    const client = connect({ port, host: '127.0.0.1' })
    client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'readable')
    expect(await server.close()).toBeUndefined()
    client.destroy()
  })
})
