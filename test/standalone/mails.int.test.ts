import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant } from '../support/client.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const password = 'Blue#Sky2024'
const outbox = join(folder.path, 'outbox')

/** The mails of the outbox to an address; waits for one. */
const mailTo = async (email: string): Promise<string> => {
  const deadline = Date.now() + 15_000
  while (Date.now() < deadline) {
    const names = readdirSync(folder.path).includes('outbox') ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
    const found = names.map((name) => readFileSync(join(outbox, name), 'utf8')).find((text) => text.includes(`To: ${email}\r\n`))
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`no mail to ${email} came`)
}

describe('mails of a process without a mail server', () => {
  test('stand in the data folder, for its owner; their links outlive a restart, and work once', async () => {
    const env = { SWITCHYARD_MAIL_BASE_URL: 'https://pay.example.test/app' }
    const first = await startStandalone({ dataDir: folder.path, env })
    const { id } = await createMerchant(first.url)
    const body = { email: 'ann@example.test', password, merchant_id: id }
    const { json: session } = await call(first.url, 'POST /auth/signup', { body, headers: admin })
    expect((await call(first.url, 'POST /auth/forgot-password', { body: { email: 'ann@example.test' } })).status).toBe(200)
    const text = await mailTo('ann@example.test')
    expect(statSync(outbox).mode & 0o777).toBe(0o700)
    const token = /https:\/\/pay\.example\.test\/app\/reset-password\?token=(\S+)/.exec(text)?.[1]
    expect(token).toBeDefined()
    await first.kill()

    const second = await startStandalone({ dataDir: folder.path, env })
    try {
      const reset = () => call(second.url, 'POST /auth/reset-password', { body: { token, new_password: 'Green#Sea2025' } })
      expect((await reset()).status).toBe(200)
      expect((await reset()).status).toBe(400)
      const own = { authorization: `Bearer ${session.token}` }
      expect((await call(second.url, 'GET /auth/me', { headers: own })).status).toBe(401)
      expect((await call(second.url, `GET /merchant-account/${id}`, { headers: own })).status).toBe(401)
      expect(second.output()).not.toContain(token ?? '')
      expect(readdirSync(outbox).filter((name) => name.endsWith('.eml'))).toHaveLength(1)
    } finally {
      await second.stop()
    }
  })
})
