import { beforeAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
let algorithmId = ''

const post = async (path: string, body: object, headers = merchant.key) => {
  const answer = await call(server.url, `POST ${path}`, { body, headers })
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`)
  return answer
}
const changes = async (query = '', headers = merchant.key) => await call(server.url, `GET /audit/changes${query}`, { headers })

const algorithm = (gateway: string) => ({
  name: 'first',
  description: 'a single connector',
  created_by: merchant.id,
  algorithm_for: 'payment',
  algorithm: { type: 'single', data: { gateway_name: gateway, gateway_id: null } },
})

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  const created = await post('/routing/create', algorithm('stripe'))
  algorithmId = created.json.rule_id
  await post('/routing/update', { ...algorithm('adyen'), routing_algorithm_id: algorithmId })
  await post('/routing/activate', { created_by: merchant.id, routing_algorithm_id: algorithmId })
  await post('/routing/deactivate', { created_by: merchant.id, routing_algorithm_id: algorithmId })
  await post('/routing/delete', { created_by: merchant.id, routing_algorithm_id: algorithmId })
  await post(`/merchant-account/${merchant.id}/features/autopilot`, { enabled: true }, admin)
})

interface Told {
  readonly change: string
  readonly actor: string
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
}
const namesOf = ({ json }: { readonly json: { readonly changes: readonly Told[] } }) => json.changes.map(({ change }) => change)

describe('GET /audit/changes', () => {
  test('who logged in to a merchant, and when', async () => {
    const person = { email: `audit_${process.pid}@example.test`, password: 'Blue#Sky2024' }
    const joined = await createMerchant(server.url)
    const signedUp = await call(server.url, 'POST /auth/signup', { body: { ...person, merchant_id: joined.id }, headers: admin })
    expect((await call(server.url, 'POST /auth/login', { body: person })).status).toBe(200)
    const { json } = await changes('?change=SessionStarted', joined.key)
    expect(json.changes).toMatchObject([
      { change: 'SessionStarted', subject: 'login', actor: `user:${signedUp.json.user_id}`, before: {}, after: {} },
    ])
    const memberships = await changes(`?change=MembershipGranted&subject_id=${signedUp.json.user_id}`, joined.key)
    expect(memberships.json.changes).toMatchObject([{ subject: 'user', subject_id: signedUp.json.user_id, actor: 'admin' }])
  })

  test('everything that was set up, newest first, with who did it', async () => {
    const answer = await changes()
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ merchant_id: merchant.id, page: 1, page_size: 20, truncated: false })
    expect(namesOf(answer)).toEqual([
      'FeatureEnabled',
      'RoutingAlgorithmDiscarded',
      'RoutingAlgorithmDeactivated',
      'RoutingAlgorithmActivated',
      'RoutingAlgorithmRevised',
      'RoutingAlgorithmDrafted',
      ...namesOf(answer).slice(6),
    ])
    expect(new Set(namesOf(answer).slice(6))).toEqual(new Set(['MerchantRegistered', 'ApiKeyIssued']))
    expect(answer.json.total_results).toBe(answer.json.changes.length)
    const [flag, discarded] = answer.json.changes
    expect(flag).toMatchObject({ subject: 'feature-flags', subject_id: 'autopilot', actor: 'admin', request_id: expect.any(String) })
    expect(flag.after).toEqual({ 'feature-flags.enabled': ['autopilot'] })
    expect(flag.before).toEqual({ 'feature-flags.enabled': [] })
    expect(discarded).toMatchObject({ subject: 'routing-algorithms', subject_id: algorithmId, actor: expect.stringMatching(/^key:/) })
    expect(new Date(discarded.at).getTime()).toBe(discarded.at_ms)
  })

  test('before and after of an edit', async () => {
    const [revised] = (await changes('?change=RoutingAlgorithmRevised')).json.changes
    expect(JSON.stringify(revised.before)).toContain('stripe')
    expect(JSON.stringify(revised.before)).not.toContain('adyen')
    expect(JSON.stringify(revised.after)).toContain('adyen')
    expect(JSON.stringify(revised.after)).not.toContain('stripe')
  })

  test('no key and no hash of one is told', async () => {
    const [issued] = (await changes('?subject=api-key')).json.changes
    expect(JSON.stringify(issued.after)).toContain('[hidden]')
    expect(JSON.stringify(issued)).not.toContain(merchant.key['x-api-key'])
    expect(JSON.stringify(issued)).not.toMatch(/[0-9a-f]{64}/)
  })

  test('by subject, actor, time, and page by page', async () => {
    const all = (await changes()).json.changes
    expect((await changes(`?subject=routing-algorithms&subject_id=${algorithmId}`)).json.total_results).toBe(5)
    const byAdmin = (await changes('?actor=admin')).json.changes
    expect(byAdmin.length).toBeGreaterThan(1)
    expect(byAdmin.every(({ actor }: Told) => actor === 'admin')).toBe(true)
    expect((await changes(`?end_ms=${all.at(-1).at_ms - 1}`)).json).toMatchObject({ total_results: 0, changes: [] })
    expect((await changes(`?start_ms=${all[0].at_ms}`)).json.changes[0].id).toBe(all[0].id)
    const second = (await changes('?page=2&page_size=2')).json
    expect(second.changes.map(({ id }: { id: string }) => id)).toEqual(all.slice(2, 4).map(({ id }: { id: string }) => id))
  })

  test('a reset of scores is among them', async () => {
    const own = await createMerchant(server.url)
    // Waited for here: what is written next says nothing of how far this topic is projected.
    const configured = namesOf(await changes('', own.key))
    const body = { merchant_id: own.id }
    await call(server.url, 'POST /gateway-score/reset', { body, headers: { ...own.key, 'x-tenant-id': 'public' } })
    const [newest] = (await changes('', own.key)).json.changes
    expect(newest).toMatchObject({
      change: 'GatewayScoresReset',
      subject: 'gateway-scores',
      actor: expect.stringMatching(/^key:/),
      before: {},
      after: {},
    })
    expect((await changes('?subject=gateway-scores', own.key)).json.total_results).toBe(1)
    expect(configured).toEqual(expect.arrayContaining(['MerchantRegistered', 'ApiKeyIssued']))
    expect(namesOf(await changes('', own.key)).slice(1)).toEqual(configured)
  })

  test('an empty page is no failure; what can not be read is refused', async () => {
    expect((await changes('?page=99')).json.changes).toEqual([])
    for (const query of ['?start_ms=soon', '?page=-1', '?actor=a&actor=b']) expect((await changes(query)).status).toBe(400)
  })

  test('only of the own merchant, unless with the admin secret', async () => {
    const other = await createMerchant(server.url)
    expect((await call(server.url, 'GET /audit/changes')).status).toBe(401)
    expect((await changes(`?merchant_id=${merchant.id}`, other.key)).status).toBe(403)
    expect((await changes('?merchant_id=nobody')).status).toBe(404)
    expect((await changes('', admin)).status).toBe(400)
    expect((await changes('?merchant_id=', admin)).status).toBe(400)
    expect((await changes('?merchant_id=')).json).toMatchObject({ merchant_id: merchant.id })
    const seen = await changes(`?merchant_id=${merchant.id}`, admin)
    expect(namesOf(seen)).toContain('RoutingAlgorithmActivated')
    expect(namesOf(await changes('', other.key))).not.toContain('RoutingAlgorithmActivated')
  })
})
