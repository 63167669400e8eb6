import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { legacyDecision, legacyOutcome } from '../support/legacy-bodies.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
beforeAll(async () => {
  // So slow that the bucket gains nothing while the test runs.
  const env = { SWITCHYARD_RATE_LIMIT_READ: 'off', SWITCHYARD_RATE_LIMIT_WRITE: '1/3', SWITCHYARD_RATE_LIMIT_HOT: 'off' }
  server = await startServer({ dataDir: folder.path, env })
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

test('a credential that writes too much is told when to come again; reads, decisions, others and the admin go on', async () => {
  const write = (headers: Readonly<Record<string, string>>) =>
    call(server.url, `POST /merchant-account/${merchant.id}/debit-routing`, { body: { enabled: true }, headers })
  const answers = await Promise.all(Array.from({ length: 12 }, () => write(merchant.key)))
  const refused = answers.find(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3)
  expect(refused?.json).toEqual({ code: 'TE_00', message: expect.stringContaining('Too many requests'), data: null })
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(refused?.headers.get('ratelimit-policy')).toBe('"write";q=3;w=3')
  expect(refused?.headers.get('ratelimit')).toMatch(/^"write";r=0;t=\d$/)
  expect(refused?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{32,36}$/)

  expect((await write(admin)).status).toBe(200)
  expect((await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: merchant.key })).status).toBe(200)
  const decide = () => call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'p'), headers: merchant.key })
  const decided = await Promise.all(Array.from({ length: 20 }, decide))
  expect([...new Set(decided.map(({ status }) => status))]).toEqual([200])
  expect(decided[0]?.headers.get('ratelimit')).toBeNull()
})

test('payments of an older integration are limited as those of a newer one: not as changes to the configuration', async () => {
  const send = async (path: string, body: unknown) => (await call(server.url, `POST ${path}`, { body, headers: merchant.key })).status
  const statuses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => [
      send('/decision_gateway', legacyDecision(merchant.id, `p_${index}`)),
      send('/update-score', legacyOutcome(merchant.id, `p_${index}`)),
    ]).flat(),
  )
  expect([...new Set(statuses)]).toEqual([200])
})
