import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { JSON_BODY_BYTES_MAX, LARGE_BODIES_BYTES_MAX } from '../limits.ts'
import { createSampleServer, echo, SAMPLE_KEY, type SampleServer } from './sample-server.fixture.ts'

const CLIENT_COUNT = Math.ceil(LARGE_BODIES_BYTES_MAX / JSON_BODY_BYTES_MAX) + 2

let server: SampleServer
let clients: Socket[] = []
afterEach(async () => {
  for (const client of clients) client.destroy()
  clients = []
  await server.close()
})

test('bodies that anybody sends are bounded together while they come, and those of known callers beside them', async () => {
  const post = { method: 'POST', body: 'json' } as const
  server = createSampleServer([echo({ path: '/open', ...post }), echo({ path: '/guarded', access: 'protected', ...post })])
  const { port, url } = await server.listen(0, '127.0.0.1')
  const begun = Buffer.alloc(JSON_BODY_BYTES_MAX - 1, ' ')
  clients = Array.from({ length: CLIENT_COUNT }, () => connect(port, '127.0.0.1'))
  const answers = clients.map(async (client) => {
    client.write(`POST /open HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${JSON_BODY_BYTES_MAX}\r\n\r\n`)
    client.write(begun)
    return String(await once(client, 'data'))
  })
  const refusal = await Promise.any(answers)
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /)
  expect(refusal).toContain('Too many large request bodies')
  const headers = { 'content-type': 'application/json', 'x-api-key': SAMPLE_KEY }
  const [large, small] = [JSON.stringify('x'.repeat(JSON_BODY_BYTES_MAX - 2)), '{}']
  const ask = async (path: string, body: string): Promise<number> => (await fetch(url + path, { method: 'POST', headers, body })).status
  expect([await ask('/guarded', large), await ask('/open', small)]).toEqual([200, 200])
})
