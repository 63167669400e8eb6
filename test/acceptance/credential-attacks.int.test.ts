import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const SECRET = 'the secret of this test, of 32 bytes or more'
const server = useServer({ SWITCHYARD_JWT_SECRET: SECRET })
let merchant: TestMerchant
let token: string

let people = 0
const password = 'Blue#Sky2024'
beforeEach(async () => {
  merchant = await createMerchant(server.url)
  const body = { email: `victim${++people}@example.test`, password, merchant_id: merchant.id }
  token = (await call(server.url, 'POST /auth/signup', { body, headers: admin })).json.token
})

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = (jwt: string) => {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  return { header, payload, signature, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
}
const signed = (header: object, claims: object, secret: string | Buffer = SECRET): string => {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const HS256 = { alg: 'HS256', typ: 'JWT' }
const bearer = (jwt: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${jwt}` })
const decide = (headers: Readonly<Record<string, string>>) =>
  call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'p_1'), headers })

/** What opens with it: a hot route, a protected one, one of sessions. */
const openedBy = async (headers: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const answers = {
    decision: await decide(headers),
    merchant: await call(server.url, `GET /merchant-account/${merchant.id}`, { headers }),
    session: await call(server.url, 'GET /auth/me', { headers }),
  }
  return Object.entries(answers).flatMap(([name, { status, json }]) =>
    status === 401 && json.code === 'TE_04' ? [] : [`${name} ${status}`],
  )
}

describe('forged tokens', () => {
  test('the test forges well: a token that it signs as the service does is taken', async () => {
    expect((await decide(bearer(signed(HS256, partsOf(token).claims)))).status).toBe(200)
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  test.each<[string, (claims: object, jwt: string) => string]>([
    ['no signature', (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
    ['no signature, spelt otherwise', (claims) => `${encoded({ alg: 'nOnE' })}.${encoded(claims)}.`],
    ['alg none over a genuine signature', (_, jwt) => `${encoded({ alg: 'none' })}.${partsOf(jwt).payload}.${partsOf(jwt).signature}`],
    ['an empty signature', (_, jwt) => `${partsOf(jwt).header}.${partsOf(jwt).payload}.`],
    [
      'an RSA signature of one’s own key',
      (claims) => {
        const text = `${encoded({ alg: 'RS256' })}.${encoded(claims)}`
        return `${text}.${signWith('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`
      },
    ],
    ['a public key taken for the secret', (claims) => signed(HS256, claims, publicPem)],
    [
      'a key that the token brings along',
      (claims) => signed({ ...HS256, jwk: { kty: 'oct', k: 'AA' }, kid: '../../dev/null' }, claims, ''),
    ],
    ['another secret', (claims) => signed(HS256, claims, 'another secret, of 32 bytes or more, too')],
    ['another hash', (claims) => signed({ alg: 'HS512' }, claims)],
    ['HS384 declared', (claims) => signed({ alg: 'HS384' }, claims)],
  ])('%s opens nothing', async (_name, forge) => {
    expect(await openedBy(bearer(forge(partsOf(token).claims, token)))).toEqual([])
  })

  test('claims that were changed open nothing', async () => {
    const { header, claims, signature } = partsOf(token)
    const other = await createMerchant(server.url)
    for (const change of [
      { merchant_id: other.id },
      { role: 'admin', sub: 'x' },
      { exp: claims.exp + 9_999 },
      { token_type: 'super_admin_view' },
    ])
      expect(await openedBy(bearer(`${header}.${encoded({ ...claims, ...change })}.${signature}`))).toEqual([])
  })

  test('a token that has ended opens nothing, nor one without an end', async () => {
    const { claims } = partsOf(token)
    expect(await openedBy(bearer(signed(HS256, { ...claims, exp: Math.floor(Date.now() / 1_000) - 1 })))).toEqual([])
    expect(await openedBy(bearer(signed(HS256, { ...claims, exp: undefined })))).toEqual([])
    expect(await openedBy(bearer(signed(HS256, { ...claims, exp: 'never' })))).toEqual([])
  })

  test('even a genuine signature makes no member, no super admin and no account', async () => {
    const { claims } = partsOf(token)
    const other = await createMerchant(server.url)
    expect(await openedBy(bearer(signed(HS256, { ...claims, merchant_id: other.id })))).toEqual([])
    expect(await openedBy(bearer(signed(HS256, { ...claims, token_type: 'super_admin_view' })))).toEqual([])
    expect(await openedBy(bearer(signed(HS256, { ...claims, sub: '00000000-0000-8000-8000-000000000000' })))).toEqual([])
  })
})

describe('credentials whose time is over', () => {
  test('a token is not replayed after its log-out, not even with another id of its own', async () => {
    const { claims } = partsOf(token)
    expect((await decide(bearer(token))).status).toBe(200)
    await call(server.url, 'POST /auth/logout', { headers: bearer(token) })
    expect(await openedBy(bearer(token))).toEqual([])
    expect(await openedBy(bearer(`${token} `))).toEqual([])
    expect(claims.jti).toEqual(expect.any(String))
  })

  test('a token is not replayed after a change of the password', async () => {
    const body = { current_password: password, new_password: 'Green#Sea2025' }
    expect((await call(server.url, 'POST /auth/change-password', { body, headers: bearer(token) })).status).toBe(200)
    expect(await openedBy(bearer(token))).toEqual([])
  })

  test('key and session of a deleted merchant open nothing, also when its id comes back', async () => {
    await call(server.url, `DELETE /merchant-account/${merchant.id}`, { headers: merchant.key })
    expect(await openedBy(merchant.key)).toEqual([])
    expect(await openedBy(bearer(token))).toEqual([])
    await createMerchant(server.url, merchant.id)
    expect(await openedBy(merchant.key)).toEqual([])
    expect(await openedBy(bearer(token))).toEqual([])
  })

  test('a hand-off code and its session end with the merchant', async () => {
    const issue = async () =>
      (await call(server.url, 'POST /auth/admin/merchant-token', { body: { merchant_id: merchant.id }, headers: admin })).json.code
    const redeem = (code: unknown) => call(server.url, 'POST /auth/admin/merchant-token/exchange', { body: { code } })
    const session = await redeem(await issue())
    const unused = await issue()
    await call(server.url, `DELETE /merchant-account/${merchant.id}`, { headers: admin })
    await createMerchant(server.url, merchant.id)
    expect((await redeem(unused)).status).toBe(401)
    expect(await openedBy(bearer(session.json.token))).toEqual([])
  })
})

describe('guesses', () => {
  test.each(['', 'DE_', `DE_${'0'.repeat(64)}`, `DE_${'0'.repeat(10_000)}`, 'undefined', '__proto__'])(
    'the key %j opens nothing',
    async (key) => {
      expect(await openedBy({ 'x-api-key': key })).toEqual([])
    },
  )
  test.each(['', 'test_admi', 'test_admin2', 'TEST_ADMIN'])('the admin secret %j opens nothing', async (secret) => {
    const headers = { 'x-admin-secret': secret }
    expect((await call(server.url, `GET /merchant-account/${merchant.id}`, { headers })).status).toBe(401)
    expect((await call(server.url, 'POST /merchant-account/create', { body: { merchant_id: 'm_guess' }, headers })).status).toBe(401)
  })
  test('an unknown address is answered as a wrong password is, header by header', async () => {
    const logIn = (email: string) => call(server.url, 'POST /auth/login', { body: { email, password: 'Wrong#Sky2024' } })
    const [unknown, known] = [await logIn('nobody@example.test'), await logIn(`victim${people}@example.test`)]
    expect([unknown.status, unknown.text, [...unknown.headers.keys()]]).toEqual([known.status, known.text, [...known.headers.keys()]])
  })
})
