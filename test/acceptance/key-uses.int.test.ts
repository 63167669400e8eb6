import { afterAll, expect, test } from '@jest/globals'
import { call, createMerchant, eventually } from '../support/client.ts'
import { startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

test('the list of keys says when each was used last, to the minute', async () => {
  const first = await startServer({ dataDir: folder.path })
  const { id, key } = await createMerchant(first.url)
  const unused = await call(first.url, 'POST /api-key/create', { body: { merchant_id: id }, headers: key })
  // What was used in the minute under way is told when the service stops.
  await first.stop()
  const server = await startServer({ dataDir: folder.path })
  try {
    const list = () => call(server.url, `GET /api-key/list/${id}`, { headers: key })
    const { json } = await eventually('the last use', list, (answer) => typeof answer.json[0]?.last_used_at === 'string')
    expect(Date.parse(json[0].last_used_at) % 60_000).toBe(0)
    expect(Math.abs(Date.now() - Date.parse(json[0].last_used_at))).toBeLessThan(600_000)
    expect(json[1]).toMatchObject({ key_id: unused.json.key_id, last_used_at: null })
  } finally {
    await server.stop()
  }
}, 90_000)
