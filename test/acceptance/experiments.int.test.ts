import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Answer, call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { feedbackClient, tenant } from '../support/feedback-client.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
beforeAll(async () => {
  server = await startServer({ dataDir: folder.path })
})
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const { decide, report, toggle } = feedbackClient(
  () => server.url,
  () => merchant,
)
const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: merchant.key })
const get = (path: string) => call(server.url, `GET ${path}`, { headers: { ...merchant.key, ...tenant } })
const named = (id: string, more: object = {}) => ({ created_by: merchant.id, routing_algorithm_id: id, ...more })
const create = (type: string, data: object) => post('/routing/create', { name: type, created_by: merchant.id, algorithm: { type, data } })
const created = async (type: string, data: object): Promise<string> => {
  const answer = await create(type, data)
  expect(answer).toMatchObject({ status: 200 })
  return answer.json.rule_id
}
const experiment = (change: object = {}) => ({
  control_algorithm_id: 'sr_routing',
  variant_algorithm_id: 'sr_routing',
  variant_sr_config: { hedging_percent: 0 },
  variant_split_pct: 49,
  min_sample_size: 10,
  guardrail_threshold_pp: 3,
  ...change,
})
const running = async (change: object = {}): Promise<string> => {
  const id = await created('ab_test', experiment(change))
  expect((await post('/routing/activate', named(id))).status).toBe(200)
  expect((await toggle('ab-test-real-payments')).status).toBe(200)
  return id
}
const results = (id: string, query = '') => get(`/analytics/experiment/${id}/results${query}`)
const settled = (id: string, resolved: number, query = ''): Promise<Answer> =>
  eventually(
    `${resolved} outcomes`,
    () => results(id, query),
    ({ json }) => json.resolved_count === resolved,
  )

describe('an experiment', () => {
  test('payments are assigned, outcomes are attributed, results follow', async () => {
    const id = await running()
    const arms: Record<string, string[]> = { control: [], variant: [] }
    for (let index = 0; index < 12; index++) {
      const paymentId = `pay_${index}`
      const { status, json } = await decide(paymentId)
      expect(status).toBe(200)
      expect(json.experiment).toEqual({ id, arm: expect.stringMatching(/^(control|variant)$/) })
      arms[json.experiment.arm]?.push(paymentId)
      if (index < 11) await report(paymentId, index === 0 ? 'FAILURE' : 'CHARGED', { gateway: json.decided_gateway })
    }
    const { json } = await settled(id, 11)
    expect(json.control.transaction_count).toBe(arms['control']?.length)
    expect(json.variant.transaction_count).toBe(arms['variant']?.length)
    expect(json.control.success_count + json.variant.success_count).toBe(10)
    expect(json.pending_count).toBe(1)
  })
})
