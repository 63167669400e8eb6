import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import type { Route } from '../route.ts'
import { ADMIN_SECRET, createSampleServer, echo, REVOKED_KEY, SAMPLE_KEY, type SampleServer, sampleSpec } from './sample-server.fixture.ts'

const LOG_AWAY = new OperatingError('LOG_UNAVAILABLE', 'secret detail', { retryable: true })

const failing = (path: string, error: unknown): Route => ({
  spec: sampleSpec({ path }),
  handle: () => {
    throw error
  },
})

const routes: readonly Route[] = [
  echo({ path: '/health' }),
  echo({ path: '/items/:id', access: 'protected' }),
  echo({ path: '/items/:id', access: 'protected', method: 'DELETE', permission: 'routing:write' }),
  echo({ path: '/items/create', access: 'protected', method: 'POST', permission: 'routing:write', body: 'json' }),
  echo({ path: '/admin', access: 'admin', method: 'POST', body: 'json' }),
  echo({ path: '/logout', access: 'session', method: 'POST' }),
  echo({ path: '/analytics', access: 'protected', tenant: true, identity: 'required' }),
  echo({ path: '/tenant', tenant: true }),
  echo({
    path: '/merchants',
    access: 'protected',
    method: 'PUT',
    body: 'json',
    merchant: { in: 'body', name: 'merchant_id', whenUnknown: 'not-found' },
  }),
  echo({ path: '/hot', access: 'protected', method: 'POST', body: 'raw-json', hot: true }),
  {
    ...echo({
      path: '/hot-own',
      access: 'protected',
      method: 'POST',
      body: 'raw-json',
      hot: true,
      merchant: { in: 'body', name: 'merchantId', whenUnknown: 'not-found' },
    }),
    refuse: ({ code }) => ({ status: 400, body: { error_code: code } }),
  },
  {
    ...echo({ path: '/restated/:id/parts', access: 'protected' }),
    restate: ({ status, body }) => ({ status, body: { restated: body ?? null } }),
  },
  failing('/bug', new TypeError('secret detail')),
  failing('/log-away', LOG_AWAY),
  { spec: sampleSpec({ path: '/log-away', method: 'POST' }), handle: () => Promise.reject(LOG_AWAY) },
  failing('/schema-unknown', new OperatingError('SCHEMA_UNKNOWN', 'secret detail', { retryable: false })),
  { spec: sampleSpec({ path: '/rejects' }), handle: () => Promise.reject(new Error('secret detail')) },
  {
    spec: sampleSpec({ path: '/refused' }),
    handle: () => ({ status: 503, body: { error: 'own' }, cause: new Error('secret detail of the refusal') }),
  },
  { spec: sampleSpec({ path: '/no-json' }), handle: () => ({ status: 200, body: 1n }) },
  { spec: sampleSpec({ path: '/bad-header' }), handle: () => ({ status: 200, headers: { 'x-bad': 'a\r\nb' } }) },
  { spec: sampleSpec({ path: '/no-content' }), handle: () => ({ status: 204, headers: { 'x-log-position': 'config-0-1' } }) },
]

const json = { 'content-type': 'application/json' }
const key = { 'x-api-key': SAMPLE_KEY }

describe('HTTP server', () => {
  let server: SampleServer
  let url: string
  beforeAll(async () => {
    server = createSampleServer(routes)
    url = (await server.listen(0, '127.0.0.1')).url
  })
  afterAll(() => server.close())

  const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) => {
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, message: text === '' ? '' : JSON.parse(text).message }
  }

  test('answers with what the handler said, in compact JSON', async () => {
    const { status, headers, text } = await call('GET', '/health?a=1&b=%20x')
    expect([status, text]).toEqual([200, '{"params":{},"query":"a=1&b=+x","body":null,"caller":"anonymous"}'])
    expect(headers.get('content-type')).toBe('application/json')
    expect([headers.get('x-powered-by'), headers.get('etag')]).toEqual([null, null])
  })

  test.each([
    ['one of the client', 'my id 42', 'my id 42'],
    ['an empty one', '', 'id-'],
    ['one that is not printable', 'a\tb', 'id-'],
    ['one that is not ASCII', 'é', 'id-'],
    ['one that is too long', 'x'.repeat(129), 'id-'],
    ['one as long as can be', 'x'.repeat(128), 'x'.repeat(128)],
  ])('request id: %s', async (_name, sent, expected) => {
    expect((await call('GET', '/health', { 'x-request-id': sent })).headers.get('x-request-id')).toContain(expected)
  })

  test.each<[string, string, string, Record<string, string>, string | undefined, number, string]>([
    ['unknown path', 'GET', '/nowhere', {}, undefined, 404, ''],
    ['unknown path under a protected one', 'GET', '/items/1/more', {}, undefined, 404, ''],
    ['slash at the end', 'GET', '/health/', {}, undefined, 404, ''],
    ['slash at the end of a hot path', 'POST', '/hot/', { ...key }, '{}', 404, ''],
    ['another case', 'GET', '/Health', {}, undefined, 404, ''],
    ['double slash', 'GET', '//health', {}, undefined, 404, ''],
    ['wrong method', 'POST', '/health', {}, undefined, 405, ''],
    ['OPTIONS', 'OPTIONS', '/health', {}, undefined, 405, ''],
    ['wrong method on a protected path, nobody', 'PATCH', '/items/1', {}, undefined, 401, 'Missing authentication credentials'],
    ['wrong method on a protected path', 'PATCH', '/items/1', key, undefined, 405, ''],
    ['a static segment shadows an id', 'GET', '/items/create', key, undefined, 405, ''],
    ['wrong method on a hot path', 'GET', '/hot', key, undefined, 405, ''],
    ['no credentials', 'GET', '/items/1', {}, undefined, 401, 'Missing authentication credentials'],
    ['revoked key', 'GET', '/items/1', { 'x-api-key': REVOKED_KEY }, undefined, 401, 'API key is revoked'],
    ['no credentials on a hot path', 'POST', '/hot', {}, '{}', 401, 'Missing authentication credentials'],
    ['credentials come before the body', 'POST', '/items/create', {}, 'nonsense', 401, 'Missing authentication credentials'],
    ['on an admin route the body comes first', 'POST', '/admin', json, '{', 400, 'Failed to parse the request body as JSON: '],
    ['and then the secret', 'POST', '/admin', json, '{}', 401, 'Invalid or missing x-admin-secret header'],
    ['a session route wants a bearer', 'POST', '/logout', key, undefined, 401, 'Invalid or expired token'],
    [
      'the tenant comes before the identity',
      'GET',
      '/analytics',
      { 'x-admin-secret': ADMIN_SECRET },
      undefined,
      400,
      'Tenant error: x-tenant-id not found in headers',
    ],
    [
      'an admin has no analytics',
      'GET',
      '/analytics',
      { 'x-admin-secret': ADMIN_SECRET, 'x-tenant-id': 'public' },
      undefined,
      401,
      'Analytics access requires JWT or API key authentication',
    ],
    ['the tenant of a public route', 'GET', '/tenant', { 'x-tenant-id': 'other' }, undefined, 400, 'Tenant error: Invalid x-tenant-id'],
    ['no content type', 'POST', '/items/create', key, '{}', 415, 'Expected request with `Content-Type: application/json`'],
    ['another content type', 'POST', '/items/create', { ...key, 'content-type': 'text/json' }, '{}', 415, 'Expected request with'],
    ['compressed', 'POST', '/items/create', { ...key, ...json, 'content-encoding': 'gzip' }, '{}', 415, 'Expected a request body without'],
    [
      'empty body',
      'POST',
      '/items/create',
      { ...key, ...json },
      undefined,
      400,
      'Failed to parse the request body as JSON: the body is empty',
    ],
    ['broken JSON', 'POST', '/items/create', { ...key, ...json }, '{"a":', 400, 'Failed to parse the request body as JSON: '],
    ['broken JSON on a hot path', 'POST', '/hot', key, '{"a":', 400, 'Failed to parse the request body as JSON: '],
    [
      'compressed on a hot path',
      'POST',
      '/hot',
      { ...key, 'content-encoding': 'br' },
      '{}',
      400,
      'Failed to parse the request body as JSON: ',
    ],
    ['broken escape in the query', 'GET', '/health?a=%zz', {}, undefined, 400, 'Failed to deserialize query string: '],
    ['no UTF-8 in the query', 'GET', '/health?a=%ff', {}, undefined, 400, 'Failed to deserialize query string: '],
    ['no UTF-8 in the path', 'GET', '/items/%ff', key, undefined, 400, 'Invalid URL'],
    ['unknown merchant', 'PUT', '/merchants', { ...key, ...json }, '{"merchant_id":"m9"}', 404, 'MerchantId not found'],
    [
      'foreign merchant',
      'PUT',
      '/merchants',
      { ...key, ...json },
      '{"merchant_id":"m2"}',
      403,
      'Credential does not belong to merchant m2',
    ],
    [
      'a position that is not reached',
      'GET',
      '/items/1',
      { ...key, 'x-min-log-position': 'config-0-9' },
      undefined,
      503,
      'The service has not caught up',
    ],
    ['a position that is none', 'GET', '/items/1', { ...key, 'x-min-log-position': '%' }, undefined, 400, 'Malformed x-min-log-position'],
    ['a bug', 'GET', '/bug', {}, undefined, 500, 'Something went wrong'],
    ['a rejected promise', 'GET', '/rejects', {}, undefined, 500, 'Something went wrong'],
    ['a body that is no JSON value', 'GET', '/no-json', {}, undefined, 500, 'Something went wrong'],
    ['a header that is none', 'GET', '/bad-header', {}, undefined, 500, 'Something went wrong'],
    ['a log that is away, to who reads', 'GET', '/log-away', {}, undefined, 503, 'The event log cannot be reached; try again'],
    ['a log that is away, to who writes', 'POST', '/log-away', {}, undefined, 503, 'may or may not have been recorded'],
    ['what trying again does not help', 'GET', '/schema-unknown', {}, undefined, 500, 'Something went wrong'],
  ])('%s', async (_name, method, path, headers, body, status, message) => {
    const answer = await call(method, path, headers, body)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^id-\d+$/)
    if (message === '') expect(answer.text).toBe('')
    else
      expect(JSON.parse(answer.text)).toEqual({
        code: expect.stringMatching(/^TE_0\d$/),
        message: expect.stringContaining(message),
        data: null,
      })
  })

  test.each<[string, string, string, Record<string, string>, string | undefined]>([
    ['any JSON type', 'POST', '/items/create', { ...key, 'content-type': 'application/vnd.api+json; charset=utf-8' }, '{}'],
    ['upper case in the type', 'POST', '/items/create', { ...key, 'content-type': 'Application/JSON' }, '{}'],
    ['a hot path without a type', 'POST', '/hot', { ...key, 'content-type': 'text/plain' }, '{}'],
    ['a hot path with a query', 'POST', '/hot?x=1', key, '{}'],
    ['an encoding that is none', 'POST', '/hot', { ...key, 'content-encoding': 'identity' }, '{}'],
    ['a JSON type without a body', 'DELETE', '/items/1', { ...key, ...json }, undefined],
    ['a body where none is wanted', 'DELETE', '/items/1', { ...key, ...json }, 'nonsense'],
    ['a position that is reached', 'GET', '/items/1', { ...key, 'x-min-log-position': 'config-0-1' }, undefined],
    ['a public route, whatever position is named', 'GET', '/health', { 'x-min-log-position': '%' }, undefined],
    ['an admin at any merchant', 'PUT', '/merchants', { ...json, 'x-admin-secret': ADMIN_SECRET }, '{"merchant_id":"m2"}'],
    ['an escaped path', 'GET', '/items/%C3%A9%2F', key, undefined],
  ])('is served: %s', async (_name, method, path, headers, body) => {
    expect((await call(method, path, headers, body)).status).toBe(200)
  })

  test('HEAD is answered on GET routes, without the body', async () => {
    const [get, head] = [await call('GET', '/health'), await call('HEAD', '/health')]
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', get.headers.get('content-length')])
  })
  test('405 says what is allowed', async () => {
    expect((await call('PUT', '/items/1', key)).headers.get('allow')).toBe('GET,HEAD,DELETE')
  })
  test('204 has no body and no length', async () => {
    const { status, headers } = await call('GET', '/no-content')
    expect([status, headers.get('content-length'), headers.get('x-log-position')]).toEqual([204, null, 'config-0-1'])
  })
  test('path parameters are decoded', async () => {
    expect((await call('GET', '/items/%C3%A9%2F', key)).text).toContain('"params":{"id":"é/"}')
  })
  test('a bearer is served', async () => {
    expect((await call('POST', '/logout', { authorization: `Bearer ${server.bearer}` })).text).toContain('"caller":"user"')
  })
  test('a route may refuse in its own words', async () => {
    const codes = await Promise.all(['{', '{"merchantId":"m9"}', '{"merchantId":"m2"}'].map((body) => call('POST', '/hot-own', key, body)))
    expect(codes.map(({ text }) => text)).toEqual([
      '{"error_code":"BODY_UNREADABLE"}',
      '{"error_code":"MERCHANT_NOT_FOUND"}',
      '{"error_code":"MERCHANT_FOREIGN"}',
    ])
  })
  test.each([
    ['a path that can not be decoded', 'GET', '/restated/%zz/parts', 400],
    ['a query that can not be decoded', 'GET', '/restated/1/parts?a=%zz', 400],
    ['a wrong method', 'PUT', '/restated/1/parts', 405],
    ['an unknown path below', 'GET', '/restated/1/unknown', 404],
  ])('a route with an envelope of its own refuses in it: %s', async (_name, method, path, status) => {
    const answer = await call(method, path, key)
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([status, ['restated']])
  })
  test('what fails is logged with its request id, and not told', async () => {
    const { text } = await call('GET', '/bug', { 'x-request-id': 'find-me' })
    expect(text).not.toContain('secret detail')
    expect(server.logged).toContainEqual(expect.objectContaining({ requestId: 'find-me', path: '/bug', status: 500 }))
  })
  test('the cause of an answer that a route gives itself is logged with its request id, and not told', async () => {
    const { status, text } = await call('GET', '/refused', { 'x-request-id': 'find-me-too' })
    expect([status, text]).toEqual([503, '{"error":"own"}'])
    const err = expect.objectContaining({ message: 'secret detail of the refusal' })
    expect(server.logged).toContainEqual(expect.objectContaining({ requestId: 'find-me-too', path: '/refused', status: 503, err }))
  })
  test.each([
    ['/items/create', 2 * 1024 * 1024],
    ['/hot', 256 * 1024],
  ])('%s takes %i bytes and not one more', async (path, byteCountMax) => {
    const body = (length: number): string => `"${'x'.repeat(length - 2)}"`
    expect((await call('POST', path, { ...key, ...json }, body(byteCountMax))).status).toBe(200)
    const refused = await call('POST', path, { ...key, ...json }, body(byteCountMax + 1))
    expect([refused.status, refused.message]).toEqual([413, 'Failed to buffer the request body: length limit exceeded'])
  })

  test('an address that is taken is an operating error', async () => {
    await expect(createSampleServer(routes).listen(Number(new URL(url).port), '127.0.0.1')).rejects.toMatchObject({
      code: 'ADDRESS_IN_USE',
      message: expect.stringContaining('PORT'),
    })
  })
  test('an address of another machine is a wrong setting', async () => {
    await expect(createSampleServer(routes).listen(0, '192.0.2.1')).rejects.toMatchObject({
      code: 'SETTING_INVALID',
      message: expect.stringContaining('HOST'),
    })
  })
  test('two routes for one method and path are a bug', () => {
    expect(() => createSampleServer([echo({}), echo({})])).toThrow('two routes answer GET /sample')
  })
})
