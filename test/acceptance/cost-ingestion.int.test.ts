import { request } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { adyenReport } from '../support/adyen-report.ts'
import { admin, call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { type CostClient, createCostClient } from '../support/cost-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()

const newClient = async (): Promise<CostClient & { readonly merchant: TestMerchant }> => {
  const merchant = await createMerchant(server.url)
  return { ...createCostClient(() => server.url, merchant), merchant }
}

const JANUARY = { count: 300, pctBps: 120, fixed: 0.1, date: '2026-01-05' }

describe('a settlement report', () => {
  test('is uploaded, read, fitted and shown', async () => {
    const client = await newClient()
    const ended = await client.ingest('Adyen', 'ShopEU', adyenReport(JANUARY))
    expect(ended).toMatchObject({
      connector: 'adyen',
      account: 'ShopEU',
      source: 'manual',
      status: 'completed',
      staged_rows: 300,
      period_start: '2026-01-05',
      period_end: '2026-01-05',
      currencies: ['EUR'],
      countries: ['NL'],
      total_clusters: 1,
      good_clusters: 1,
      attempts: 1,
      last_error: null,
    })
    expect(ended.report_date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(ended.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect((await client.get('cost-ingestions')).json).toEqual([ended])
    const [cluster] = (await client.get('cost-clusters?connector=adyen&account=ShopEU')).json
    expect(cluster).toMatchObject({
      key: 'adyen|visa|visastandarddebit|debit|nl|eur|consumer',
      n: 300,
      source: 'model',
      verdict: 'GOOD',
      card_product: '20',
      segments: [],
      override_pct_bps: null,
    })
    expect(cluster.model_pct_bps).toBeCloseTo(120, 3)
    expect(cluster.effective_fixed).toBeCloseTo(0.1, 4)
    expect((await client.get(`cost-clusters?report_date=${ended.report_date}`)).json).toEqual([cluster])
    for (const day of ['2001-01-01', 'yesterday']) expect((await client.get(`cost-clusters?report_date=${day}`)).json).toEqual([])
    expect((await client.get('cost-cluster-facets')).json).toContainEqual({ dim: 'verdict', value: 'Good', txns: 300 })
    expect((await client.get('cost-coverage')).json).toMatchObject({
      total_clusters: 1,
      good_txns: 300,
      good_gross_pct: 100,
      report_date: ended.report_date,
      sources: [{ connector: 'adyen', account: 'ShopEU', good_clusters: 1 }],
    })
  })

  test('tells a day anew when it comes again, and gives it back when it is deleted', async () => {
    const client = await newClient()
    await client.ingest('adyen', 'A', adyenReport(JANUARY, { ...JANUARY, date: '2026-01-06' }))
    const again = await client.ingest('adyen', 'A', adyenReport({ ...JANUARY, count: 250, date: '2026-01-06' }))
    const shown = async (): Promise<number> => (await client.get('cost-clusters')).json[0]?.n ?? 0
    expect(await shown()).toBe(550)
    await client.ingest('adyen', 'A', adyenReport({ ...JANUARY, count: 40, date: '2026-01-06' }), '&covers=parts_of_days')
    expect(await shown()).toBe(590)
    expect((await client.remove(`cost-ingestions/${again.id}`)).status).toBe(204)
    expect(await shown()).toBe(640)
    expect((await client.remove(`cost-ingestions/${again.id}`)).status).toBe(404)
    expect((await client.get(`cost-ingestions/${again.id}`)).status).toBe(404)
    for (const { id } of (await client.get('cost-ingestions')).json) expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    expect((await client.get('cost-clusters')).json).toEqual([])
    expect((await client.get('cost-coverage')).json).toMatchObject({ total_clusters: 0, report_date: '1970-01-01', sources: [] })
  })

  test('that corrects a larger one, which is still being read, replaces it', async () => {
    const client = await newClient()
    const wrong = await client.upload('adyen', 'A', adyenReport({ ...JANUARY, count: 60_000, pctBps: 300 }))
    const correct = await client.upload('adyen', 'A', adyenReport({ ...JANUARY, count: 250 }))
    for (const id of [correct, wrong]) expect(await client.ended(id)).toMatchObject({ status: 'completed' })
    const [cluster] = (await client.get('cost-clusters')).json
    expect(cluster.n).toBe(250)
    expect(cluster.model_pct_bps).toBeCloseTo(120, 3)
  })

  test('of newer payments at another price is a change of price', async () => {
    const client = await newClient()
    await client.ingest('adyen', 'A', adyenReport(JANUARY))
    expect((await client.get('cost-price-changes')).json).toEqual([])
    await client.ingest('adyen', 'A', adyenReport({ ...JANUARY, count: 3_000, pctBps: 150, date: '2026-03-05' }))
    const [change] = (await client.get('cost-price-changes')).json
    expect(change).toMatchObject({ connector: 'adyen', account: 'A', card_network: 'visa', issuer_country: 'NL' })
    expect(change.old_pct_bps).toBeCloseTo(120, 3)
    expect(change.new_pct_bps).toBeGreaterThan(140)
  })

  test('with a few cells that can not be read is used, and tells of them', async () => {
    const client = await newClient()
    const ended = await client.ingest('adyen', 'A', adyenReport({ ...JANUARY, count: 2_000, brokenCount: 2 }))
    expect(ended).toMatchObject({ status: 'completed', unreadable_rows: 2, staged_rows: 2_000 })
    expect(ended.problems).toEqual([
      { line: 2_002, column: 'Payable (SC)', detail: expect.stringContaining('decimal') },
      { line: 2_003, column: 'Payable (SC)', detail: expect.stringContaining('decimal') },
    ])
  })

  test('of which more than 1 in 1,000 can not be read fails with the first twenty, and changes nothing', async () => {
    const client = await newClient()
    await client.ingest('adyen', 'A', adyenReport(JANUARY))
    const before = (await client.get('cost-clusters')).json
    const ended = await client.ingest('adyen', 'A', adyenReport({ ...JANUARY, pctBps: 300, brokenCount: 30 }))
    expect(ended).toMatchObject({ status: 'failed', last_error: expect.stringContaining('30 of 330 records'), report_date: null })
    expect(ended.problems).toHaveLength(20)
    expect(JSON.stringify(ended)).not.toContain('1,234.50')
    expect((await client.get('cost-clusters')).json).toEqual(before)
  })

  test.each([
    ['of another connector', 'stripe', adyenReport(JANUARY), /lacks the columns Card Brand/],
    ['that is a ZIP archive', 'adyen', 'PK\u0003\u0004 and so on', /ZIP archive/],
    ['that is no text', 'adyen', 'a,b\n\u0000\u0000', /zero bytes/],
    ['with a quote that is never closed', 'adyen', `${adyenReport().trim()}\nSettled,"${'x,\n'.repeat(200_000)}`, /quote not closed/],
    ['without anything but blank lines', 'adyen', '\n\n\n', /no header/],
  ])('%s fails and is not tried again', async (_name, connector, file, message) => {
    const client = await newClient()
    const ended = await client.ingest(connector, 'A', file)
    expect(ended).toMatchObject({ status: 'failed', last_error: expect.stringMatching(message), attempts: 1, next_attempt_at: null })
    expect((await client.remove(`cost-ingestions/${ended.id}`)).status).toBe(204)
  })
})

describe('what is refused', () => {
  test.each([
    ['connectors/paypal/report?account=A', 'x', 404, /connector/],
    ['connectors/adyen/report', 'x', 400, /account/],
    ['connectors/adyen/report?account=A%07', 'x', 400, /account: .* control characters/],
    ['connectors/adyen/report?account=A&covers=weeks', 'x', 400, /covers/],
    ['connectors/adyen/report?account=A', '', 400, /body/],
    ['connectors/paypal/report/validate-headers', 'x', 404, /connector/],
    ['connectors/adyen/report/validate-headers', '', 400, /sample/],
    ['connectors/adyen/report/sample', undefined, 404, /sample/],
    ['connectors/adyen/report/preview', { columns: {}, sample: 'a,b\n1,2' }, 400, /lacks: Record Type/],
    ['connectors/adyen/report/preview', { columns: {} }, 422, /sample/],
  ])('POST %s %j', async (path, body, status, message) => {
    const client = await newClient()
    expect(await client.post(path, body)).toMatchObject({ status, json: { message: expect.stringMatching(message) } })
  })

  test('a preview under more columns than a mapping has', async () => {
    const client = await newClient()
    const preview = async (count: number) => {
      const columns = Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, 'x']))
      return await client.post('connectors/adyen/report/preview', { columns, sample: 'a,b' })
    }
    expect(await preview(1_000)).toMatchObject({ status: 400, json: { message: expect.stringMatching(/lacks: Record Type/) } })
    const refused = { status: 422, json: { message: expect.stringMatching(/columns: expected at most 1000 members/) } }
    expect(await preview(1_001)).toMatchObject(refused)
  })

  test.each(['connectors/adyen/report?account=A', 'connectors/adyen/invoice?account=A'])(
    'POST %s that was begun for a merchant is none of the one that has its id by the end',
    async (path) => {
      const { merchant } = await newClient()
      const place = `/merchant-account/${merchant.id}`
      const headers = merchant.key
      const sent = request(`${server.url}${place}/${path}`, { method: 'POST', headers: { ...headers, expect: '100-continue' } })
      const status = new Promise<number | undefined>((resolve) =>
        sent.once('response', (response) => {
          response.resume()
          resolve(response.statusCode)
        }),
      )
      await new Promise<void>((resolve) => {
        sent.once('continue', resolve).flushHeaders()
      })
      await call(server.url, `DELETE ${place}`, { headers })
      await createMerchant(server.url, merchant.id)
      sent.end(path.includes('/report') ? adyenReport(JANUARY) : 'Description,Amount,Quantity,Currency\nRisk Fee,42,1200,EUR\n')
      expect(await status).toBe(404)
      for (const list of ['cost-ingestions', 'invoice-addons'])
        expect((await call(server.url, `GET ${place}/${list}`, { headers: admin })).json).toEqual([])
    },
  )

  test('more than eight uploads of a merchant at the same time, and no upload of another one because of these', async () => {
    const [client, other] = [await newClient(), await newClient()]
    const answers: (number | undefined)[] = []
    const slow = Array.from({ length: 9 }, () => {
      const sent = request(`${server.url}/merchant-account/${client.merchant.id}/connectors/adyen/report?account=A`, {
        method: 'POST',
        headers: client.merchant.key,
      })
      sent.on('error', () => {}).on('response', ({ statusCode }) => answers.push(statusCode))
      sent.write('Record Type,')
      return sent
    })
    const answered = async (): Promise<number> => answers.length
    await eventually('a refusal', answered, (count) => count === 1)
    expect(answers).toEqual([503])
    expect(await other.ingest('adyen', 'A', adyenReport(JANUARY))).toMatchObject({ status: 'completed' })
    for (const sent of slow) sent.destroy()
  })

  test('another merchant sees and deletes nothing, and forms are no files', async () => {
    const client = await newClient()
    const stranger = await newClient()
    const { id } = await client.ingest('adyen', 'A', adyenReport(JANUARY))
    const asStranger = { headers: stranger.merchant.key }
    expect((await call(server.url, `GET /merchant-account/${client.merchant.id}/cost-ingestions`, asStranger)).status).toBe(403)
    expect((await stranger.get(`cost-ingestions/${id}`)).status).toBe(404)
    expect((await stranger.remove(`cost-ingestions/${id}`)).status).toBe(404)
    const form = { headers: { ...client.merchant.key, 'content-type': 'multipart/form-data; boundary=x' }, body: '--x' }
    expect((await call(server.url, `POST /merchant-account/${client.merchant.id}/connectors/adyen/report?account=A`, form)).status).toBe(
      400,
    )
  })
})

describe('a look before it is taken in (cost.md 6)', () => {
  test('columns and rows', async () => {
    const client = await newClient()
    const file = adyenReport(JANUARY)
    expect((await client.post('connectors/adyen/report/validate-headers', file)).json).toMatchObject({ ok: true, missing: [] })
    expect((await client.post('connectors/chase/report/validate-headers', file)).json).toMatchObject({
      ok: false,
      suggested_connectors: [{ connector: 'adyen', matched_required: 12 }],
    })
    const preview = (await client.post('connectors/adyen/report/preview', { columns: {}, sample: file.slice(0, 3_000), truncated: true }))
      .json
    expect(preview).toMatchObject({ warning: null, rows: expect.arrayContaining([expect.objectContaining({ card_network: 'visa' })]) })
    expect(preview.rows).toHaveLength(10)
  })

  test('an account that is not typed yet is none: looking at a file was refused until there was one', async () => {
    const client = await newClient()
    const path = 'connectors/adyen/report/validate-headers?account='
    expect(await client.post(path, adyenReport(JANUARY))).toMatchObject({ status: 200, json: { ok: true } })
  })

  test("ids longer than any are nobody's", async () => {
    const client = await newClient()
    const long = 'x'.repeat(5_000)
    expect((await client.get(`cost-ingestions/${long}`)).status).toBe(404)
    expect((await client.remove(`cost-ingestions/${long}`)).status).toBe(404)
    for (const list of ['cost-clusters', 'cost-cluster-facets']) {
      expect(await client.get(`${list}?ingestion_id=${long}`)).toMatchObject({ status: 200, json: [] })
    }
    for (const read of [
      'connector-fees',
      'cost-ingestions',
      'cost-clusters',
      'cost-cluster-facets',
      'cost-coverage',
      'cost-price-changes',
    ]) {
      expect((await call(server.url, `GET /merchant-account/${long}/${read}`, { headers: admin })).status).toBe(200)
    }
  })

  test('connectors, and lists of a merchant without reports', async () => {
    const client = await newClient()
    expect((await call(server.url, 'GET /cost-ingestion/connectors', { headers: client.merchant.key })).json).toEqual([
      { id: 'adyen', pull: false },
      { id: 'braintree', pull: false },
      { id: 'chase', pull: true },
      { id: 'checkout', pull: false },
      { id: 'stripe', pull: false },
    ])
    for (const list of ['cost-ingestions', 'cost-clusters', 'cost-cluster-facets', 'cost-price-changes'])
      expect([list, (await client.get(list)).json]).toEqual([list, []])
  })
})

test('a limit of ten digits, as pages ask for all with, was said to be no whole number instead of being capped', async () => {
  const client = await newClient()
  expect(await client.get(`cost-clusters?limit=${Number.MAX_SAFE_INTEGER}&offset=0`)).toMatchObject({ status: 200, json: [] })
})

test('clusters are paged, filtered and ordered (cost.md 10.4)', async () => {
  const client = await newClient()
  const countries = Array.from({ length: 60 }, (_, index) => `C${index}`)
  const shapes = countries.map((country, index) => ({ ...JANUARY, country, count: 2 + index }))
  await client.ingest('adyen', 'A', adyenReport(...shapes))
  const keysOf = async (query: string): Promise<readonly string[]> =>
    (await client.get(`cost-clusters?${query}`)).json.map(({ issuer_country }: { readonly issuer_country: string }) => issuer_country)
  expect(await keysOf('')).toHaveLength(10)
  expect(await keysOf('limit=2000')).toHaveLength(50)
  expect(await keysOf('limit=-3')).toHaveLength(1)
  expect(await keysOf('limit=50&offset=50&order=txns')).toEqual(['C9', 'C8', 'C7', 'C6', 'C5', 'C4', 'C3', 'C2', 'C1', 'C0'])
  expect(await keysOf('issuer_country=c7&issuer_country=C8&order=txns')).toEqual(['C8', 'C7'])
  expect(await keysOf('verdict=poor%20fit')).toEqual([])
  expect(await keysOf('verdict=nonsense')).toEqual([])
  expect(await keysOf('q=|c59|')).toEqual(['C59'])
  expect((await client.get('cost-clusters?limit=many')).status).toBe(400)
})
