import { beforeAll, describe, expect, test } from '@jest/globals'
import { INVOICE_PAGES, pageOf, pdfOf } from '@switchyard/testing'
import { adyenReport } from '../support/adyen-report.ts'
import { call, createMerchant, type TestMerchant } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { useServer } from '../support/server.ts'

const CSV = 'Description,Amount,Quantity,Currency\nProcessing Fees,"4,200.00",120000,EUR\nManagement,350,,EUR\nTurnover,"7,000,000",,EUR\n'
const MEBIBYTE = 1024 * 1024

const server = useServer()
let merchant: TestMerchant

const upload = async (
  body: string | Buffer,
  {
    query = 'account=ShopEU',
    connector = 'adyen',
    of = merchant,
    headers = merchant.key,
  }: Partial<{
    readonly query: string
    readonly connector: string
    readonly of: TestMerchant
    readonly headers: Readonly<Record<string, string>>
  }> = {},
) => {
  const { id }: TestMerchant = of
  const response = await fetch(`${server.url}/merchant-account/${id}/connectors/${connector}/invoice?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text) }
}
const get = (path: string) => call(server.url, `GET /merchant-account/${merchant.id}/${path}`, { headers: merchant.key })
const remove = (query = '') =>
  call(server.url, `DELETE /merchant-account/${merchant.id}/connectors/adyen/invoice-addon${query}`, { headers: merchant.key })

beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

describe('invoices', () => {
  test('nothing was sent: nothing is added, and ending it changes nothing', async () => {
    expect((await get('invoice-addons')).json).toEqual([])
    expect((await get('invoice-reconciliation')).json).toEqual([])
    expect((await remove()).status).toBe(204)
  })

  test('a PDF is the worked example (cost.md 17.3), stands in the list, and is compared with what was settled', async () => {
    const answer = await upload(pdfOf(INVOICE_PAGES.map(pageOf)), { query: 'account=ShopEU&invoice_ref=2026-06' })
    expect(answer).toMatchObject({
      status: 200,
      json: {
        merchant_id: merchant.id,
        connector: 'adyen',
        account: 'ShopEU',
        invoice_ref: '2026-06',
        fixed_addon: 0.05,
        subtotal_ex_tax: 68_180,
        card_volume: 7_800_000,
        txn_count: 120_000,
        currency: 'EUR',
        period_start: '2026-06-01',
        period_end: '2026-06-30',
        lines: 8,
        warnings: [],
      },
    })
    expect(answer.json.pct_addon_bps).toBeCloseTo(1.51282, 5)
    expect(answer.json.total_addon_per_txn).toBeCloseTo(0.059833, 6)
    expect(answer.json.breakdown[0]).toEqual({
      description: 'Processing Fees',
      kind: 'flat_per_txn',
      added: true,
      amount: 4200,
      per_txn: 0.035,
    })
    const [listed] = (await get('invoice-addons')).json
    expect(listed).toMatchObject({ connector: 'adyen', account: 'ShopEU', invoice_ref: '2026-06', fixed_addon: 0.05, currency: 'EUR' })
    expect(listed.updated_at).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/)
    expect((await get('invoice-reconciliation')).json).toMatchObject([
      { connector: 'adyen', account: 'ShopEU', invoice_subtotal: 68_180, model_captured: 0, coverage_before: 0, residual: 68_180 },
    ])
  })

  test('one that nothing was settled to spread over adds nothing, and says so', async () => {
    const { status, json } = await upload('Description,Amount,Currency\nManagement,12,EUR\n', { query: 'account=ShopNew' })
    expect([status, json.pct_addon_bps, json.fixed_addon]).toEqual([200, 0, 0])
    expect(json.warnings).toEqual([expect.stringContaining('adds nothing')])
    expect((await remove('?account=ShopNew')).status).toBe(204)
  })

  test('each account has its own, the latest counts, and they end one by one or together', async () => {
    await upload(CSV, { query: 'account=ShopUS&period_start=2026-05-01&period_end=2026-05-31' })
    await upload(CSV, { query: 'account=ShopEU' })
    const accounts = async () =>
      (await get('invoice-addons')).json.map(({ account, period_start, card_volume }: Record<string, unknown>) => [
        account,
        period_start,
        card_volume,
      ])
    expect(await accounts()).toEqual([
      ['ShopEU', null, 7_000_000],
      ['ShopUS', '2026-05-01', 7_000_000],
    ])
    expect((await remove('?account=ShopEU')).status).toBe(204)
    expect(await accounts()).toEqual([['ShopUS', '2026-05-01', 7_000_000]])
    expect((await remove()).status).toBe(204)
    expect(await accounts()).toEqual([])
  })

  test.each<[string, string | Buffer, object, number, string]>([
    ['no account', CSV, { query: '' }, 400, 'account'],
    ['days in the wrong order', CSV, { query: 'account=a&period_start=2026-06-30&period_end=2026-06-01' }, 400, 'period'],
    ['nothing', '', {}, 400, 'empty'],
    ['another connector', CSV, { connector: 'stripe' }, 422, 'adyen'],
    ['what is no invoice', 'Hello', {}, 422, 'no column'],
    ['a PDF in name only', '%PDF-1.4 broken', {}, 422, 'no PDF'],
  ])('%s is refused', async (_name, body, options, status, message) => {
    const answer = await upload(body, options)
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)])
  })

  test('one within a form was refused in the words of a reader of CSV: the form is what is in the way', async () => {
    const headers = { ...merchant.key, 'content-type': 'multipart/form-data; boundary=x' }
    const body = `--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n${CSV}\r\n--x--`
    const { status, json } = await upload(body, { headers })
    expect([status, json.message]).toEqual([400, expect.stringContaining('not a form')])
  })

  test('one that tells no currency is told to add nothing for each payment where payments in several are settled', async () => {
    const of = await createMerchant(server.url)
    const client = createCostClient(() => server.url, of)
    const uncertain = async (): Promise<string[]> =>
      (await upload('Description,Amount,Quantity\nProcessing fee,12,100\n', { of, headers: of.key })).json.warnings
    const shape = { count: 5, pctBps: 120, fixed: 0.1, date: '2026-01-05' }
    expect(await uncertain()).toEqual([])
    await client.ingest('adyen', 'ShopEU', adyenReport(shape))
    expect(await uncertain()).toEqual([])
    await client.ingest('adyen', 'ShopEU', adyenReport({ ...shape, date: '2026-01-06' }).replaceAll(',EUR,', ',USD,'))
    expect(await uncertain()).toEqual([expect.stringContaining('No currency is told')])
  })

  test('one without volume, count and currency was asked to come again with the reports of its period, which were all there, in several currencies', async () => {
    const of = await createMerchant(server.url)
    const client = createCostClient(() => server.url, of)
    const warnings = async (currency = ''): Promise<string[]> =>
      (await upload(`Description,Amount,Currency\nManagement,12,${currency}\n`, { of, headers: of.key })).json.warnings
    const shape = { count: 5, pctBps: 120, fixed: 0.1, date: '2026-01-05' }
    await client.ingest('adyen', 'ShopEU', adyenReport(shape))
    expect(await warnings()).toEqual([])
    await client.ingest('adyen', 'ShopEU', adyenReport({ ...shape, date: '2026-01-06' }).replaceAll(',EUR,', ',USD,'))
    expect(await warnings()).toEqual([expect.stringContaining('Send it again with its currency')])
    expect(await warnings('GBP')).toEqual([expect.stringContaining('when the reports of its period are in')])
    expect(await warnings('EUR')).toEqual([])
  })

  test.each([['connectors/adyen/invoice?account=a'], ['connectors/adyen/report?account=a'], ['connectors/adyen/report/validate-headers']])(
    'a compressed file for %s is refused as that, not as broken JSON',
    async (path) => {
      const headers = { ...merchant.key, 'content-encoding': 'gzip' }
      const { status, json } = await call(server.url, `POST /merchant-account/${merchant.id}/${path}`, { body: CSV, headers })
      expect([status, json.message]).toEqual([400, 'Expected a request body without Content-Encoding'])
    },
  )

  test('a file of more than 32 MiB is refused', async () => {
    expect((await upload(Buffer.alloc(32 * MEBIBYTE + 1, 'a'))).status).toBe(413)
  })

  test('a PDF that unpacks to hundreds of mebibytes ends its own reading, and nothing else', async () => {
    const answer = await upload(pdfOf([Buffer.alloc(400 * MEBIBYTE, ' ')]))
    expect(answer).toMatchObject({ status: 422, json: { message: expect.stringContaining('more time or memory') } })
    expect((await upload(CSV)).status).toBe(200)
  })

  test('more invoices at once than are read and may wait are asked to come again', async () => {
    const pdf = pdfOf(INVOICE_PAGES.map(pageOf))
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => upload(pdf)))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })

  test('invoices of another merchant can be neither sent nor seen', async () => {
    const other = await createMerchant(server.url)
    expect((await upload(CSV, { headers: other.key })).status).toBe(403)
    expect((await call(server.url, `GET /merchant-account/${merchant.id}/invoice-addons`, { headers: other.key })).status).toBe(403)
    expect((await upload(CSV, { of: { id: 'm_nobody', key: {} }, headers: { 'x-admin-secret': 'test_admin' } })).status).toBe(404)
  })
})
