import { beforeAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { sendRaw, statusOf } from '../support/raw-request.ts'
import { useServer } from '../support/server.ts'

const server = useServer({ SWITCHYARD_LOG_LEVEL: 'info' })
let merchant: TestMerchant
let other: TestMerchant
beforeAll(async () => {
  merchant = await createMerchant(server.url)
  other = await createMerchant(server.url)
})

const decide = (body: string | Buffer) => raw('POST', '/decide-gateway', body)
const toggle = (body: string | Buffer) => raw('POST', `/merchant-account/${merchant.id}/debit-routing`, body)

/** Sends a body as the bytes that it is, with a key of the merchant. */
const raw = async (method: string, path: string, body: string | Buffer): Promise<{ readonly status: number; readonly body: string }> => {
  const bytes = Buffer.from(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    'connection: close',
    'content-type: application/json',
    `x-api-key: ${merchant.key['x-api-key']}`,
    `content-length: ${bytes.length}`,
  ]
  const answer = await sendRaw(server.url, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
  return { status: statusOf(answer), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
}

/** A decision request with this text put in as the first members of its payment. */
const withPayment = (members: string): string =>
  JSON.stringify(decisionRequest(merchant.id, 'p')).replace('"paymentInfo":{', `"paymentInfo":{${members},`)

describe('JSON that is read in two ways', () => {
  test('a member that is given twice is refused by name, in the form of the route', async () => {
    const twice = await toggle('{"enabled":true,"enabled":false}')
    expect([twice.status, twice.body]).toEqual([400, expect.stringContaining('the member `enabled` is given more than once')])
    const decision = await decide(JSON.stringify(decisionRequest(merchant.id, 'p')).replace('{', `{"merchantId":"${other.id}",`))
    expect([decision.status, JSON.parse(decision.body)]).toMatchObject([
      400,
      { error_info: { code: 'INVALID_INPUT', developer_message: 'the member `merchantId` is given more than once' } },
    ])
    expect((await decide(withPayment('"amount":1'))).status).toBe(400)
    expect((await decide(withPayment('"\\u0061mount":1'))).status).toBe(400)
  })

  test('in an upload only its line is refused', async () => {
    const line = (id: string) => `{"merchantId":"${merchant.id}","gateway":"stripe","paymentId":"${id}","status":"CHARGED"`
    const answer = await raw('POST', '/update-gateway-score/batch', `${line('a')},"status":"FAILURE"}\n${line('b')}}\n`)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.stringMatching(/"line":1,"result":"refused".*`status`[^]*"line":2,"result":"accepted"/),
    ])
  })

  test.each(['{"__proto__":{"enabled":true}}', '{"constructor":{"prototype":{"enabled":true}}}', '{"\\u005f_proto__":{"enabled":true}}'])(
    'prototypes come from nobody: %s',
    async (body) => {
      expect((await toggle(body)).status).toBe(422)
      expect((await toggle('{}')).status).toBe(422)
    },
  )

  test.each([
    ['deep nesting', '['.repeat(100_000), 400],
    ['deep nesting that is closed', `{"enabled":${'['.repeat(300)}${']'.repeat(300)}}`, 400],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400],
    ['half a character', '{"enabled":"\\ud800"}', 400],
    ['a byte order mark', '\ufeff{"enabled":true}', 400],
    ['UTF-16', Buffer.from('{"enabled":true}', 'utf16le'), 400],
    ['a comment', '{"enabled":true/**/}', 400],
    ['two values', '{"enabled":true}{"enabled":false}', 400],
    ['another type', '{"enabled":"true"}', 422],
    ['no object', '[true]', 422],
  ])('%s', async (_name, body, status) => {
    expect((await toggle(body)).status).toBe(status)
    expect((await decide(body)).status).toBe(400)
  })

  test.each(['1e999', '-1e999', '"12"', 'null', '[]'])('an amount of %s is none', async (amount) => {
    const body = JSON.stringify(decisionRequest(merchant.id, 'p')).replace('"amount":120.5', `"amount":${amount}`)
    expect((await decide(body)).status).toBe(400)
  })

  test.each(['1e400', '99999999999999999999', '20.5', '-1'])('a window of %s is none', async (size) => {
    const body = `{"merchant_id":"${merchant.id}","config":{"type":"successRate","data":{"defaultBucketSize":${size}}}}`
    const { status } = await raw('POST', '/rule/create', body)
    expect([400, 422]).toContain(status)
  })

  test('whom a path names can not be changed by a body, nor what is done by a header', async () => {
    await call(server.url, `POST /merchant-account/${merchant.id}/features/elimination`, {
      body: { enabled: true, merchant_id: other.id, merchantId: other.id },
      headers: {
        ...merchant.key,
        'x-http-method-override': 'DELETE',
        'x-original-url': `/merchant-account/${other.id}`,
        'x-rewrite-url': '/',
      },
    })
    const enabled = async ({ id, key }: TestMerchant): Promise<unknown> => {
      const { json } = await call(server.url, `GET /merchant-account/${id}/features`, { headers: key })
      return json.features.find(({ feature }: { readonly feature: string }) => feature === 'elimination').enabled
    }
    expect([await enabled(merchant), await enabled(other)]).toEqual([true, false])
  })
})

/** What is sent, or its name; the status of its refusal, and that of a gateway in front, where it refuses by itself. */
type Refused = readonly [string, number, number?]

describe('paths that mean something else', () => {
  test.each([
    ['/health/../merchant-account/x', 404],
    ['/health/%2e%2e/merchant-account/x', 404],
    ['//health', 404],
    ['/./health', 404],
    ['/health;x=1', 404],
    ['/health%00', 404, 400],
    ['/health%20', 404],
    ['/heal%74h', 404],
    ['/HEALTH', 404],
    ['/health?a=%', 400],
    ['/health#x', 400],
    ['/merchant-account/..%2f..%2fhealth', 404, 400],
    ['/merchant-account/%00', 404, 400],
    ['/merchant-account/%0d%0aset-cookie:%20a=b', 404],
    ['/merchant-account/%c0%af', 400],
    ['/merchant-account/%', 400],
    [`/merchant-account/${'a'.repeat(8_000)}`, 404],
    ['/merchant-account/__proto__', 404],
    ['/merchant-account/constructor', 404],
    [`/merchant-account/${'a'.repeat(20_000)}`, 431],
    ['*', 404, 400],
    ['health', 400],
  ] as readonly Refused[])('%s', async (path, ...statuses) => {
    const answer = await sendRaw(server.url, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-admin-secret: test_admin\r\n\r\n`)
    expect(statuses).toContain(statusOf(answer))
    expect(answer).not.toMatch(/set-cookie/i)
  })
})

describe('messages that end elsewhere', () => {
  const head = 'POST /decide-gateway HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
  test.each([
    ['a length with a sign', `${head}content-length: +2\r\n\r\n{}`, 400],
    ['two lengths in one', `${head}content-length: 2, 2\r\n\r\n{}`, 400],
    ['a length and chunks', `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['chunks that are not the last coding', `${head}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400, 501],
    ['chunks by another name', `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`, 400, 501],
    ['a blank before a colon', `${head}content-length : 2\r\n\r\n{}`, 400],
    ['a folded header', `${head}x-a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a bare carriage return', `${head}x-a: b\rc\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a NUL in a header', `${head}x-a: b\0c\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['two hosts', 'GET /health HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n', 400],
    ['a second key', `${head}x-api-key: a\r\nx-api-key: b\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a second bearer', `${head}authorization: Bearer a\r\nAuthorization: Bearer b\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a second admin secret', `${head}x-admin-secret: test_admin\r\nX-Admin-Secret: x\r\ncontent-length: 2\r\n\r\n{}`, 400],
    [
      'a second tenant',
      'GET /health/diagnostics HTTP/1.1\r\nhost: x\r\nx-tenant-id: public\r\nx-tenant-id: other\r\nconnection: close\r\n\r\n',
      400,
    ],
    [
      'a second content type',
      `POST /auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`,
      422,
    ],
    ['an unknown version', 'GET /health HTTP/3.0\r\nhost: x\r\n\r\n', 400, 505],
    ['an unknown method', 'BREAK /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ] as readonly (readonly [string, string, number, number?])[])('%s', async (_name, bytes, ...statuses) => {
    expect(statuses).toContain(statusOf(await sendRaw(server.url, bytes)))
  })

  test('a tunnel', async () => {
    expect(await sendRaw(server.url, 'CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^$|^HTTP\/1.1 400 /)
  })
})

describe('what is told', () => {
  test('an unsigned token opens nothing', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { sub: 'u1', user_id: 'u1', merchant_id: merchant.id, role: 'admin', jti: 'j', exp: 9_999_999_999 }
    const token = `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
    const answer = await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, answer.json.message]).toEqual([401, 'Invalid or expired token'])
  })

  test('answers name no software, no file and nothing of what was sent; browsers of others get no leave', async () => {
    const secret = 'hunter2-4242424242424242'
    const answers = [
      await call(server.url, 'POST /auth/login', { body: `{"email":"a@b.example","password":${secret}}` }),
      await call(server.url, 'POST /auth/login', { body: { email: 'a@b.example', password: secret } }),
      await call(server.url, 'POST /auth/signup', { body: { email: 'a@b.example', password: [secret] } }),
      await call(server.url, 'POST /decide-gateway', {
        body: { merchantId: [secret] },
        headers: { ...merchant.key, origin: 'https://evil.example' },
      }),
      await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: { 'x-api-key': secret } }),
      await call(server.url, 'GET /health', { headers: { origin: 'https://evil.example' } }),
    ]
    for (const { text, headers } of answers) {
      expect(text).not.toMatch(/hunter2|4242|node_modules|\.ts:|\.js:|    at /)
      for (const name of ['x-powered-by', 'access-control-allow-origin']) expect(headers.get(name)).toBeNull()
      // A gateway in front may say that it is there, but not how old it is.
      expect([null, 'nginx']).toContain(headers.get('server'))
    }
  })

  test('nobody writes lines into the log, nor secrets', async () => {
    const before = server.output().length
    const forged = '","level":60,"msg":"all is lost'
    await call(server.url, `GET /merchant-account/x`, { headers: { ...admin, 'x-request-id': forged, 'x-trace-id': forged } })
    await call(server.url, 'POST /decide-gateway', { body: `{"a":"\\n${forged}"`, headers: merchant.key })
    const answer = await call(server.url, 'GET /health', { headers: { 'x-request-id': forged } })
    expect(answer.headers.get('x-request-id')).toBe(forged)
    const written = server.output().slice(before)
    expect(written).not.toContain('all is lost')
    expect(server.output()).not.toContain(merchant.key['x-api-key'])
    for (const line of written.split('\n').filter((each) => each !== '')) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('after all of it the service is well', async () => {
    expect((await call(server.url, 'GET /health/ready')).json).toEqual({ message: 'Up' })
    expect((await decide(JSON.stringify(decisionRequest(merchant.id, 'after')))).status).toBe(200)
  })
})
