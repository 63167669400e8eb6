import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { type ApprovalRate, approvalRates, fromFile } from '../../docs/examples/approval-rates.ts'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { switchyard } from '../support/operator.ts'
import { PYTHON, testWithPython } from '../support/python.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const PAYMENTS = 60
const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
const exported = join(folder.path, 'payments.ndjson')
let server: RunningServer
let merchant: TestMerchant
/** What the analytics read says. */
let read: readonly ApprovalRate[]

/** Every kind of report: settled, open, corrected, forced, and each told again now and then; a file with all ends of an attempt that is sent twice. */
const reportsOf = (i: number): readonly object[] => {
  const status = ['CHARGED', 'AUTHORIZATION_FAILED', 'PENDING_VBV', 'CHARGED', 'FAILURE'][i % 5]
  const first = { status, ...(i % 7 === 0 ? { enforceDynamicRoutingFailure: true } : {}) }
  const correction = i % 5 === 1 && i % 2 === 0 ? [{ status: 'CHARGED' }] : []
  const file = i % 11 === 0 ? [{ status: 'CHARGED' }, { status: 'DECLINED' }] : []
  return [first, ...(i % 3 === 0 ? [first] : []), ...correction, ...file, ...file]
}

beforeAll(async () => {
  server = await startServer({ dataDir })
  merchant = await createMerchant(server.url)
  const other = await createMerchant(server.url)
  for (const { id, key } of [merchant, other]) {
    for (let i = 0; i < PAYMENTS; i++) {
      const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: key })
      const decided = await post('/decide-gateway', decisionRequest(id, `pay_${i}`))
      for (const report of reportsOf(i)) {
        await post('/update-gateway-score', { merchantId: id, gateway: decided.json.decided_gateway, paymentId: `pay_${i}`, ...report })
      }
    }
  }
  const reports = Array.from({ length: PAYMENTS }, (_, i) => reportsOf(i).length).reduce((sum, count) => sum + count, 0)
  const { json } = await eventually(
    'all reports projected',
    () => call(server.url, 'GET /analytics/overview?range=1h', { headers: { ...merchant.key, 'x-tenant-id': 'public' } }),
    (answer) => answer.json.route_hits[1].count === reports,
  )
  read = json.gateway_outcomes.map(({ approval_rate: rate, ...counts }: ApprovalRate & { approval_rate: number | null }) => ({
    ...counts,
    rate,
  }))
  const { lines } = await switchyard(dataDir, 'replay', '--topic', 'payments', '--format', 'records')
  writeFileSync(exported, `${lines.join('\n')}\n`)
}, 60_000)

afterAll(async () => {
  await server.stop()
  await folder.remove()
})

describe('approval rates by gateway', () => {
  test('the analytics read has all kinds of outcomes to compare', () => {
    expect(read.length).toBeGreaterThan(1)
    for (const kind of ['approved', 'declined', 'pending'] as const) expect(read.some((rate) => rate[kind] > 0)).toBe(true)
  })

  test('recomputed from the topic they are the same, beside the running service', async () => {
    const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'reader' })
    expect(await approvalRates(log, { merchantId: merchant.id })).toEqual(read)
    await log.close()
  })

  test('and from an exported file', async () => {
    expect(await approvalRates(fromFile(exported), { merchantId: merchant.id })).toEqual(read)
    expect(await approvalRates(fromFile(exported), { merchantId: merchant.id, to: 0 })).toEqual([])
  })

  const python = (schemas: string): unknown => {
    const { stdout, stderr } = spawnSync(PYTHON, [pathOf('docs/examples/approval_rates.py'), exported, merchant.id, schemas], {
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }

  testWithPython('and in Python, with the schemas of the repository', async () => {
    expect(python(pathOf('schemas/published'))).toEqual(read)
  })
})

describe('switchyard replay', () => {
  const ndjson = async (...args: readonly string[]) => {
    const { code, lines } = await switchyard(dataDir, 'replay', ...args)
    expect(code).toBe(0)
    return lines.map((line) => JSON.parse(line))
  }

  test('prints the decoded events of one merchant', async () => {
    const events = await ndjson('--topic', 'payments', '--merchant', merchant.id, '--since', '2h', '--format', 'ndjson')
    expect(events.filter(({ type }) => type === 'GatewayDecided')).toHaveLength(PAYMENTS)
    expect(events[0]).toEqual({
      topic: 'payments',
      partition: expect.any(Number),
      offset: expect.any(Number),
      key: merchant.id,
      id: expect.any(String),
      type: 'GatewayDecided',
      schema: 'switchyard.payments.GatewayDecided',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      correlation: expect.anything(),
      trace: null,
      traceId: null,
      globalRequestId: null,
      actor: null,
      expectedVersion: null,
      data: expect.objectContaining({ merchantId: merchant.id, paymentId: 'pay_0' }),
    })
    const offsets = events.map(({ offset }) => offset)
    expect(offsets).toEqual(offsets.toSorted((a: number, b: number) => a - b))
  })

  test('leaves out what is not in the span', async () => {
    expect(await ndjson('--topic', 'payments', '--until', '2h')).toEqual([])
    expect((await ndjson('--topic', 'config')).length).toBeGreaterThan(1)
  })

  test.each([
    [['replay'], 'a topic is needed: config or payments'],
    [['replay', '--topic', 'payments', '--since', 'yesterday'], '--since is a span such as 2h'],
    [['replay', '--topic', 'payments', '--format', 'csv'], '--format is one of ndjson, records'],
    [['replay', '--topic', 'payments', '--limit', '3'], 'replay has no option --limit'],
    [['lag', 'extra'], 'lag has no argument extra'],
    [['reply'], 'reply is no command'],
  ])('a command line that is not understood says what to change: %j', async (args, message) => {
    const { code, lines, errors } = await switchyard(dataDir, ...args)
    expect({ code, lines }).toEqual({ code: 2, lines: [] })
    expect(errors).toContain(message)
  })

  test('a folder without data stays as it is, and is named', async () => {
    const { code, errors } = await switchyard(join(folder.path, 'elsewhere'), 'replay', '--topic', 'payments')
    expect(code).toBe(2)
    expect(errors).toMatch(/SWITCHYARD_DATA_DIR: there is no data of Switchyard in .*elsewhere/)
  })
})

describe('docs/consuming-events.md', () => {
  const text = readFileSync(pathOf('docs/consuming-events.md'), 'utf8')
  const blocks = (language: string): readonly string[] =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

  test('its code is a part of the examples that are tested here', () => {
    const examples = ['docs/examples/approval-rates.ts', 'docs/examples/approval_rates.py']
      .map((path) => readFileSync(pathOf(path), 'utf8'))
      .join('\n')
    const own = [...blocks('ts'), ...blocks('python')]
    expect(own.length).toBeGreaterThanOrEqual(3)
    expect(own.filter((block) => !examples.includes(block))).toEqual([])
  })
})
