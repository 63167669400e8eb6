import { afterAll, expect, test } from '@jest/globals'
import { type Answer, call, createMerchant, eventually } from '../support/client.ts'
import { startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Of separate services each of them is another process. */
const EVERYWHERE = ['/analytics/overview', '/gsm/options', '/events/:id', '/merchant-account/:id/cost-ingestions'] as const

const usedOf = ({ json }: Answer): readonly unknown[] =>
  (json ?? []).filter(({ last_used_at: at }: { readonly last_used_at: unknown }) => typeof at === 'string')

test('the list of keys says when each was used last, to the minute, whichever service it was used with', async () => {
  const first = await startServer({ dataDir: folder.path })
  const { id, key } = await createMerchant(first.url)
  const newKey = async () => (await call(first.url, 'POST /api-key/create', { body: { merchant_id: id }, headers: key })).json
  const unused = await newKey()
  for (const path of EVERYWHERE) {
    const headers = { 'x-api-key': (await newKey()).api_key, 'x-tenant-id': 'public' }
    expect([path, (await call(first.url, `GET ${path.replace(':id', id)}`, { headers })).status]).toEqual([path, 200])
  }
  // What was used in the minute under way is told when the service stops.
  await first.stop()
  const server = await startServer({ dataDir: folder.path })
  try {
    const list = () => call(server.url, `GET /api-key/list/${id}`, { headers: key })
    const { json } = await eventually('the last use of all but one', list, (answer) => usedOf(answer).length === EVERYWHERE.length + 1)
    expect(Date.parse(json[0].last_used_at) % 60_000).toBe(0)
    expect(Math.abs(Date.now() - Date.parse(json[0].last_used_at))).toBeLessThan(600_000)
    expect(json[1]).toMatchObject({ key_id: unused.key_id, last_used_at: null })
  } finally {
    await server.stop()
  }
}, 90_000)
