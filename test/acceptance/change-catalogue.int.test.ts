import { beforeAll, describe, expect, test } from '@jest/globals'
import { adyenReport } from '../support/adyen-report.ts'
import { call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { experimentClient, experimentData, ref } from '../support/experiment-client.ts'
import { useServer } from '../support/server.ts'

const SECRETS = { webhook_secret: 'hook-secret-0123', download_auth: 'user:pass-4567' }
const ENDPOINT_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

const server = useServer()
let merchant: TestMerchant

const { post, named, created } = experimentClient(
  () => server.url,
  () => merchant,
)
const ask = async (request: string, body?: object): Promise<void> => {
  const [method, path] = request.split(' ')
  const sent = body === undefined ? {} : { body }
  const { status, text } = await call(server.url, `${method} /merchant-account/${merchant.id}/${path}`, { ...sent, headers: merchant.key })
  if (status >= 300) throw new Error(`${request} was answered ${status} ${text}`)
}

/** What people do to costs. */
const setCosts = async (): Promise<void> => {
  await ask('PUT connectors/adyen/fee-override', { pct_bps: 120, fixed: 0.1 })
  await ask('DELETE connectors/adyen/fee-override')
  const cluster = encodeURIComponent('adyen|visa|visastandarddebit|debit|nl|eur|')
  await ask(`PUT cost-clusters/${cluster}/fee-override`, { pct_bps: 10, fixed: 0 })
  await ask(`DELETE cost-clusters/${cluster}/fee-override`)
  await ask('PUT seed-costs', { rows: [{ psp: 'stripe', interchange_bps: 100, scheme_bps: 10, markup_bps: 20, fixed: 0.3 }] })
  await ask('DELETE seed-costs')
  const account = `shop_${merchant.id}`
  await ask('POST connectors/adyen/credentials', { account, ...SECRETS })
  await ask(`DELETE connectors/adyen/credentials/${account}`)
  const client = createCostClient(() => server.url, merchant)
  const { id } = await client.ingest('adyen', 'ShopEU', adyenReport({ count: 60, pctBps: 120, fixed: 0.1, date: '2026-01-05' }))
  await ask(`DELETE cost-ingestions/${id}`)
}

/** What people do to routing and to the rest. */
const setUp = async (): Promise<void> => {
  const config = (bucket: number) => ({
    merchant_id: merchant.id,
    config: { type: 'successRate', data: { defaultBucketSize: bucket, defaultHedgingPercent: 5 } },
  })
  await post('/rule/create', config(50))
  await post('/rule/update', config(60))
  const algorithm = await created('priority', [ref('adyen'), ref('stripe')])
  const experiment = await created('ab_test', experimentData({ variant_algorithm_id: algorithm, variant_sr_config: null }))
  await post('/routing/activate', named(experiment))
  await post('/routing/promote', named(experiment, { arm: 'variant' }))
  await ask('POST features/multi-objective-routing', { enabled: true })
  await ask('POST features/multi-objective-routing', { enabled: false })
  await ask('POST debit-routing', { enabled: true })
  await ask('PUT webhook-endpoint', { webhook_url: 'https://shop.example/hook', secret: ENDPOINT_SECRET })
  await ask('DELETE webhook-endpoint')
  const key = await post('/api-key/create', { merchant_id: merchant.id, description: 'till' })
  await call(server.url, `DELETE /api-key/${key.json.key_id}`, { headers: merchant.key })
}

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  await setCosts()
  await setUp()
}, 60_000)

interface Told {
  readonly change: string
  readonly subject_id: string | null
  readonly actor: string
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
}
const told = async (): Promise<{ readonly changes: readonly Told[]; readonly text: string }> => {
  const { json, text } = await eventually(
    'the deletion of the report among the changes',
    () => call(server.url, 'GET /audit/changes?page_size=50', { headers: merchant.key }),
    (answer) => answer.text.includes('IngestionDeleted'),
  )
  return { changes: json.changes, text }
}

describe('the journal tells', () => {
  test.each([
    ['ConnectorFeeOverridden', null],
    ['ConnectorFeeOverrideCleared', null],
    ['ClusterFeeOverridden', null],
    ['ClusterFeeOverrideCleared', null],
    ['ContractRatesAgreed', null],
    ['ContractRatesRemoved', null],
    ['ConnectorCredentialStored', null],
    ['ConnectorCredentialRemoved', null],
    ['SettlementReportAccepted', expect.any(String)],
    ['IngestionDeleted', expect.any(String)],
    ['SuccessRateScoringConfigured', null],
    ['RoutingAlgorithmDrafted', expect.any(String)],
    ['RoutingAlgorithmActivated', expect.any(String)],
    ['ExperimentArmPromoted', expect.any(String)],
    ['FeatureEnabled', 'multi-objective-routing'],
    ['FeatureDisabled', 'multi-objective-routing'],
    ['DebitRoutingEnabled', null],
    ['WebhookEndpointConfigured', 'default'],
    ['WebhookEndpointRemoved', 'default'],
    ['ApiKeyIssued', expect.any(String)],
    ['ApiKeyRevoked', expect.any(String)],
  ])('%s, with who did it and what became different', async (name, subjectId) => {
    const { changes } = await told()
    const [newest] = changes.filter(({ change }) => change === name)
    expect(newest).toMatchObject({ subject_id: subjectId, actor: expect.stringMatching(/^key:/) })
    expect(Object.keys({ ...newest?.before, ...newest?.after }).length).toBeGreaterThan(0)
  })

  test('no secret, and nothing that nobody did', async () => {
    const { changes, text } = await told()
    for (const secret of [...Object.values(SECRETS), ENDPOINT_SECRET, 'pass-4567']) expect(text).not.toContain(secret)
    for (const { change, before, after } of changes) {
      const fields = Object.keys({ ...before, ...after }).filter((field) => /registered|[rR]egistrationCount|historySince/.test(field))
      expect(fields).toEqual(change === 'MerchantRegistered' ? ['merchants.registered'] : [])
    }
  })

  test('the newest first, whichever order of events it stands in', async () => {
    const { changes } = await told()
    const times = changes.map((change) => Reflect.get(change, 'at_ms'))
    expect(times).toEqual([...times].sort((a, b) => b - a))
  })
})
