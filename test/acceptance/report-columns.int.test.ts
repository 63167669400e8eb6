import { beforeAll, describe, expect, test } from '@jest/globals'
import { adyenReport } from '../support/adyen-report.ts'
import { call, createMerchant, type TestMerchant } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant

beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

const renamed = adyenReport({ count: 300, pctBps: 120, fixed: 0.1, date: '2026-01-05' }).replace('Issuer Country', 'Land')
const mapping = { 'Issuer Country': 'Land' }
const ask = (method: string, path: string, body?: object) =>
  call(server.url, `${method} /merchant-account/${merchant.id}/${path}`, { headers: merchant.key, ...(body === undefined ? {} : { body }) })
const columns = (method: string, body?: object, account = 'ShopEU') =>
  ask(method, `connectors/adyen/report/column-mapping?account=${account}`, body)

describe('columns that are called otherwise (cost.md 6.3)', () => {
  test('are mapped by account, for all that comes later', async () => {
    const costs = createCostClient(() => server.url, merchant)
    expect((await columns('GET')).json).toEqual({ columns: {} })
    expect(await costs.ingest('adyen', 'ShopEU', renamed)).toMatchObject({ status: 'failed' })
    expect((await columns('PUT', { columns: mapping, sample: renamed.slice(0, 2_000), truncated: true })).status).toBe(204)
    expect((await columns('GET')).json).toEqual({ columns: mapping })
    expect((await columns('GET', undefined, 'Other')).json).toEqual({ columns: {} })
    expect(await costs.ingest('adyen', 'ShopEU', renamed)).toMatchObject({ status: 'completed', countries: ['NL'] })
  })

  test('are called as usual again when nothing is mapped', async () => {
    expect((await columns('PUT', { columns: {} })).status).toBe(204)
    expect((await columns('GET')).json).toEqual({ columns: {} })
    await columns('PUT', { columns: mapping, sample: renamed.slice(0, 2_000), truncated: true })
    for (let times = 0; times < 2; times++) expect((await columns('DELETE')).status).toBe(204)
    expect((await columns('GET')).json).toEqual({ columns: {} })
  })

  test('all that is wrong is told at once', async () => {
    const wrong = { Nonsense: 'Land', 'Issuer Country': 'Nowhere', 'Booking Date': 'Land' }
    const { status, json } = await columns('PUT', { columns: wrong, sample: renamed.slice(0, 2_000), truncated: true })
    expect(status).toBe(400)
    expect(json.message).toMatch(/Nonsense: .*Issuer Country: .*Nowhere.*Booking Date: Land stands/)
  })

  test.each([
    ['no sample', 'connectors/adyen/report/column-mapping?account=A', { columns: mapping }, 400],
    ['no account', 'connectors/adyen/report/column-mapping', { columns: mapping, sample: 'x' }, 400],
    ['no such connector', 'connectors/nobody/report/column-mapping?account=A', { columns: mapping, sample: 'x' }, 404],
    ['no mapping', 'connectors/adyen/report/column-mapping?account=A', { sample: 'x' }, 422],
  ])('%s', async (_name, path, body, status) => {
    expect((await ask('PUT', path, body)).status).toBe(status)
  })

  test('a file within a form was said to lack all columns, though only the form is in the way', async () => {
    const path = `/merchant-account/${merchant.id}/connectors/adyen/report/validate-headers`
    const headers = { ...merchant.key, 'content-type': 'multipart/form-data; boundary=x' }
    const body = `--x\r\n\r\n${renamed}\r\n--x--`
    expect(await call(server.url, `POST ${path}`, { headers, body })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('form') },
    })
  })

  test('a sample with quotes that go wrong was shown without a warning, though the upload counts each of its lines', async () => {
    const sample = `${adyenReport({ count: 3, pctBps: 120, fixed: 0.1, date: '2026-01-05' })}"Test"x,"`
    const { json } = await ask('POST', 'connectors/adyen/report/preview', { columns: {}, sample })
    expect(json).toMatchObject({ rows: [{}, {}, {}], warning: expect.stringMatching(/^A record can not be read: it has quotes.* refused/) })
  })

  test('a sample with a record that can not be read was shown without a warning, and the file was refused as a whole', async () => {
    const shape = { count: 3, pctBps: 120, fixed: 0.1, date: '2026-01-05', brokenCount: 1 }
    const { json } = await ask('POST', 'connectors/adyen/report/preview', { columns: {}, sample: adyenReport(shape) })
    expect(json).toMatchObject({
      rows: [{}, {}, {}],
      warning: expect.stringMatching(/Payable \(SC\) is no plain decimal number.* refused/),
    })
  })
})

describe('fees of connectors (cost.md 12)', () => {
  test('are those that are learned, set or have credentials', async () => {
    const credentials = { account: 'CheckoutEU', webhook_secret: 'secret_1', download_auth: 'sk_1234567' }
    await ask('POST', 'connectors/checkout/credentials', credentials)
    await ask('PUT', 'connectors/stripe/fee-override', { pct_bps: 290, fixed: 0.3 })
    const { json } = await ask('GET', 'connector-fees')
    const nothing = { model_pct_bps: null, model_fixed: null, good_gross: null, model_by_currency: [] }
    const noOverride = { override_pct_bps: null, override_fixed: null, override_updated_at: null }
    expect(json).toEqual([
      {
        connector: 'adyen',
        account: 'ShopEU',
        has_credentials: false,
        model_pct_bps: expect.closeTo(120, 3),
        model_fixed: expect.closeTo(0.1, 4),
        good_gross: expect.any(Number),
        model_by_currency: [
          { currency: 'EUR', pct_bps: expect.closeTo(120, 3), fixed: expect.closeTo(0.1, 4), good_gross: expect.any(Number) },
        ],
        ...noOverride,
        effective_pct_bps: expect.closeTo(120, 3),
        effective_fixed: expect.closeTo(0.1, 4),
        source: 'model',
      },
      {
        connector: 'checkout',
        account: 'CheckoutEU',
        has_credentials: true,
        ...nothing,
        ...noOverride,
        effective_pct_bps: null,
        effective_fixed: null,
        source: 'none',
      },
      {
        connector: 'stripe',
        account: '',
        has_credentials: false,
        ...nothing,
        override_pct_bps: 290,
        override_fixed: 0.3,
        override_updated_at: expect.stringMatching(/Z$/),
        effective_pct_bps: 290,
        effective_fixed: 0.3,
        source: 'override',
      },
    ])
    await ask('PUT', 'connectors/adyen/fee-override', { pct_bps: 1, fixed: 0 })
    expect((await ask('GET', 'connector-fees')).json[0]).toMatchObject({ effective_pct_bps: 1, source: 'override', override_pct_bps: 1 })
  })

  test('one that is only set had null for its account, which is a text', async () => {
    const other = await createMerchant(server.url)
    const path = `/merchant-account/${other.id}`
    await call(server.url, `PUT ${path}/connectors/stripe/fee-override`, { headers: other.key, body: { pct_bps: 290, fixed: 0.3 } })
    expect((await call(server.url, `GET ${path}/connector-fees`, { headers: other.key })).json).toMatchObject([{ account: '' }])
  })

  test('of nobody are none', async () => {
    const other = await createMerchant(server.url)
    expect((await call(server.url, `GET /merchant-account/${other.id}/connector-fees`, { headers: other.key })).json).toEqual([])
  })
})
