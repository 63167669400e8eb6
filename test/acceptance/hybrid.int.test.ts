import { beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { admin, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { tenant } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const post = (path: string, body: unknown, headers = merchant.key) => call(server.url, `POST ${path}`, { body, headers })
const hybrid = (body: unknown, headers = merchant.key) => post('/routing/hybrid', body, headers)
const ref = (gateway_name: string, gateway_id: string | null = null) => ({ gateway_name, gateway_id })
/** An active priority list. */
const prioritise = async (...connectors: readonly object[]) => {
  const algorithm = { type: 'priority', data: connectors }
  const { json } = await post('/routing/create', { name: 'list', created_by: merchant.id, algorithm })
  await post('/routing/activate', { created_by: merchant.id, routing_algorithm_id: json.rule_id })
}
const rules = (change: object = {}) => ({ created_by: merchant.id, payment_id: 'p_1', parameters: {}, ...change })
const decision = (change: object = {}, payment: object = {}) =>
  decisionRequest(merchant.id, 'p_1', { rankingAlgorithm: 'PL_BASED_ROUTING', ...change }, payment)

describe('POST /routing/hybrid (rules.md 9)', () => {
  test.each([[{}], [{ static_routing_request: null, dynamic_routing_request: null }]])('neither half: %j', async (body) => {
    expect(await hybrid(body)).toMatchObject({
      status: 400,
      json: {
        code: 'TE_04',
        message: 'Invalid request received : At least one of static_routing_request or dynamic_routing_request must be provided.',
        data: null,
      },
    })
  })

  test('both: the connectors of the rules are the candidates; the chosen one gets its id back', async () => {
    await prioritise(ref('stripe', 'mca_1'), ref('adyen', 'mca_2'))
    const evaluated = await post('/routing/evaluate', rules())
    for (const eligibleGatewayList of [undefined, null, []]) {
      const { status, json } = await hybrid({ static_routing_request: rules(), dynamic_routing_request: decision({ eligibleGatewayList }) })
      expect(status).toBe(200)
      expect(Object.keys(json)).toEqual(['evaluated_connectors', 'static_routing', 'dynamic_routing'])
      expect(json.evaluated_connectors).toEqual([ref('stripe', 'mca_1')])
      expect(json.static_routing).toEqual(evaluated.json)
      expect(json.dynamic_routing).toMatchObject({
        status: 'success',
        decision: {
          decided_gateway: 'stripe',
          fallback_gateways: ['adyen'],
          routing_approach: 'PRIORITY_LOGIC',
          latency: expect.any(Number),
        },
        fallback_connectors: null,
      })
    }
  })

  test('the own candidates of the decision come first, all of its members are there, and ids stay null where they are not known', async () => {
    await prioritise(ref('stripe', 'mca_1'), ref('adyen', 'mca_2'), ref('adyen', 'mca_3'))
    const chosen = async (gateway: string) => {
      const dynamic = decision({ eligibleGatewayList: [gateway] })
      const { json } = await hybrid({ static_routing_request: rules(), dynamic_routing_request: dynamic })
      const alone = await post('/decide-gateway', dynamic)
      expect({ ...json.dynamic_routing.decision, latency: 0 }).toEqual({ ...alone.json, latency: 0 })
      return json.evaluated_connectors
    }
    expect(await chosen('stripe')).toEqual([ref('stripe', 'mca_1')])
    expect(await chosen('adyen')).toEqual([ref('adyen')])
    expect(await chosen('checkout')).toEqual([ref('checkout')])
    expect(await chosen('adyen:mca_9')).toEqual([ref('adyen', 'mca_9')])
    expect(await chosen('adyen:a:b')).toEqual([ref('adyen', 'a:b')])
  })

  test('the decision fails, the rules do not: their connectors are what is left', async () => {
    await prioritise(ref('stripe', 'mca_1'), ref('adyen'))
    for (const change of [{ rankingAlgorithm: 'NTW_BASED_ROUTING' }, { merchantId: 'm_none' }]) {
      const { status, json } = await hybrid({ static_routing_request: rules(), dynamic_routing_request: decision(change) })
      expect(status).toBe(200)
      expect(json.evaluated_connectors).toEqual([ref('stripe', 'mca_1'), ref('adyen')])
      expect(json.static_routing.status).toBe('success')
      expect(json.dynamic_routing).toEqual({
        status: 'fallback',
        decision: null,
        fallback_connectors: [ref('stripe', 'mca_1'), ref('adyen')],
      })
    }
  })

  test.each([
    ['no name', ''],
    ['a name that is too long for a decision', 'x'.repeat(65)],
  ])('a connector of the rules with %s kept the decision from choosing among the others', async (_what, name) => {
    await prioritise(ref(name, 'mca_0'), ref('adyen', 'mca_2'))
    const dynamic = decision({ eligibleGatewayList: null })
    const { json } = await hybrid({ static_routing_request: rules(), dynamic_routing_request: dynamic })
    expect(json.static_routing.evaluated_output).toEqual([ref(name, 'mca_0'), ref('adyen', 'mca_2')])
    expect(json).toMatchObject({ evaluated_connectors: [ref('adyen', 'mca_2')], dynamic_routing: { status: 'success' } })
  })

  test('the rules fail: the fallback of their request takes their place', async () => {
    const fallback_output = [ref('stripe', 'mca_1'), { gateway_name: 'adyen' }]
    const alone = await hybrid({ static_routing_request: rules({ fallback_output }) })
    expect(alone).toMatchObject({ status: 200 })
    expect(alone.json).toEqual({ evaluated_connectors: [ref('stripe', 'mca_1'), ref('adyen')] })

    const both = await hybrid({
      static_routing_request: rules({ fallback_output }),
      dynamic_routing_request: decision({ eligibleGatewayList: [] }),
    })
    expect(both.json).toMatchObject({ evaluated_connectors: [ref('stripe', 'mca_1')], dynamic_routing: { status: 'success' } })
    expect(both.json).not.toHaveProperty('static_routing')

    const failed = await hybrid({
      static_routing_request: rules({ fallback_output }),
      dynamic_routing_request: decision({ rankingAlgorithm: 'NTW_BASED_ROUTING' }),
    })
    expect(failed.json).toEqual({
      evaluated_connectors: [ref('stripe', 'mca_1'), ref('adyen')],
      dynamic_routing: { status: 'fallback', decision: null, fallback_connectors: [ref('stripe', 'mca_1'), ref('adyen')] },
    })
  })

  test.each([[undefined], [null], [[]]])(
    'the rules fail and there is no fallback (%j): the errors of the halves',
    async (fallback_output) => {
      const asked = rules({ fallback_output })
      const alone = await hybrid({ static_routing_request: asked })
      expect(alone).toMatchObject({ status: 400, json: { code: 'TE_04', message: expect.stringContaining('No active routing algorithm') } })
      expect(alone.json).toEqual((await post('/routing/evaluate', asked)).json)

      const dynamic = decision({ eligibleGatewayList: [] })
      const both = await hybrid({ static_routing_request: asked, dynamic_routing_request: dynamic })
      expect(both.status).toBe(400)
      expect(both.json).toEqual((await post('/decide-gateway', dynamic)).json)
      expect(both.json.error_info.code).toBe('GATEWAY_NOT_FOUND')
    },
  )

  test('only a decision: its connector; its own error', async () => {
    const { json } = await hybrid({ dynamic_routing_request: decision({ eligibleGatewayList: ['adyen:mca_2', 'stripe'] }) })
    expect(json.evaluated_connectors).toEqual([ref('adyen', 'mca_2')])
    expect(Object.keys(json)).toEqual(['evaluated_connectors', 'dynamic_routing'])
    expect(await hybrid({ dynamic_routing_request: decision({ merchantId: 'm_none' }) })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'MERCHANT_NOT_FOUND' } },
    })
  })

  test('only rules: their connectors', async () => {
    await prioritise(ref('stripe', 'mca_1'), ref('adyen'))
    const { json } = await hybrid({ static_routing_request: rules() })
    expect(Object.keys(json)).toEqual(['evaluated_connectors', 'static_routing'])
    expect(json.evaluated_connectors).toEqual([ref('stripe', 'mca_1'), ref('adyen')])
  })

  test('all four strategies decide', async () => {
    await post(`/merchant-account/${merchant.id}/debit-routing`, { enabled: true })
    const metadata = JSON.stringify({
      merchant_category_code: 'merchant_category_code_0001',
      acquirer_country: 'US',
      co_badged_card_data: { card_networks: ['VISA', 'STAR'], issuer_country: 'US', is_regulated: false, card_type: 'debit' },
    })
    for (const rankingAlgorithm of ['SR_BASED_ROUTING', 'PL_BASED_ROUTING', 'NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING']) {
      const { json } = await hybrid({ dynamic_routing_request: decision({ rankingAlgorithm }, { metadata }) })
      expect(json.dynamic_routing.status).toBe('success')
      expect(json.dynamic_routing.decision.debit_routing_output === null).toBe(!rankingAlgorithm.startsWith('NTW'))
    }
  })

  test('each half is recorded as if it had been called alone', async () => {
    await prioritise(ref('stripe'))
    await hybrid({ static_routing_request: rules(), dynamic_routing_request: decision() })
    const audit = (path: string) => call(server.url, `GET /analytics/${path}?payment_id=p_1`, { headers: { ...merchant.key, ...tenant } })
    const flowsOf = (json: { timeline: readonly { flow_type: string }[] }) => json.timeline.map(({ flow_type }) => flow_type)
    const live = await eventually(
      'the decision',
      () => audit('payment-audit'),
      ({ json }) => json.timeline.length > 0,
    )
    expect(flowsOf(live.json)).toContain('decide_gateway_decision')
    const preview = await eventually(
      'the evaluation',
      () => audit('preview-trace'),
      ({ json }) => json.timeline.length > 0,
    )
    expect(flowsOf(preview.json)).toEqual(['routing_evaluate_priority'])
  })

  test('each merchant has to be that of the credential', async () => {
    const other = await createMerchant(server.url)
    const foreign = { status: 403, json: { code: 'TE_04', data: null } }
    expect(await hybrid({ static_routing_request: rules({ created_by: other.id }) })).toMatchObject(foreign)
    expect(await hybrid({ dynamic_routing_request: decision({ merchantId: other.id }) })).toMatchObject(foreign)
    const fallback_output = [ref('stripe')]
    const mixed = { static_routing_request: rules({ fallback_output }), dynamic_routing_request: decision({ merchantId: other.id }) }
    expect(await hybrid(mixed)).toMatchObject(foreign)
    expect((await hybrid(mixed, admin)).status).toBe(200)
    expect((await hybrid({}, {} as never)).status).toBe(401)
  })

  test.each([
    ['rules without parameters', { static_routing_request: { created_by: 'm' } }, 'static_routing_request.parameters'],
    ['a decision without a payment', { dynamic_routing_request: { merchantId: 'm' } }, 'dynamic_routing_request.paymentInfo'],
    ['no object', [], 'body'],
  ])('%s is no request', async (_name, body, field) => {
    const { status, json } = await hybrid(body)
    expect(status).toBe(422)
    expect(json.message).toContain(field)
  })

  test('no JSON, another content type', async () => {
    expect((await hybrid('{')).status).toBe(400)
    expect((await hybrid('{}', { ...merchant.key, 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('whatever the body, the answer is one of the sheet', async () => {
    const half = fc.oneof(
      fc.constant(null),
      fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text)),
      fc.constantFrom('rules', 'decision'),
    )
    const filled = (value: unknown) => (value === 'rules' ? rules() : value === 'decision' ? decision() : value)
    await fc.assert(
      fc.asyncProperty(half, half, async (fixed, dynamic) => {
        const { status } = await hybrid({ static_routing_request: filled(fixed), dynamic_routing_request: filled(dynamic) })
        expect([200, 400, 403, 422]).toContain(status)
      }),
      { numRuns: 150 },
    )
  })
})
