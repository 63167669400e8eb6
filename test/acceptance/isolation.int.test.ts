import { beforeAll, describe, expect, test } from '@jest/globals'
import type { RouteSpec } from '@switchyard/http'
import { routeTable } from '../../infra/gateway/route-table.mjs'
import { type Answer, admin, call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { experimentData } from '../support/experiment-client.ts'
import { legacyDecision, legacyOutcome } from '../support/legacy-bodies.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let own: TestMerchant
let other: TestMerchant
/** The key and the bearer of `own`. */
let credentials: readonly (readonly [kind: string, headers: Readonly<Record<string, string>>])[]

const tenant = { 'x-tenant-id': 'public' }
const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })

beforeAll(async () => {
  own = await createMerchant(server.url)
  other = await createMerchant(server.url)
  const body = { email: 'owner@example.test', password: 'Blue#Sky2024', merchant_id: own.id }
  const { json } = await call(server.url, 'POST /auth/signup', { body, headers: admin })
  credentials = [
    ['a key', own.key],
    ['a bearer', bearer(json.token)],
  ]
})

const nameOf = ({ method, path }: RouteSpec): string => `${method} ${path}`
const specs = routeTable.flatMap((row) => row.specs)
const guarded = specs.filter(({ access }) => access === 'protected' || access === 'session')
const naming = guarded.filter(({ merchant }) => merchant !== undefined)

/** The request of a row that names this merchant; everything else in it is of no meaning. */
const requestOf = ({ method, path, merchant, body }: RouteSpec, merchantId: string) => {
  const inPath = merchant?.in === 'path' ? merchant.name : undefined
  const segments = path.replaceAll(/:(\w+)/g, (_, name: string) => (name === inPath ? merchantId : 'x'))
  const named = merchant?.in === 'body' ? { [merchant.name]: merchantId } : {}
  return { request: `${method} ${segments}`, body: body === 'none' ? undefined : named }
}

const ask = ({ request, body }: ReturnType<typeof requestOf>, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  call(server.url, request, { headers: { ...tenant, ...headers }, ...(body === undefined ? {} : { body }) })

/** An experiment of the other merchant. */
const experimentOfOther = async (): Promise<string> => {
  const body = { name: 'ab', created_by: other.id, algorithm: { type: 'ab_test', data: experimentData() } }
  const { json } = await call(server.url, 'POST /routing/create', { body, headers: other.key })
  return json.rule_id
}

/** Routes whose handler finds the merchant: how to name another one's, and what it is answered. */
const byHandler: Readonly<Record<string, () => Promise<void>>> = {
  'DELETE /api-key/:keyId': async () => {
    const { json } = await call(server.url, `GET /api-key/list/${other.id}`, { headers: other.key })
    for (const [, headers] of credentials) {
      expect((await call(server.url, `DELETE /api-key/${json[0].key_id}`, { headers })).status).toBe(403)
      expect((await call(server.url, 'DELETE /api-key/unknown', { headers })).status).toBe(404)
    }
    expect((await call(server.url, `GET /merchant-account/${other.id}`, { headers: other.key })).status).toBe(200)
  },
  'POST /routing/hybrid': async () => {
    const rules = { created_by: other.id, payment_id: 'p', parameters: {}, fallback_output: [{ gateway_name: 'stripe' }] }
    const both = [
      { static_routing_request: rules, dynamic_routing_request: decisionRequest(own.id, 'p') },
      { static_routing_request: { ...rules, created_by: own.id }, dynamic_routing_request: decisionRequest(other.id, 'p') },
    ]
    for (const [, headers] of credentials)
      for (const body of both) expect((await call(server.url, 'POST /routing/hybrid', { body, headers })).status).toBe(403)
  },
  'POST /update-gateway-score/batch': async () => {
    const line = JSON.stringify({ merchantId: other.id, gateway: 'stripe', paymentId: 'p', status: 'CHARGED' })
    for (const [, headers] of credentials) {
      const { text } = await call(server.url, 'POST /update-gateway-score/batch', { body: `${line}\n`, headers })
      expect(JSON.parse(text.trim().split('\n')[0] ?? '')).toMatchObject({ result: 'refused', code: 'MERCHANT_FOREIGN' })
    }
  },
  'POST /decision_gateway': async () => {
    for (const [, headers] of credentials)
      expect((await call(server.url, 'POST /decision_gateway', { body: legacyDecision(other.id, 'p'), headers })).status).toBe(403)
  },
  'POST /update-score': async () => {
    for (const [, headers] of credentials)
      expect((await call(server.url, 'POST /update-score', { body: legacyOutcome(other.id, 'p'), headers })).status).toBe(403)
  },
  'POST /gateway-score/reset': async () => {
    for (const [, headers] of credentials)
      expect((await ask({ request: 'POST /gateway-score/reset', body: { merchant_id: other.id } }, headers)).status).toBe(403)
  },
  'GET /analytics/experiment/:experimentId/results': async () => {
    const request = `GET /analytics/experiment/${await experimentOfOther()}/results`
    expect((await call(server.url, request, { headers: { ...tenant, ...other.key } })).json.merchant_id).toBe(other.id)
    for (const [, headers] of credentials) {
      const { status, json } = await call(server.url, request, { headers: { ...tenant, ...headers } })
      expect([status, json?.merchant_id ?? own.id]).toEqual([expect.any(Number), own.id])
    }
  },
  'GET /analytics/experiment/:experimentId/transactions': async () => {
    const request = `GET /analytics/experiment/${await experimentOfOther()}/transactions`
    for (const [, headers] of credentials) {
      const { json } = await call(server.url, request, { headers: { ...tenant, ...headers } })
      expect(json.transactions ?? []).toEqual([])
    }
  },
  'GET /audit/changes': async () => {
    for (const [, headers] of credentials) {
      expect((await call(server.url, `GET /audit/changes?merchant_id=${other.id}`, { headers })).status).toBe(403)
      expect((await call(server.url, 'GET /audit/changes?merchant_id=nobody', { headers })).status).toBe(404)
      expect((await call(server.url, 'GET /audit/changes', { headers })).json.merchant_id).toBe(own.id)
    }
  },
  'GET /decisions/:paymentId': async () => {
    await call(server.url, 'POST /decide-gateway', { body: decisionRequest(other.id, 'p_other'), headers: other.key })
    const outcome = { merchantId: other.id, gateway: 'stripe', paymentId: 'p_other', status: 'CHARGED' }
    const reported = await call(server.url, 'POST /update-gateway-score', { body: outcome, headers: other.key })
    for (const [, headers] of credentials) {
      const waiting = { ...headers, 'x-min-log-position': reported.headers.get('x-log-position') ?? '' }
      expect((await call(server.url, 'GET /decisions/p_other', { headers: waiting })).status).toBe(404)
    }
    expect((await call(server.url, 'GET /decisions/p_other', { headers: other.key })).status).toBe(200)
  },
  // Its answer is lines; the last one names the merchant whose payments it read.
  'POST /analytics/back-test': async () => {
    for (const [, headers] of credentials) {
      const body = { changes: { bucket_size: 10 }, merchant_id: other.id, created_by: other.id }
      const { status, text } = await call(server.url, 'POST /analytics/back-test', { body, headers: { ...tenant, ...headers } })
      expect([status, JSON.parse(text.trim().split('\n').at(-1) ?? '').merchant_id]).toEqual([200, own.id])
    }
  },
}

/** Routes that answer about the merchant of the credential, whatever else a request names. */
const ofCredential = [
  'GET /analytics',
  'GET /analytics/overview',
  'GET /analytics/gateway-scores',
  'GET /analytics/decisions',
  'GET /analytics/routing-stats',
  'GET /analytics/log-summaries',
  'GET /analytics/routing-events',
  'GET /analytics/cost-savings',
  'GET /analytics/payment-audit',
  'GET /analytics/preview-trace',
  'GET /analytics/self-tuning',
]

/** Routes of the deployment, without a merchant. */
const ofDeployment = ['GET /config/routing-keys', 'GET /gsm/options', 'GET /cost-ingestion/connectors']

describe('isolation of merchants', () => {
  test('every guarded route is tested: by its row, by hand, or because it is about nobody else', () => {
    const sessions = guarded.filter(({ access, merchant }) => access === 'session' && merchant === undefined).map(nameOf)
    const known = new Set([...naming.map(nameOf), ...Object.keys(byHandler), ...ofCredential, ...ofDeployment, ...sessions])
    expect(guarded.map(nameOf).filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !guarded.some((spec) => nameOf(spec) === name))).toEqual([])
  })

  test.each(naming.map((spec) => [nameOf(spec), spec] as const))('%s does nothing for another merchant', async (_name, spec) => {
    for (const [kind, headers] of credentials) {
      const { status, json } = await ask(requestOf(spec, other.id), headers)
      // The routes of events say it in their own way (webhooks.md 3.1).
      const refused = spec.path.startsWith('/events/') ? [401, 'does not belong to this merchant'] : [403, other.id]
      expect([kind, status, JSON.stringify(json)]).toEqual([kind, refused[0], expect.stringContaining(String(refused[1]))])
    }
  })

  test.each(naming.map((spec) => [nameOf(spec), spec] as const))('%s answers for nobody as its row says', async (_name, spec) => {
    // To strangers, events of a merchant that does not exist are those of a foreign one (webhooks.md 3.1).
    const expected = spec.path.startsWith('/events/') ? 401 : spec.merchant?.whenUnknown === 'not-found' ? 404 : 403
    for (const [kind, headers] of credentials) {
      const { status, json } = await ask(requestOf(spec, 'nobody'), headers)
      // Decision routes answer in their own envelope, always with 400 (platform.md 10.2).
      const isDecision = json?.error_info?.code === 'MERCHANT_NOT_FOUND'
      expect([kind, status]).toEqual([kind, isDecision ? 400 : expected])
    }
  })

  test.each(naming.map((spec) => [nameOf(spec), spec] as const))('%s asks for a credential first', async (_name, spec) => {
    expect((await ask(requestOf(spec, other.id), {})).status).toBe(401)
    expect((await ask(requestOf(spec, other.id), { 'x-api-key': 'DE_unknown' })).status).toBe(401)
  })

  test.each(Object.entries(byHandler))('%s does nothing for another merchant', async (_name, check) => await check())

  test.each(ofCredential)('%s answers about its own merchant only', async (request) => {
    for (const [, headers] of credentials) {
      const named = `${request}?merchant_id=${other.id}&merchantId=${other.id}`
      const { status, json } = await call(server.url, named, { headers: { ...tenant, ...headers } })
      expect([status, json.merchant_id ?? own.id]).toEqual([200, own.id])
    }
  })

  test('the admin secret beside a credential lifts it', async () => {
    for (const [, headers] of credentials)
      expect((await call(server.url, `GET /api-key/list/${other.id}`, { headers: { ...headers, ...admin } })).status).toBe(200)
  })
})
