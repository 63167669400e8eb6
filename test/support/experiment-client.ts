import { expect } from '@jest/globals'
import { type Answer, call, eventually, type TestMerchant } from './client.ts'
import { feedbackClient, tenant } from './feedback-client.ts'

/** A connector by its name. */
export const ref = (gateway_name: string): object => ({ gateway_name, gateway_id: null })

/** `algorithm.data` of an experiment: success rates against themselves without exploration, half of the payments each. */
export const experimentData = (change: object = {}): object => ({
  control_algorithm_id: 'sr_routing',
  variant_algorithm_id: 'sr_routing',
  variant_sr_config: { hedging_percent: 0 },
  variant_split_pct: 49,
  min_sample_size: 10,
  guardrail_threshold_pp: 3,
  ...change,
})

/** Algorithms, experiments and payments of one merchant, who may change from test to test. */
export const experimentClient = (url: () => string, merchant: () => TestMerchant) => {
  const feedback = feedbackClient(url, merchant)
  const post = (path: string, body: object) => call(url(), `POST ${path}`, { body, headers: merchant().key })
  const get = (path: string) => call(url(), `GET ${path}`, { headers: { ...merchant().key, ...tenant } })
  const named = (id: string, more: object = {}) => ({ created_by: merchant().id, routing_algorithm_id: id, ...more })
  const create = (type: string, data: object) =>
    post('/routing/create', { name: type, created_by: merchant().id, algorithm: { type, data } })
  const created = async (type: string, data: object): Promise<string> => {
    const answer = await create(type, data)
    expect(answer).toMatchObject({ status: 200 })
    return answer.json.rule_id
  }
  const results = (id: string, query = '') => get(`/analytics/experiment/${id}/results${query}`)
  return {
    ...feedback,
    post,
    get,
    named,
    create,
    created,
    results,
    /** An experiment that takes part in the merchant's payments. */
    running: async (change: object = {}): Promise<string> => {
      const id = await created('ab_test', experimentData(change))
      expect((await post('/routing/activate', named(id))).status).toBe(200)
      expect((await feedback.toggle('ab-test-real-payments')).status).toBe(200)
      return id
    },
    /** The results once so many payments have an outcome, and so many have none. */
    settled: (id: string, resolved: number, pending = 0): Promise<Answer> =>
      eventually(
        `${resolved} outcomes`,
        () => results(id),
        ({ json }) => json.resolved_count === resolved && json.pending_count === pending,
      ),
    listed: () => get(`/routing/experiments/${merchant().id}`),
  }
}
