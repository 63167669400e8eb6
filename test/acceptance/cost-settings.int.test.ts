import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { allRecords, eventOf, openLeftBehind } from '../support/replay.ts'
import { type RunningServer, startServer, temporaryFolder, testOnEmbedded } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant

beforeAll(async () => {
  server = await startServer({ dataDir: folder.path })
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const ask = (request: string, body?: object | string, of = merchant) => {
  const [method, path] = request.split(' ')
  const sent = body === undefined ? {} : { body }
  return call(server.url, `${method} /merchant-account/${of.id}/${path}`, { ...sent, headers: of.key })
}

describe('fees that people set (cost.md 12)', () => {
  test('of a connector: stored in lower case, cleared, and cleared again', async () => {
    const set = await ask('PUT connectors/Adyen/fee-override', { pct_bps: 120, fixed: 0.1 })
    expect(set).toMatchObject({ status: 200, json: { merchant_id: merchant.id, connector: 'adyen', pct_bps: 120, fixed: 0.1 } })
    expect(set.json.updated_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(set.headers.get('x-log-position')).toMatch(/^config-/)
    expect((await ask('DELETE connectors/adyen/fee-override')).status).toBe(204)
    expect((await ask('DELETE connectors/adyen/fee-override')).status).toBe(204)
  })

  test('of a cluster, by its seven fields', async () => {
    const key = encodeURIComponent('adyen|visa|visastandarddebit|Debit|NL|EUR|')
    expect(await ask(`PUT cost-clusters/${key}/fee-override`, { pct_bps: 0, fixed: 0.2 })).toMatchObject({
      status: 200,
      json: {
        connector: 'adyen',
        card_network: 'visa',
        variant: 'visastandarddebit',
        funding: 'debit',
        issuer_country: 'nl',
        currency: 'eur',
        ic_category: '',
        pct_bps: 0,
        fixed: 0.2,
      },
    })
    expect((await ask(`DELETE cost-clusters/${key}/fee-override`)).status).toBe(204)
  })

  test('of a cluster whose category is as long as one of a report can be', async () => {
    const put = (category: string) => ask(`PUT cost-clusters/a%7Cb%7Cc%7Cd%7Ce%7Cf%7C${category}/fee-override`, { pct_bps: 1, fixed: 0 })
    expect(await put('x'.repeat(255))).toMatchObject({ status: 200, json: { ic_category: 'x'.repeat(255) } })
    expect(await put('x'.repeat(256))).toMatchObject({ status: 400, json: { message: expect.stringContaining('at most 255 characters') } })
  })

  test.each([
    ['PUT connectors/adyen/fee-override', { pct_bps: -1, fixed: 0 }, 400, /pct_bps/],
    ['PUT connectors/adyen/fee-override', { pct_bps: 1, fixed: -0.1 }, 400, /fixed/],
    ['PUT connectors/adyen/fee-override', { pct_bps: 1 }, 422, /fixed/],
    [`PUT connectors/${'x'.repeat(65)}/fee-override`, { pct_bps: 1, fixed: 0 }, 400, /connector/],
    ['PUT cost-clusters/a%7Cb/fee-override', { pct_bps: 1, fixed: 0 }, 400, /seven fields/],
    ['DELETE cost-clusters/a%7Cb/fee-override', undefined, 400, /seven fields/],
    ['PUT connectors/adyen/fee-override', '{"pct_bps":1e999,"fixed":0}', 400, /pct_bps/],
    ['PUT connectors/adyen/fee-override', '{"pct_bps":1,"fixed":-1e999}', 400, /fixed/],
    ['PUT cost-clusters/a%7Cb%7Cc%7Cd%7Ce%7Cf%7C/fee-override', '{"pct_bps":1,"fixed":1e999}', 400, /fixed/],
    ['POST seed-costs/simulate', '{"amount":1e999}', 400, /amount/],
    ['PUT seed-costs', { rows: [{ psp: 'a', interchange_bps: 1e308, scheme_bps: 1e308, markup_bps: 0, fixed: 0 }] }, 400, /rows\[0\]/],
  ])('%s %j is refused', async (request, body, status, message) => {
    expect(await ask(request, body)).toMatchObject({ status, json: { message: expect.stringMatching(message) } })
  })

  test.each([
    ['no name', ''],
    ['a space in front of its name', '%20adyen'],
    ['a control character in its name', 'ad%07yen'],
    ['a name that is too long', 'x'.repeat(65)],
  ])('of a cluster whose connector has %s, which no payment can be of, are refused; earlier ones can be cleared', async (_, connector) => {
    const path = `cost-clusters/${connector}%7Cvisa%7C%7C%7C%7Ceur%7C/fee-override`
    expect(await ask(`PUT ${path}`, { pct_bps: 1, fixed: 0 })).toMatchObject({
      status: 400,
      json: { code: 'TE_04', message: expect.stringMatching(/^key: its connector/) },
    })
    expect((await ask(`DELETE ${path}`)).status).toBe(204)
  })
})

describe('rates by contract (cost.md 13)', () => {
  const row = { interchange_bps: 100, scheme_bps: 10, markup_bps: 20, fixed: 0.3 }

  test('are kept as a table: what holds for all other cards first', async () => {
    const rows = [
      { psp: 'stripe', card_network: 'visa', ...row, fixed: 0.2, label: 'Visa' },
      { psp: 'Stripe', ...row },
      { psp: 'adyen', transaction_currency: ' ', ...row },
    ]
    const { status, json } = await ask('PUT seed-costs', { rows })
    expect(status).toBe(200)
    expect(
      json.map((one: Record<string, unknown>) => [one['psp'], one['card_network'], one['is_default'], one['effective_pct_bps']]),
    ).toEqual([
      ['Stripe', null, true, 130],
      ['stripe', 'visa', false, 130],
      ['adyen', null, true, 130],
    ])
    expect((await ask('GET seed-costs')).json).toEqual(json)
  })

  test('are tried out for a payment', async () => {
    const payment = { amount: 100, card_network: 'VISA' }
    expect((await ask('POST seed-costs/simulate', { ...payment, psps: ['stripe'] })).json).toEqual([
      { psp: 'stripe', ...row, fixed: 0.2, effective_pct_bps: 130, effective_cost_bps: 150, cost_amount: 1.5 },
    ])
    expect((await ask('POST seed-costs/simulate', payment)).json).toHaveLength(2)
    expect((await ask('POST seed-costs/simulate', { amount: 0 })).status).toBe(400)
    expect(await ask('POST seed-costs/simulate', { amount: 1e-308 })).toMatchObject({
      status: 400,
      json: { message: expect.stringMatching(/amount/) },
    })
  })

  test('hold for what they name without the blanks around it', async () => {
    const rows = [{ psp: ' Worldpay ', card_network: ' visa', transaction_currency: 'EUR ', ...row }]
    expect((await ask('PUT seed-costs', { rows })).json).toMatchObject([
      { psp: 'Worldpay', card_network: 'visa', transaction_currency: 'EUR' },
    ])
    const payment = { amount: 100, card_network: 'VISA', transaction_currency: 'EUR', psps: ['worldpay'] }
    expect((await ask('POST seed-costs/simulate', payment)).json).toMatchObject([{ psp: 'Worldpay', effective_pct_bps: 130 }])
  })

  test('are removed, also when there are none', async () => {
    for (let times = 0; times < 2; times++) expect(await ask('DELETE seed-costs')).toMatchObject({ status: 200, json: [] })
    expect((await ask('PUT seed-costs', { rows: [] })).json).toEqual([])
  })

  test.each([
    [{ rows: [{ psp: ' ', ...row }] }, 400, /rows\[0\]\.psp/],
    [{ rows: [{ psp: 'a', ...row, scheme_bps: -1 }] }, 400, /rows\[0\]\.scheme_bps/],
    [{ rows: [{ psp: 'a' }] }, 422, /rows\[0\]\.interchange_bps/],
  ])('%j is refused', async (body, status, message) => {
    expect(await ask('PUT seed-costs', body)).toMatchObject({ status, json: { message: expect.stringMatching(message) } })
  })
})

describe('credentials of connectors (cost.md 3.1)', () => {
  const body = { account: 'ShopEU', webhook_secret: 'hook_secret_1234', download_auth: 'reporter:pass_5678' }
  const shown = { connector: 'adyen', account: 'ShopEU', webhook_secret_hint: '••••1234', download_auth_hint: 'reporter:••••' }

  test('are masked, and belong to one merchant', async () => {
    const other = await createMerchant(server.url)
    const saved = { merchant_id: merchant.id, connector: 'adyen', account: 'ShopEU', status: 'saved' }
    // Blanks around an account's name are no part of it, as in uploads of its reports.
    expect(await ask('POST connectors/ADYEN/credentials', { ...body, account: ' ShopEU ' })).toMatchObject({ status: 200, json: saved })
    expect((await ask('GET connectors')).json).toEqual([shown])
    expect((await ask('POST connectors/adyen/credentials', body, other)).status).toBe(409)
    expect((await ask('DELETE connectors/adyen/credentials/ShopEU', undefined, other)).status).toBe(204)
    expect((await ask('GET connectors', undefined, other)).json).toEqual([])
    expect((await ask('GET connectors')).json).toEqual([shown])
    expect((await ask('DELETE connectors/adyen/credentials/ShopEU')).status).toBe(204)
    expect((await ask('POST connectors/adyen/credentials', body, other)).status).toBe(200)
    // What a merchant that was closed had is free.
    await call(server.url, `DELETE /merchant-account/${other.id}`, { headers: admin })
    expect((await ask('POST connectors/adyen/credentials', body)).status).toBe(200)
  })

  test('of an unknown connector are refused as whatever is not found', async () => {
    const unknown = { status: 404, json: { code: 'TE_02', message: expect.stringContaining('no such connector') } }
    expect(await ask('POST connectors/nobody/credentials', body)).toMatchObject(unknown)
    expect(await ask('POST connectors/nobody/report/preview', { columns: {}, sample: 'x' })).toMatchObject(unknown)
  })

  test.each(['.', ' .. ', 'Shop\u0000EU', 'Shop\u202eUE'])(
    'of an account called %j are refused: no path that forgets them could name it, or lists would garble it',
    async (account) => {
      const { status, json } = await ask('POST connectors/adyen/credentials', { ...body, account })
      expect([status, json.message]).toEqual([422, expect.stringContaining('account')])
    },
  )

  testOnEmbedded('stand in the log encrypted, and in the journal hidden', async () => {
    const journal = () => call(server.url, `GET /audit/changes?merchant_id=${merchant.id}`, { headers: merchant.key })
    const { text } = await eventually('the change', journal, ({ text }) => text.includes('ConnectorCredentialStored'))
    expect(text).not.toContain('hook_secret')
    await server.stop()
    const left = openLeftBehind(folder.path)
    const events = (await allRecords(left.log)).map(eventOf)
    await left.close()
    const stored = events.filter(({ type }) => type === 'ConnectorCredentialStored')
    expect(stored).toHaveLength(3)
    expect(JSON.stringify(stored)).not.toMatch(/hook_secret|pass_5678/)
    server = await startServer({ dataDir: folder.path })
    expect((await ask('GET connectors')).json).toEqual([shown])
  })

  test('stayed, though their removal was answered 204, when the name of the account was sent with the blanks that it was stored with', async () => {
    const account = ' ShopWithBlanks '
    await ask('POST connectors/adyen/credentials', { ...body, account })
    expect((await ask(`DELETE connectors/adyen/credentials/${encodeURIComponent(account)}`)).status).toBe(204)
    expect((await ask('GET connectors')).json).not.toContainEqual({ ...shown, account: account.trim() })
  })
})

test('nothing is known of a merchant that is not there', async () => {
  for (const path of ['connectors', 'seed-costs']) {
    expect(await call(server.url, `GET /merchant-account/nobody/${path}`, { headers: admin })).toMatchObject({ status: 200, json: [] })
  }
  expect((await call(server.url, 'PUT /merchant-account/nobody/seed-costs', { body: { rows: [] }, headers: admin })).status).toBe(404)
})
