import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { experimentClient, experimentData, ref } from '../support/experiment-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { decide, report, toggle, post, named, create, created, results, running, listed } = experimentClient(
  () => server.url,
  () => merchant,
)

describe('what is refused', () => {
  test.each([
    [{ variant_split_pct: 50 }, 'algorithm.data.variant_split_pct'],
    [{ min_sample_size: 0 }, 'algorithm.data.min_sample_size'],
    [{ guardrail_threshold_pp: 101 }, 'algorithm.data.guardrail_threshold_pp'],
    [{ control_algorithm_id: 'routing_unknown' }, 'algorithm.data.control_algorithm_id'],
    [{ variant_sr_config: null }, 'algorithm.data.variant_algorithm_id'],
    [{ variant_sr_config: { hedging_percent: 101 } }, 'algorithm.data.variant_sr_config'],
    [{ min_sample_size: undefined }, 'algorithm.data.min_sample_size'],
  ])('%j', async (change, place) => {
    const answer = await create('ab_test', experimentData(change))
    expect([answer.status, answer.json.code]).toEqual([400, 'TE_04'])
    expect(answer.json.message).toContain(place)
  })

  test("another merchant's algorithm as an arm", async () => {
    const foreign = await created('single', ref('adyen'))
    merchant = await createMerchant(server.url)
    expect((await create('ab_test', experimentData({ control_algorithm_id: foreign }))).json.message).toContain('control_algorithm_id')
  })

  test('deleting or editing an algorithm that a live experiment compares', async () => {
    const algorithm = await created('single', ref('adyen'))
    const id = await running({ control_algorithm_id: algorithm, variant_sr_config: null })
    const deleted = await post('/routing/delete', named(algorithm))
    expect(deleted).toMatchObject({ status: 400, json: { code: 'TE_04' } })
    expect(deleted.json.message).toContain(id)
    const edit = { name: 'n', algorithm: { type: 'single', data: ref('stripe') } }
    expect((await post('/routing/update', named(algorithm, edit))).status).toBe(400)
    expect((await post('/routing/delete', named(id))).status).toBe(400)
    await post('/routing/deactivate', named(id))
    expect((await post('/routing/delete', named(algorithm))).status).toBe(200)
    expect((await post('/routing/activate', named(id))).json.message).toContain('algorithm.data.control_algorithm_id')
  })

  test('promoting what is no experiment, an arm that there is none of, and what is not there', async () => {
    const algorithm = await created('single', ref('adyen'))
    expect((await post('/routing/promote', named(algorithm, { arm: 'variant' }))).status).toBe(400)
    expect((await post('/routing/promote', named(algorithm, { arm: 'third' }))).status).toBe(422)
    expect((await post('/routing/promote', named('routing_unknown', { arm: 'variant' }))).status).toBe(400)
    const other = await createMerchant(server.url)
    const foreign = await call(server.url, 'POST /routing/promote', { body: named(algorithm, { arm: 'variant' }), headers: other.key })
    expect(foreign.status).toBe(403)
    expect((await call(server.url, `GET /routing/experiments/${merchant.id}`, { headers: other.key })).status).toBe(403)
    expect((await call(server.url, `GET /routing/experiments/${merchant.id}`)).status).toBe(401)
  })
})

describe('the life of an experiment', () => {
  test('draft, running, promoted; the arm is the live algorithm', async () => {
    const algorithm = await created('priority', [ref('adyen'), ref('stripe')])
    const id = await created('ab_test', experimentData({ variant_algorithm_id: algorithm, variant_sr_config: null }))
    expect((await listed()).json).toEqual([
      {
        experiment_id: id,
        name: 'ab_test',
        description: '',
        state: 'draft',
        started_at: null,
        ended_at: null,
        ended_by: null,
        promoted_arm: null,
        control_algorithm_id: 'sr_routing',
        variant_algorithm_id: algorithm,
        variant_split_pct: 49,
        min_sample_size: 10,
        guardrail_threshold_pp: 3,
        control_sr_config: null,
        variant_sr_config: null,
        auto_stop: false,
        created_at: expect.any(String),
        modified_at: expect.any(String),
      },
    ])
    await toggle('ab-test-real-payments')
    await post('/routing/activate', named(id))
    expect((await listed()).json).toMatchObject([{ state: 'running', ended_at: null }])
    const promoted = await post('/routing/promote', named(id, { arm: 'variant' }))
    expect(promoted).toMatchObject({
      status: 200,
      json: { status: 'promoted', routing_algorithm_id: id, arm: 'variant', active_algorithm_id: algorithm, sr_config: null },
    })
    expect(promoted.headers.get('x-log-position')).not.toBeNull()
    expect((await listed()).json).toMatchObject([{ state: 'promoted', ended_by: 'promoted', promoted_arm: 'variant' }])
    const live = await post(`/routing/list/active/${merchant.id}`, {})
    expect(live.json.map((record: { id: string }) => record.id)).toEqual([algorithm])
    const { json } = await decide('pay_1', { rankingAlgorithm: 'PL_BASED_ROUTING' })
    expect([json.decided_gateway, json.experiment]).toEqual(['adyen', undefined])
  })

  test('promoting an arm of a draft is told in the list', async () => {
    const id = await created('ab_test', experimentData())
    expect((await post('/routing/promote', named(id, { arm: 'control' }))).json.status).toBe('promoted')
    const told = { state: 'promoted', started_at: null, ended_at: expect.any(String), ended_by: 'promoted', promoted_arm: 'control' }
    expect((await listed()).json).toMatchObject([told])
  })

  test('an arm of success rates leaves no algorithm live, and its settings become those of the merchant', async () => {
    const id = await running()
    const { json } = await post('/routing/promote', named(id, { arm: 'variant' }))
    expect(json).toMatchObject({ active_algorithm_id: null, sr_config: { hedging_percent: 0 } })
    expect((await post(`/routing/list/active/${merchant.id}`, {})).json).toEqual([])
    const stored = await post('/rule/get', { merchant_id: merchant.id, algorithm: 'successRate' })
    expect(stored.json.config.data).toMatchObject({ defaultHedgingPercent: 0 })
  })

  test.each([
    ['for payouts', 'payout', false],
    ['of a fixed algorithm', 'payment', true],
  ])('settings of an arm %s change nothing of payments', async (_, purpose, isFixed) => {
    const arm = isFixed ? { variant_algorithm_id: await created('single', ref('adyen')) } : {}
    const algorithm = { type: 'ab_test', data: experimentData({ variant_sr_config: { hedging_percent: 3 }, ...arm }) }
    const { json } = await post('/routing/create', { name: 'e', created_by: merchant.id, algorithm_for: purpose, algorithm })
    const promoted = await post('/routing/promote', named(json.rule_id, { arm: 'variant' }))
    expect(promoted).toMatchObject({ status: 200, json: { status: 'promoted', sr_config: null } })
    expect((await post('/rule/get', { merchant_id: merchant.id, algorithm: 'successRate' })).status).toBe(404)
  })

  test('ends itself when more is lost than allowed for certain', async () => {
    const id = await running({ auto_stop: true })
    for (let index = 0; index < 60; index++) {
      const { json } = await decide(`pay_${index}`)
      await report(`pay_${index}`, json.experiment?.arm === 'variant' ? 'FAILURE' : 'CHARGED', { gateway: json.decided_gateway })
      if (json.experiment === undefined) break
    }
    const { json } = await eventually('the end', listed, (answer) => answer.json[0].state === 'stopped')
    expect(json[0]).toMatchObject({ ended_by: 'guardrail_breached', ended_at: expect.any(String) })
    expect((await results(id)).json).toMatchObject({ guardrail_breach_certain: true, sequential_verdict: 'guardrail_breached' })
    expect((await decide('pay_after')).json.experiment).toBeUndefined()
  })
})
