import { beforeEach, describe, expect, test } from '@jest/globals'
import { armOf } from '@switchyard/routing'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { experimentClient, experimentData, ref } from '../support/experiment-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { decide, report, reasonsOf, post, get, named, created, results, running, settled, listed } = experimentClient(
  () => server.url,
  () => merchant,
)

/** Payments that fall into the control arm, whatever the experiment is called. */
const paymentsOfControl = (id: string, variantSplitPercent: number): readonly string[] =>
  Array.from({ length: 50 }, (_, index) => `pay_${index}`).filter(
    (paymentId) => armOf(id, { variantSplitPercent }, paymentId) === 'CONTROL',
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
      const latency = { txnLatency: { gatewayLatency: 200 } }
      if (index < 11) await report(paymentId, index === 0 ? 'FAILURE' : 'CHARGED', { gateway: json.decided_gateway, ...latency })
    }
    const { json } = await settled(id, 11, 1)
    expect(json).toMatchObject({
      experiment_id: id,
      merchant_id: merchant.id,
      min_sample_size: 10,
      guardrail_threshold_pp: 3,
      evaluation_margin: 1,
      net_delta_bps: null,
      pending_count: 1,
      sample_ratio_mismatch: false,
      guardrail_breach_certain: false,
      sequential_p_value: expect.any(Number),
      sequential_confidence_interval_pp: [expect.any(Number), expect.any(Number)],
      required_sample_size: expect.any(Number),
      control: {
        arm: 'control',
        transaction_count: arms['control']?.length,
        total_cost_saved: null,
        avg_latency_ms: 200,
        avg_chosen_cost_bps: null,
      },
      variant: { arm: 'variant', transaction_count: arms['variant']?.length },
      by_currency: [{ currency: 'EUR', control: { realised_cost: null, realised_saving: null } }],
    })
    expect(json.control.success_count + json.variant.success_count).toBe(10)
    const amounts = json.by_currency[0]
    expect(amounts.control.approved_amount + amounts.variant.approved_amount).toBeCloseTo(1_205, 6)
    expect(json.segments.map(({ dimension, value }: { dimension: string; value: string }) => [dimension, value])).toContainEqual([
      'card_network',
      'VISA',
    ])
    expect((await results(id, '?min_sample_size=12')).json).toMatchObject({
      min_sample_size: 12,
      verdict: 'collecting_data',
      p_value: null,
    })
    expect((await results(id, `?start_ms=${Date.now() + 120_000}`)).json).toMatchObject({ resolved_count: 0, verdict: 'collecting_data' })
  })

  test('outcomes count when they come before their decision, twice, or after a failure', async () => {
    const id = await running()
    await report('pay_early', 'CHARGED')
    for (const paymentId of ['pay_early', 'pay_twice', 'pay_again']) await decide(paymentId)
    await report('pay_twice', 'FAILURE')
    await report('pay_twice', 'FAILURE')
    await report('pay_again', 'FAILURE')
    await decide('pay_again')
    await report('pay_again', 'CHARGED', { gateway: 'adyen' })
    const { json } = await eventually(
      'both successes',
      () => results(id),
      (answer) => answer.json.control.success_count + answer.json.variant.success_count === 2,
    )
    const sum = (name: string) => json.control[name] + json.variant[name]
    expect([sum('transaction_count'), sum('resolved_count'), sum('failure_count')]).toEqual([3, 3, 1])
  })

  test('its payments are listed, the newest first', async () => {
    const id = await running()
    for (const paymentId of ['pay_a', 'pay_b', 'pay_c']) await decide(paymentId)
    await report('pay_a', 'CHARGED')
    await report('pay_a', 'CHARGED')
    await report('pay_b', 'PENDING')
    const page = (query = '') => get(`/analytics/experiment/${id}/transactions${query}`)
    const { json } = await eventually(
      'all payments',
      () => page(),
      (answer) => answer.json.transactions[0]?.status === 'success',
    )
    expect(json).toMatchObject({ experiment_id: id, total: 3 })
    expect(json.transactions[0]).toEqual({
      payment_id: 'pay_a',
      variant_arm: expect.stringMatching(/^(control|variant)$/),
      gateway: expect.any(String),
      status: 'success',
      created_at_ms: expect.any(Number),
    })
    expect(json.transactions.map(({ status }: { status: string }) => status)).toEqual(['success', 'ab_test_decision', 'ab_test_decision'])
    expect((await page('?page_size=1&page=2')).json).toMatchObject({ total: 3, transactions: [{ status: 'ab_test_decision' }] })
    expect((await page('?page_size=0')).json.transactions).toEqual([])
    expect((await page('?status=success')).json.total).toBe(1)
    expect((await page('?status=charged')).status).toBe(400)
  })

  test('that nobody knows has empty arms', async () => {
    expect(await results('routing_unknown')).toMatchObject({
      status: 200,
      json: {
        control: { transaction_count: 0, auth_rate: 0, net_ev_bps: null },
        variant: { transaction_count: 0 },
        verdict: 'collecting_data',
        min_sample_size: 1_000,
        guardrail_threshold_pp: 3,
        p_value: null,
        power: null,
      },
    })
    expect((await get('/analytics/experiment/x/transactions')).json).toMatchObject({ total: 0, transactions: [] })
    for (const query of ['min_sample_size=-1', 'guardrail_threshold_pp=x', 'evaluation_margin=1&evaluation_margin=2', 'arm=third']) {
      expect((await results('x', `?${query}`)).status).toBe(query.startsWith('arm') ? 200 : 400)
    }
  })

  test('a fixed arm answers by its algorithm, among the candidates, and learns nothing from the outcome', async () => {
    const algorithm = await created('priority', [ref('elsewhere'), ref('checkout'), ref('adyen')])
    const id = await running({ control_algorithm_id: algorithm, variant_split_pct: 1, variant_sr_config: null })
    const [first = '', second = ''] = paymentsOfControl(id, 1)
    const { json } = await decide(first)
    expect(json).toEqual({
      decided_gateway: 'checkout',
      fallback_gateways: ['adyen'],
      gateway_priority_map: null,
      filter_wise_gateways: null,
      priority_logic_tag: 'ab_test_static_priority',
      routing_approach: 'AB_TEST_STATIC_ALGORITHM',
      gateway_before_evaluation: null,
      priority_logic_output: null,
      debit_routing_output: null,
      reset_approach: 'NO_RESET',
      routing_dimension: null,
      routing_dimension_level: null,
      is_scheduled_outage: false,
      is_dynamic_mga_enabled: false,
      gateway_mga_id_map: null,
      is_rust_based_decider: true,
      latency: expect.any(Number),
      multi_objective_info: null,
      experiment: { id, arm: 'control' },
    })
    const told = await report(first, 'FAILURE', { gateway: 'checkout' })
    expect(told.status).toBe(200)
    await settled(id, 1)
    const [outcome] = await reasonsOf(first, told)
    expect(outcome).toMatchObject({ disposition: 'unscored', counted_as: null })
    const explained = await get(`/decisions/${first}`)
    expect(explained.json.decision).toMatchObject({
      winner: { reason: 'EXPERIMENT_ARM' },
      experiment: { id, arm: 'control', algorithm_id: algorithm, excluded: null },
    })
    const narrow = await decide(second, { eligibleGatewayList: ['stripe', 'northpay'] })
    expect(narrow.json).toMatchObject({ routing_approach: expect.stringMatching(/^SR_/) })
    expect(narrow.json.experiment).toBeUndefined()
    await eventually(
      'the exclusion',
      () => results(id),
      (answer) => answer.json.excluded_decisions.no_candidate === 1,
    )
  })

  test('settings of an arm take effect and are explained', async () => {
    const id = await running({ variant_sr_config: { hedging_percent: 100 }, control_sr_config: { hedging_percent: 0 } })
    for (let index = 0; index < 20; index++) {
      const { json } = await decide(`pay_${index}`)
      expect(json.routing_approach).toBe(json.experiment.arm === 'variant' ? 'SR_V3_HEDGING' : 'SR_SELECTION_V3_ROUTING')
    }
    const { json } = await eventually(
      'the decision',
      () => get('/decisions/pay_3'),
      ({ status }) => status === 200,
    )
    const { experiment: part, settings_from } = json.decision
    expect(part).toMatchObject({ id, overrides: { use_autopilot: null } })
    expect(settings_from.hedging_percent).toBe('EXPERIMENT')
  })

  test('the dynamic half of a hybrid call takes part, a decision about networks does not', async () => {
    const id = await running()
    const assigned = { id, arm: expect.stringMatching(/^(control|variant)$/) }
    const hybrid = await post('/routing/hybrid', { dynamic_routing_request: decisionRequest(merchant.id, 'pay_1') })
    expect(hybrid.json.dynamic_routing.decision.experiment).toEqual(assigned)
    await call(server.url, `POST /merchant-account/${merchant.id}/debit-routing`, { body: { enabled: true }, headers: merchant.key })
    const both = await decide('pay_2', { rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' })
    expect([both.status, both.json.experiment]).toEqual([200, undefined])
  })

  test('without the flag nothing takes part', async () => {
    const id = await created('ab_test', experimentData())
    await post('/routing/activate', named(id))
    expect((await listed()).json).toMatchObject([{ experiment_id: id, state: 'not_collecting' }])
    const { json } = await decide('pay_1')
    expect(json.experiment).toBeUndefined()
    expect((await decide('pay_2', { rankingAlgorithm: 'PL_BASED_ROUTING' })).json).toMatchObject({ decided_gateway: 'stripe' })
  })

  test('evaluations have the arm of their payment, and count in no result', async () => {
    const algorithm = await created('priority', [ref('checkout')])
    const id = await running({ control_algorithm_id: algorithm, variant_sr_config: null })
    const evaluate = (payment_id: string, more: object = {}) =>
      post('/routing/evaluate', { created_by: merchant.id, payment_id, parameters: {}, ...more })
    const arms = new Set<string>()
    for (let index = 0; index < 30 && arms.size < 2; index++) {
      const fallback = await evaluate(`ev_${index}`, { fallback_output: [ref('northpay')] })
      expect(fallback.status).toBe(200)
      const [{ gateway_name }] = fallback.json.evaluated_output
      const arm = gateway_name === 'checkout' ? 'control_priority' : 'variant_sr_routing'
      if (arms.has(arm)) continue
      arms.add(arm)
      const without = await evaluate(`ev_${index}`)
      expect(without.status).toBe(arm === 'control_priority' ? 200 : 400)
      const trace = await eventually(
        'the evaluation',
        () => get(`/analytics/preview-trace?payment_id=ev_${index}`),
        ({ json }) => json.timeline.length > 0,
      )
      expect(trace.json.timeline[0]).toMatchObject({
        rule_name: `ab_test_${arm}`,
        flow_type: arm === 'control_priority' ? 'routing_evaluate_priority' : 'routing_evaluate_single',
        details_json: { experiment_id: id, variant_arm: arm.split('_')[0] },
      })
    }
    expect(arms.size).toBe(2)
    expect((await results(id)).json.control.transaction_count).toBe(0)
  })
})
