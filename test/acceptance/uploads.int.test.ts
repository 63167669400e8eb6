import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Answer, admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { feedbackClient } from '../support/feedback-client.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
beforeAll(async () => {
  server = await startServer({ dataDir: folder.path })
})
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const { configure, decide, report, audit, scoreAfter } = feedbackClient(
  () => server.url,
  () => merchant,
)

const outcome = (paymentId: string, change: object = {}) => ({
  merchantId: merchant.id,
  gateway: 'stripe',
  paymentId,
  status: 'FAILURE',
  ...change,
})
const ndjson = (outcomes: readonly unknown[]): string =>
  outcomes.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
const upload = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  call(server.url, 'POST /update-gateway-score/batch', {
    body,
    headers: { ...merchant.key, 'content-type': 'application/x-ndjson', ...headers },
  })

interface Line {
  readonly line: number
  readonly result: string
  readonly code?: string
  readonly message?: string
  readonly position?: string
}
const linesOf = ({ text }: Answer): readonly Line[] =>
  text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
/** The answer as one whose header names the position of its last accepted line. */
const lastOf = (answer: Answer): Answer => {
  const position = linesOf(answer).findLast(({ result }) => result === 'accepted')?.position ?? ''
  return { ...answer, headers: new Headers({ 'x-log-position': position }) }
}

describe('POST /update-gateway-score/batch', () => {
  test('each line has its result; a bad one loses nothing else', async () => {
    await configure({})
    for (const paymentId of ['p_1', 'p_2', 'p_3']) await decide(paymentId)
    const other = await createMerchant(server.url)
    const answer = await upload(
      ndjson([
        outcome('p_1'),
        '{"merchantId":',
        outcome('p_2', { status: 'charged' }),
        '',
        outcome('p_2', { gateway: undefined }),
        outcome('p_2', { merchantId: other.id }),
        outcome('p_1'),
        `"${'x'.repeat(70_000)}"`,
        outcome('p_3', { gateway: 'adyen', status: 'DECLINED' }),
      ]),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(linesOf(answer)).toEqual([
      { line: 1, result: 'accepted', position: expect.stringMatching(/^payments-\d+-\d+$/) },
      { line: 2, result: 'refused', code: 'INVALID_INPUT', message: expect.any(String) },
      { line: 3, result: 'refused', code: 'INVALID_INPUT', message: expect.stringContaining('status') },
      { line: 5, result: 'refused', code: 'INVALID_INPUT', message: expect.stringContaining('gateway') },
      { line: 6, result: 'refused', code: 'MERCHANT_FOREIGN', message: expect.stringContaining('merchantId') },
      { line: 7, result: 'duplicate' },
      { line: 8, result: 'refused', code: 'INVALID_INPUT', message: 'longer than 65536 bytes' },
      { line: 9, result: 'accepted', position: expect.any(String) },
    ])
    const last = lastOf(answer)
    expect(await scoreAfter(last)).toBeCloseTo(0.9, 10)
    expect(await scoreAfter(last, 'adyen')).toBeCloseTo(0.9, 10)
  })

  test('a JSON array is taken as well, and errors are classified as in single reports', async () => {
    await configure({})
    await decide('p_1')
    const errorInfo = { connector: 'stripe', errorCode: 'expired_card' }
    const answer = await upload(JSON.stringify([outcome('p_1', { errorInfo }), 5, outcome('p_unknown')], null, 2))
    expect(linesOf(answer)).toMatchObject([
      { line: 1, result: 'accepted' },
      { line: 2, result: 'refused' },
      { line: 3, result: 'accepted' },
    ])
    const { json } = await audit('p_1', lastOf(answer))
    expect(json.timeline.at(-1).details_json.response.gsm_info).toMatchObject({ unifiedCode: 'UE_1000' })
  })

  test('an upload with a key can be repeated: nothing is recorded twice, also after a restart', async () => {
    await configure({})
    const paymentIds = Array.from({ length: 300 }, (_, i) => `p_${i}`)
    await Promise.all(paymentIds.map((paymentId) => decide(paymentId)))
    const key = { 'idempotency-key': 'report-2026-11-21' }
    const body = ndjson(paymentIds.map((paymentId) => outcome(paymentId)))
    const half = ndjson(paymentIds.slice(0, 150).map((paymentId) => outcome(paymentId)))
    expect(linesOf(await upload(half, key)).map(({ result }) => result)).toEqual(new Array(150).fill('accepted'))
    const whole = await upload(body, key)
    expect(linesOf(whole).map(({ result }) => result)).toEqual([...new Array(150).fill('duplicate'), ...new Array(150).fill('accepted')])
    const entryCount = (await audit('p_1', lastOf(whole))).json.timeline.length
    await server.stop()
    server = await startServer({ dataDir: folder.path })
    const again = await upload(body, key)
    expect(new Set(linesOf(again).map(({ result }) => result))).toEqual(new Set(['duplicate']))
    const flush = await report('p_flush', 'CHARGED')
    expect((await audit('p_1', flush)).json.timeline).toHaveLength(entryCount)
    expect(await scoreAfter(flush)).toBe(0)
  })

  test('a key that is used for other outcomes loses none of them silently', async () => {
    const key = { 'idempotency-key': 'k' }
    await upload(ndjson([outcome('p_1'), outcome('p_2')]), key)
    expect(linesOf(await upload(ndjson([outcome('p_1'), outcome('p_3'), outcome('p_4')]), key))).toMatchObject([
      { line: 1, result: 'duplicate' },
      { line: 2, result: 'refused', code: 'IDEMPOTENCY_KEY_REUSED' },
      { line: 3, result: 'accepted' },
    ])
  })

  test('two uploads of one key at the same time count once', async () => {
    await configure({ defaultBucketSize: 100 })
    const paymentIds = Array.from({ length: 20 }, (_, i) => `p_${i}`)
    await Promise.all(paymentIds.map((paymentId) => decide(paymentId)))
    const body = ndjson(paymentIds.map((paymentId) => outcome(paymentId)))
    const answers = await Promise.all([upload(body, { 'idempotency-key': 'k' }), upload(body, { 'idempotency-key': 'k' })])
    const flush = await report('p_flush', 'CHARGED')
    expect(await scoreAfter(flush)).toBeCloseTo(0.8, 10)
    expect((await audit('p_1', flush)).json.timeline).toHaveLength(2)
    for (const answer of answers) expect(linesOf(answer)).toHaveLength(20)
  })

  test('an admin may report for several merchants, but for none that does not exist', async () => {
    const other = await createMerchant(server.url)
    const body = ndjson([outcome('p_1'), outcome('p_1', { merchantId: other.id }), outcome('p_1', { merchantId: 'nobody' })])
    const answer = await call(server.url, 'POST /update-gateway-score/batch', { body, headers: admin })
    expect(linesOf(answer)).toMatchObject([
      { result: 'accepted' },
      { result: 'accepted' },
      { result: 'refused', code: 'MERCHANT_NOT_FOUND' },
    ])
  })

  test('beyond a hundred thousand outcomes the rest is refused', async () => {
    const body = ndjson(Array.from({ length: 100_050 }, (_, i) => (i < 3 || i > 99_990 ? outcome(`p_${i}`) : '{}')))
    const lines = linesOf(await upload(body))
    expect(lines).toHaveLength(100_001)
    expect(lines[99_999]).toMatchObject({ line: 100_000, result: 'accepted' })
    expect(lines[100_000]).toMatchObject({ line: 100_001, result: 'refused', code: 'TOO_MANY_OUTCOMES' })
  })

  test.each([
    ['no credential', { 'x-api-key': '' }, 401],
    ['a key with a space', { 'idempotency-key': 'a b' }, 400],
    ['a key that is too long', { 'idempotency-key': 'k'.repeat(129) }, 400],
    ['an encoding', { 'content-encoding': 'gzip' }, 400],
  ])('%s is refused as a whole', async (_name, headers, status) => {
    expect((await upload(ndjson([outcome('p_1')]), headers)).status).toBe(status)
  })

  test('an upload that announces too much is refused before it is read', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${server.url}/update-gateway-score/batch`, {
        method: 'POST',
        headers: { ...merchant.key, 'content-length': String(64 * 1024 * 1024 + 1) },
      })
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(status).toBe(413)
  })

  test('nothing to record is an empty answer', async () => {
    expect([(await upload('')).text, (await upload('[]')).text]).toEqual(['', ''])
  })

  test('results come while the upload is still being sent', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const sent = request(`${server.url}/update-gateway-score/batch`, { method: 'POST', headers: merchant.key })
      sent.on('response', (response) => {
        response.once('data', (chunk) => {
          resolve(String(chunk))
          sent.destroy()
        })
      })
      sent.on('error', (error) => reject(error))
      sent.write(`${JSON.stringify(outcome('p_1'))}\n`)
    })
    expect(JSON.parse(first)).toMatchObject({ line: 1, result: 'accepted' })
    expect((await upload(ndjson([outcome('p_2')]))).status).toBe(200)
  })

  test('slow uploads of one merchant leave places for those of others', async () => {
    const slow = Array.from({ length: 4 }, () => {
      const sent = request(`${server.url}/update-gateway-score/batch`, { method: 'POST', headers: merchant.key })
      sent.on('error', () => undefined)
      sent.write(`${JSON.stringify(outcome('p_1'))}\n`)
      return { sent, status: new Promise((resolve) => sent.on('response', ({ statusCode }) => resolve(statusCode))) }
    })
    try {
      const statuses = await Promise.all(slow.map(({ status }) => status))
      const other = await createMerchant(server.url)
      const body = ndjson([outcome('p_1', { merchantId: other.id })])
      expect(linesOf(await upload(body, other.key))).toMatchObject([{ result: 'accepted' }])
      expect(statuses.toSorted()).toEqual([200, 200, 503, 503])
    } finally {
      for (const { sent } of slow) sent.destroy()
    }
  })
})

test('an upload that was begun for a merchant reports nothing for the one that has its id by the end', async () => {
  const headers = { ...merchant.key, 'content-type': 'application/x-ndjson', expect: '100-continue' }
  const sent = request(`${server.url}/update-gateway-score/batch`, { method: 'POST', headers })
  const response = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  await new Promise<void>((resolve) => {
    sent.once('continue', resolve).flushHeaders()
  })
  await call(server.url, `DELETE /merchant-account/${merchant.id}`, { headers: merchant.key })
  await createMerchant(server.url, merchant.id)
  sent.end(ndjson([outcome('p_1')]))
  let text = ''
  for await (const piece of await response) text += String(piece)
  expect(JSON.parse(text)).toMatchObject({ line: 1, result: 'refused', code: 'MERCHANT_NOT_FOUND' })
})
