import { beforeAll, describe, expect, test } from '@jest/globals'
import { routeTable } from '../../infra/gateway/route-table.mjs'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant

/** Requests that only read, though they are sent with a body (platform.md 2.3, and ours that change nothing). */
const READING_POSTS = [
  'POST /routing/list/:createdBy',
  'POST /routing/list/active/:createdBy',
  'POST /routing/evaluate',
  'POST /rule/get',
  'POST /merchant-account/:merchantId/seed-costs/simulate',
  'POST /routing/simulate',
  'POST /analytics/back-test',
  'POST /events/:merchantId',
]

const guarded = routeTable.flatMap(({ specs }) => specs).filter(({ access }) => access === 'protected')
const rows = guarded.map((spec) => [`${spec.method} ${spec.path}`, spec] as const)

beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

/** A session that was handed over with these permissions alone. */
const sessionWith = async (...permissions: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const issued = await call(server.url, 'POST /auth/admin/merchant-token', {
    body: { merchant_id: merchant.id, permissions },
    headers: admin,
  })
  const { json } = await call(server.url, 'POST /auth/admin/merchant-token/exchange', { body: { code: issued.json.code } })
  return { authorization: `Bearer ${json.token}` }
}

describe('what a session may do', () => {
  test.each(rows)('%s', async (name, { method, path, permission }) => {
    expect(permission).toBe(method === 'GET' || READING_POSTS.includes(name) ? 'routing:read' : 'routing:write')
    const url = path.replaceAll(/:(\w+)/g, (_, parameter: string) => (/merchantId|createdBy/.test(parameter) ? merchant.id : 'x'))
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (
        await call(server.url, `${method} ${url}`, {
          headers: { 'x-tenant-id': 'public', ...headers },
          ...(method !== 'GET' && { body: {} }),
        })
      ).text
    const refused = `This session does not have ${permission}`
    const other = permission === 'routing:read' ? 'routing:write' : 'routing:read'
    expect(await ask(await sessionWith(other, 'routing:everything'))).toContain(refused)
    expect(await ask(await sessionWith('something'))).toContain(refused)
    // Merchants close for good: the others still need this one.
    if (name !== 'DELETE /merchant-account/:merchantId') expect(await ask(await sessionWith(permission))).not.toContain('does not have')
  })
})
