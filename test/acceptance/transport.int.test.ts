import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

describe('transport', () => {
  test('request ids are echoed or made, on every kind of answer', async () => {
    for (const request of ['GET /health', 'GET /nowhere', 'GET /decide-gateway', 'GET /merchant-account/x', 'POST /decide-gateway']) {
      expect((await call(server.url, request, { headers: { 'x-request-id': 'r-42' } })).headers.get('x-request-id')).toBe('r-42')
      expect((await call(server.url, request)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{32,36}$/)
    }
  })

  test('unknown paths are 404 with an empty body, also under protected prefixes and with a trailing slash', async () => {
    for (const path of ['/nowhere', '/health/', '/merchant-account', '/analytics/', '/Health']) {
      const answer = await call(server.url, `GET ${path}`)
      expect([path, answer.status, answer.text]).toEqual([path, 404, ''])
    }
  })

  test('a wrong method is 405 with Allow, after the credentials on protected paths', async () => {
    expect((await call(server.url, 'POST /health')).status).toBe(405)
    expect((await call(server.url, 'GET /decide-gateway')).status).toBe(401)
    const answer = await call(server.url, 'GET /decide-gateway', { headers: merchant.key })
    expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([405, '', 'POST'])
    expect((await call(server.url, 'GET /merchant-account/create', { headers: admin })).status).toBe(405)
  })

  test('HEAD works on every GET route', async () => {
    const answer = await call(server.url, 'HEAD /health')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  test.each([
    ['another content type', { 'content-type': 'text/plain' }, '{}', 415],
    ['no JSON', {}, 'merchant', 400],
    ['an empty body', {}, '', 400],
    ['a body over 2 MiB', {}, JSON.stringify({ merchant_id: 'x'.repeat(2 * 1024 * 1024) }), 413],
    ['a wrong shape', {}, '[]', 422],
  ])('%s is refused', async (_name, headers, body, status) => {
    const answer = await call(server.url, 'POST /rule/get', { body, headers: { ...merchant.key, ...headers } })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ code: expect.any(String), message: expect.any(String), data: null })
  })

  test('a JSON content type without a body is fine where none is needed', async () => {
    expect((await call(server.url, `POST /routing/list/${merchant.id}`, { headers: merchant.key })).status).toBe(200)
  })

  test('a huge body on a hot route is refused, and the connection goes on', async () => {
    const body = JSON.stringify(decisionRequest(merchant.id, 'p', {}, { metadata: 'x'.repeat(3 * 1024 * 1024) }))
    expect((await call(server.url, 'POST /decide-gateway', { body, headers: merchant.key })).status).toBe(413)
    expect(
      (await call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'p'), headers: merchant.key })).status,
    ).toBe(200)
  })

  test.each([
    'GET / HTTP/1.1\r\n\r\n',
    'nonsense\r\n\r\n',
    'POST /decide-gateway HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n',
    `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'GET /merchant-account/%E0%A4%A HTTP/1.1\r\nhost: x\r\nx-admin-secret: test_admin\r\n\r\n',
  ])('hostile bytes get a 4xx and hurt nobody else: %p', async (bytes) => {
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      socket.once('data', (chunk) => {
        socket.destroy()
        resolve(String(chunk))
      })
      socket.once('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect((await call(server.url, 'GET /health')).status).toBe(200)
  })

  test('missing credentials say so', async () => {
    expect(await call(server.url, `GET /merchant-account/${merchant.id}`)).toMatchObject({
      status: 401,
      json: { message: 'Missing authentication credentials' },
    })
    expect(await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: { 'x-api-key': 'DE_x' } })).toMatchObject({
      status: 401,
      json: { message: 'Invalid API key' },
    })
    expect(await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: { 'x-admin-secret': 'x' } })).toMatchObject({
      status: 401,
      json: { message: 'Invalid admin secret' },
    })
  })

  test('a client may ask for a position that it wrote', async () => {
    const written = await call(server.url, `POST /merchant-account/${merchant.id}/debit-routing`, {
      body: { enabled: true },
      headers: merchant.key,
    })
    const position = written.headers.get('x-log-position') ?? ''
    expect(position).not.toBe('')
    const headers = { ...merchant.key, 'x-min-log-position': position }
    expect((await call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'p'), headers })).status).toBe(200)
    expect(
      (await call(server.url, `GET /merchant-account/${merchant.id}`, { headers: { ...headers, 'x-min-log-position': 'soon' } })).status,
    ).toBe(400)
  })
})

describe('health', () => {
  test('tells the truth', async () => {
    expect((await call(server.url, 'GET /health')).json).toEqual({ message: 'Health is good' })
    expect((await call(server.url, 'GET /health/ready')).json).toEqual({ message: 'Up' })
    expect((await call(server.url, 'GET /health/diagnostics')).json).toMatchObject({ code: 'TE_03' })
    expect((await call(server.url, 'GET /health/diagnostics', { headers: { 'x-tenant-id': 'public' } })).json).toMatchObject({
      key_custodian_locked: false,
      database: { database_connection: 'Working', database_read: 'Working', database_write: 'Working', database_delete: 'Working' },
    })
  })
})
