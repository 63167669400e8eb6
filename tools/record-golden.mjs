// Records the log of a small life of the service, and the read models that it gives, for test/golden: one folder a release,
// never edited afterwards. Usage: npm run golden:record -- <version>
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { TOPICS } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { liveOneLife } from './golden-life.mjs'
import { root } from './schemas.mjs'

const [version] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('name the release, for example 0.1.0')
const target = join(root, 'test/golden/recorded', version)
if (existsSync(target)) throw new Error(`${target} exists: a recorded log is never edited`)

/** The secret of the link of a kind that was mailed to an address; waits for the mail. */
const linkTo = async (email, kind) => {
  const outbox = join(dataDir, 'outbox')
  for (;;) {
    const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
    const texts = mails.map((name) => readFileSync(join(outbox, name), 'utf8'))
    const found = texts.find((text) => text.includes(`To: ${email}`) && text.includes(`/${kind}?`))
    if (found !== undefined) return /token=(\S+)/.exec(found)[1]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-golden-'))
const env = {
  ...process.env,
  PORT: '0',
  SWITCHYARD_DATA_DIR: dataDir,
  SWITCHYARD_LOG_LEVEL: 'warn',
  SWITCHYARD_EMAIL_VERIFICATION: 'on',
  SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
  SR_AUTO_CALIBRATION_INTERVAL_SECS: '1',
  SWITCHYARD_SR_AUTO_CALIBRATION__MIN_VOLUME: '1',
}
const server = spawn(process.execPath, [join(root, 'services/standalone/dist/bundle/main.js')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = await new Promise((resolve) => server.stdout.on('data', (text) => resolve(/http:\S+/.exec(String(text))?.[0])))
await liveOneLife(url, linkTo)
server.kill('SIGTERM')
await new Promise((resolve) => server.once('exit', resolve))

const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'owner' })
// Two replicas that accept the same event at the same time are more than a life of one process can show.
const data = { merchantId: 'm_golden', chainId: 'evt_golden_twice', profileId: 'default', duplicateOf: 'evt_golden_first', at: Date.now() }
const retracted = createEventCodec(publishedSchemaIds(), { strict: true }).encode({ type: 'WebhookEventRetracted', data })
const headers = { id: 'golden-retracted', type: 'switchyard.webhooks.WebhookEventRetracted' }
await log.append('webhooks', [{ key: data.merchantId, value: retracted, headers }])
// A password is hashed anew when a later process has another cost; this one has no account here, so it changes nothing.
const person = { userId: 'golden-nobody', passwordHash: '$argon2id$v=19$m=64,t=1,p=1$golden', at: Date.now() }
const rehashed = createEventCodec(publishedSchemaIds(), { strict: true }).encode({ type: 'PasswordRehashed', data: person })
await log.append('config', [
  { key: person.userId, value: rehashed, headers: { id: 'golden-rehashed', type: 'switchyard.config.PasswordRehashed' } },
])
const lines = []
const types = new Set()
for (const topic of TOPICS) {
  for await (const batch of log.read(topic, new Map())) {
    for (const { key, headers, position, value } of batch) {
      types.add(headers.type.split('.').at(-1))
      lines.push(JSON.stringify({ topic, key, headers, position, value: Buffer.from(value).toString('base64') }))
    }
  }
}
await log.close()
rmSync(dataDir, { recursive: true })
const missing = Object.keys(EVENT_CATALOGUE).filter((type) => !types.has(type))
if (missing.length > 0) throw new Error(`the recorded life lacks ${missing.join(', ')}`)
mkdirSync(target, { recursive: true })
writeFileSync(join(target, 'log.ndjson'), `${lines.join('\n')}\n`)
console.log(`${lines.length} records; run the golden test once with GOLDEN_RECORD=${version} to store their views`)
