import { createHmac, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adyenReport } from '../support/adyen-report.ts'
import { type Answer, call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const REPORT = adyenReport({ count: 250, pctBps: 120, fixed: 0.1, date: '2026-01-05' })

/** A connector: what was asked of it, and how often. */
const asked: string[] = []
let failuresLeft = 0
let isLateThere = false
/** Requests of reports that never come. */
let silentCount = 0
let connector: Server
let server: RunningServer

const headerOf = ({ headers }: IncomingMessage): string => headers.authorization ?? String(headers['x-api-key'] ?? '')

const CHECKOUT_HEAD =
  'Payment ID,Action Type,Breakdown Type,Holding Currency,Holding Currency Amount,Payment Method,Card Type,Issuer Country,Processed On'
const checkoutFile = (from: number): string =>
  [
    CHECKOUT_HEAD,
    ...Array.from({ length: 150 }, (_, index) => {
      const gross = 10 + index
      const rest = 'EUR,%s,Visa,Debit,NL,2026-01-05T10:00:00.000'
      const lineOf = (breakdown: string, amount: number): string =>
        `pay_${from + index},Capture,${breakdown},${rest.replace('%s', amount.toFixed(4))}`
      return [lineOf('Capture', gross), lineOf('Interchange Fee', -gross * 0.01 - 0.05)].join('\n')
    }),
  ].join('\n')

let listCount = 0
/** Pages as the connector's manual shows them; the address of a report is another one each time. */
const listed = (origin: string, next: string | undefined): object => {
  const completed = (reportIdentifier: string, reportTypeNames: readonly string[], url: string): object => ({
    reportIdentifier,
    reportTypeNames,
    reportStatus: 'completed',
    reportDetails: { reportFileName: reportIdentifier, url: `${origin}${url}?signature=${++listCount}` },
  })
  return next === undefined
    ? {
        next: 'second',
        summarizedReports: [{ reportIdentifier: 'r0', reportTypeNames: ['Submission Details'], reportStatus: 'requested' }],
        lastPage: false,
      }
    : {
        next: null,
        summarizedReports: [
          completed('r1', ['Submission Details'], '/chase/r1.csv'),
          completed('r2', ['Transaction Details'], '/chase/r2.csv'),
        ],
        lastPage: true,
      }
}

const CHASE_HEAD =
  'Merchant Order Number,Action Type Code Text,Payment Method Code,Card Usage Type,Country of Issuance,Settlement Currency Code,' +
  'Interchange Qualification Code,Transaction Amount in Presentment Currency,Total Interchange Amount,Total Assessment Amount,Submission Date'
const chaseFile = [
  'BEGIN,1',
  'EntityId=7',
  CHASE_HEAD,
  ...Array.from(
    { length: 220 },
    (_, index) => `o${index},SALE,VI,3,US,USD,V105,${10 + index}.00,-${(0.1 + index / 100).toFixed(2)},0,1/5/2026`,
  ),
  'END,1',
].join('\r\n')

const answers = (origin: string): Readonly<Record<string, (request: IncomingMessage) => string>> => ({
  '/adyen/r1.csv': () => REPORT,
  ...(isLateThere && { '/adyen/late.csv': () => REPORT }),
  '/reports/rpt_1': () => JSON.stringify({ files: [{ id: 'file_1' }, { id: 'file_2' }] }),
  '/reports/rpt_1/files/file_1': () => checkoutFile(0),
  '/reports/rpt_1/files/file_2': () => checkoutFile(1_000),
  '/token': () => JSON.stringify({ access_token: 'token-1', expires_in: '3600' }),
  '/list': ({ headers }) => JSON.stringify(listed(origin, typeof headers['next'] === 'string' ? headers['next'] : undefined)),
  '/chase/r1.csv': () => chaseFile,
})

beforeAll(async () => {
  connector = createServer((request, response) => {
    const { port } = connector.address() as AddressInfo
    asked.push(`${request.method} ${request.url} ${headerOf(request)}`)
    if (request.url === '/adyen/silent.csv') {
      silentCount += 1
      response.once('close', () => (silentCount -= 1))
      return
    }
    const answer = answers(`http://127.0.0.1:${port}`)[(request.url ?? '').split('?')[0] ?? '']
    const isFailing = failuresLeft > 0
    if (isFailing) failuresLeft -= 1
    response.statusCode = isFailing ? 503 : answer === undefined ? 404 : 200
    response.end(isFailing ? '' : answer?.(request))
  }).listen(0, '127.0.0.1')
  await once(connector, 'listening')
  server = await startServer({
    dataDir: folder.path,
    env: {
      SWITCHYARD_REPORT_HOSTS: '127.0.0.1',
      SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
      SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      SWITCHYARD_REPORT_POLL_SECONDS: '1',
    },
  })
})
afterAll(async () => {
  await server.stop()
  connector.close()
  await folder.remove()
})

const originOf = (): string => `http://127.0.0.1:${(connector.address() as AddressInfo).port}`

const withAccount = async (name: string, account: string, webhookSecret: string, downloadAuth: string) => {
  const merchant: TestMerchant = await createMerchant(server.url)
  const body = { account, webhook_secret: webhookSecret, download_auth: downloadAuth }
  const stored = await call(server.url, `POST /merchant-account/${merchant.id}/connectors/${name}/credentials`, {
    body,
    headers: merchant.key,
  })
  expect(stored.status).toBe(200)
  return createCostClient(() => server.url, merchant)
}

const adyenNotice = (account: string, id: string, address: string, key = KEY): string => {
  const escape = (text: string): string => text.replace(/:/g, '\\:')
  const text = [id, '', account, '', '0', 'EUR', 'REPORT_AVAILABLE', 'true'].map((part) => escape(part)).join(':')
  const item = {
    pspReference: id,
    merchantAccountCode: account,
    amount: { value: 0, currency: 'EUR' },
    eventCode: 'REPORT_AVAILABLE',
    success: 'true',
    reason: address,
    additionalData: { hmacSignature: createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64') },
  }
  return JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })
}

const tell = (name: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(server.url, `POST /webhooks/settlement/${name}`, { body, headers })

const onlyIngestion = async (client: ReturnType<typeof createCostClient>) => {
  const { json } = await eventually(
    'an ingestion',
    () => client.get('cost-ingestions'),
    ({ json: list }) => list.length > 0,
  )
  return await client.ended(json[0].id)
}

describe('a notice of Adyen', () => {
  test('has its report fetched with the credentials and taken in, once', async () => {
    const client = await withAccount('adyen', 'NoticeEU', KEY, 'report:pass')
    const notice = adyenNotice('NoticeEU', 'psp_1', `${originOf()}/adyen/r1.csv`)
    expect(await tell('adyen', notice)).toMatchObject({ status: 200, text: '[accepted]' })
    expect(await onlyIngestion(client)).toMatchObject({ status: 'completed', source: 'webhook', account: 'NoticeEU', staged_rows: 250 })
    expect(await tell('adyen', notice)).toMatchObject({ status: 200, text: '[accepted]' })
    expect((await client.get('cost-ingestions')).json).toHaveLength(1)
    expect(asked).toContain(`GET /adyen/r1.csv Basic ${Buffer.from('report:pass').toString('base64')}`)
  })

  test('of a host that is not the connector’s is not followed', async () => {
    const client = await withAccount('adyen', 'HostEU', KEY, 'report:pass')
    await tell('adyen', adyenNotice('HostEU', 'psp_2', 'http://localhost:1/adyen/r1.csv'))
    expect(await onlyIngestion(client)).toMatchObject({ status: 'failed', last_error: expect.stringContaining('SWITCHYARD_REPORT_HOSTS') })
  })

  test('that is told again after its report has failed has it taken up anew', async () => {
    const client = await withAccount('adyen', 'LateEU', KEY, 'report:pass')
    const notice = adyenNotice('LateEU', 'psp_9', `${originOf()}/adyen/late.csv`)
    await tell('adyen', notice)
    const { id, ...failed } = await onlyIngestion(client)
    expect(failed).toMatchObject({ status: 'failed', last_error: expect.stringContaining('404') })
    isLateThere = true
    expect(await tell('adyen', notice)).toMatchObject({ status: 200, text: '[accepted]' })
    expect(await client.ended(id)).toMatchObject({ status: 'completed', staged_rows: 250, attempts: 1, last_error: null })
    expect((await client.get('cost-ingestions')).json).toHaveLength(1)
  })

  test('whose report is away is tried again later', async () => {
    const client = await withAccount('adyen', 'AwayEU', KEY, 'key-1')
    failuresLeft = 1
    await tell('adyen', adyenNotice('AwayEU', 'psp_3', `${originOf()}/adyen/r1.csv`))
    const { json } = await eventually(
      'a failed attempt',
      () => client.get('cost-ingestions'),
      ({ json: list }) => list[0]?.last_error !== null && list[0] !== undefined,
    )
    expect(json[0]).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: expect.stringMatching(/Z$/) })
    expect(json[0].last_error).toContain('503')
  })

  test('whose connector is silent holds up no upload, and its deletion ends the waiting', async () => {
    const client = await withAccount('adyen', 'SilentEU', KEY, 'report:pass')
    for (const id of ['psp_6', 'psp_7']) await tell('adyen', adyenNotice('SilentEU', id, `${originOf()}/adyen/silent.csv`))
    const silentOnes = async (): Promise<number> => silentCount
    await eventually('both to be waited for', silentOnes, (count) => count === 2)
    expect(await client.ingest('adyen', 'Upload', REPORT)).toMatchObject({ status: 'completed' })
    const { json } = await client.get('cost-ingestions')
    const waiting = json.filter(({ source }: { readonly source: string }) => source === 'webhook')
    expect(waiting).toMatchObject([{ status: 'processing' }, { status: 'processing' }])
    for (const { id } of waiting) expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    await eventually('nobody to wait', silentOnes, (count) => count === 0)
  })

  test('that names its report as one of another merchant is named is fetched all the same', async () => {
    const waiting = await withAccount('adyen', 'SameSilentEU', KEY, 'report:pass')
    const client = await withAccount('adyen', 'SameEU', KEY, 'report:pass')
    await tell('adyen', adyenNotice('SameSilentEU', 'psp_10', `${originOf()}/adyen/silent.csv`))
    const silentOnes = async (): Promise<number> => silentCount
    await eventually('it to be waited for', silentOnes, (count) => count === 1)
    await tell('adyen', adyenNotice('SameEU', 'psp_10', `${originOf()}/adyen/r1.csv`))
    const { id, ...ended } = await onlyIngestion(client)
    expect(ended).toMatchObject({ status: 'completed', account: 'SameEU', staged_rows: 250 })
    expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    const { json } = await waiting.get('cost-ingestions')
    expect(json).toMatchObject([{ status: 'processing' }])
    expect((await waiting.remove(`cost-ingestions/${json[0].id}`)).status).toBe(204)
  })

  test('that names its report as that of another account is named, by the day, is of a report of its own', async () => {
    const client = await withAccount('adyen', 'DayEU', KEY, 'report:pass')
    const other = { account: 'DayUS', webhook_secret: KEY, download_auth: 'report:pass' }
    expect((await client.post('connectors/adyen/credentials', other)).status).toBe(200)
    for (const account of ['DayEU', 'DayUS'])
      await tell('adyen', adyenNotice(account, 'payments_accounting_report_2026_01_05.csv', `${originOf()}/adyen/r1.csv`))
    const { json } = await client.get('cost-ingestions')
    expect(json.map(({ account }: { readonly account: string }) => account).sort()).toEqual(['DayEU', 'DayUS'])
    for (const { id } of json) expect(await client.ended(id)).toMatchObject({ status: 'completed', staged_rows: 250 })
  })

  test.each([
    ['with a wrong signature', 'adyen', () => adyenNotice('NoticeEU', 'psp_4', 'https://ca-live.adyen.com/r', 'ab'), 401],
    ['of an unknown account', 'adyen', () => adyenNotice('Nobody', 'psp_5', 'https://ca-live.adyen.com/r'), 400],
    ['that can not be read', 'adyen', () => '{', 400],
    ['of a connector that sends none', 'chase', () => '{}', 400],
    ['of an unknown connector', 'paypal', () => '{}', 400],
    ['that is too large', 'adyen', () => 'x'.repeat(300_000), 413],
  ])('%s is refused', async (_name, name, body, status) => {
    expect((await tell(name, body())).status).toBe(status)
  })
})

test('a notice of Checkout: all files of its report are one table', async () => {
  const credential = JSON.stringify({ secret_key: 'sk_1', api_base_url: originOf() })
  const client = await withAccount('checkout', 'ent_1', 'sesame', credential)
  const notice = JSON.stringify({
    id: 'evt_1',
    type: 'report_generated',
    data: { report_id: 'rpt_1', report_type: 'FinancialActions', account: { entity_id: 'ent_1' } },
  })
  const signature = createHmac('sha256', 'sesame').update(notice).digest('hex')
  expect(await tell('checkout', notice, { 'Cko-Signature': signature })).toMatchObject({ status: 200, text: '[accepted]' })
  expect(await onlyIngestion(client)).toMatchObject({ status: 'completed', staged_rows: 300, good_clusters: 1 })
  expect(asked).toContain('GET /reports/rpt_1/files/file_2 Bearer sk_1')
})

test('reports of Chase are asked for, and fetched with a token', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const credential = JSON.stringify({
    client_id: 'cid',
    resource: 'res',
    private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_url: `${originOf()}/token`,
    reports_url: `${originOf()}/list`,
  })
  const client = await withAccount('chase', 'entity_7', '', credential)
  expect(await onlyIngestion(client)).toMatchObject({ status: 'completed', source: 'poll', account: 'entity_7', staged_rows: 220 })
  await eventually(
    'reports to be asked for again',
    async () => asked.filter((line) => line.startsWith('GET /list')).length,
    (count) => count >= 6,
  )
  expect((await client.get('cost-ingestions')).json).toHaveLength(1)
  expect(asked).toContainEqual(expect.stringMatching(/^GET \/chase\/r1\.csv\?signature=\d+ Bearer token-1$/))
})
