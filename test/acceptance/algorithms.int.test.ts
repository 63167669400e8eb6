import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const post = (path: string, body?: object) => call(server.url, `POST ${path}`, { body, headers: merchant.key })
const ref = (name: string, id: string | null = null) => ({ gateway_name: name, gateway_id: id })
const create = (name: string, type: string, data: unknown, extra: object = {}) =>
  post('/routing/create', { name, created_by: merchant.id, algorithm: { type, data }, ...extra })
const use = async (type: string, data: unknown): Promise<string> => {
  const created = await create(type, type, data)
  expect(created.status).toBe(200)
  expect((await post('/routing/activate', { created_by: merchant.id, routing_algorithm_id: created.json.rule_id })).status).toBe(200)
  return created.json.rule_id
}
const evaluate = (parameters: object, extra: object = {}) => post('/routing/evaluate', { created_by: merchant.id, parameters, ...extra })

const text = (value: string) => ({ type: 'enum_variant', value })
const euCards = {
  globals: {},
  default_selection: { priority: [ref('northpay', 'np_1')] },
  rules: [
    {
      name: 'card-eur-mid',
      routing_type: 'volume_split_priority',
      output: {
        volume_split_priority: [
          { split: 75, output: [ref('alpha', 'a1'), ref('beta')] },
          { split: 25, output: [ref('gamma', 'g1'), ref('alpha', 'a1')] },
        ],
      },
      statements: [
        {
          condition: [
            { lhs: 'payment_method', comparison: 'equal', value: text('card'), metadata: {} },
            {
              lhs: 'amount',
              comparison: 'equal',
              value: {
                type: 'number_comparison_array',
                value: [
                  { comparison_type: 'greater_than_equal', number: 50 },
                  { comparison_type: 'less_than', number: 900 },
                ],
              },
              metadata: {},
            },
          ],
          nested: [
            { condition: [{ lhs: 'currency', comparison: 'equal', value: text('EUR'), metadata: {} }], nested: null },
            {
              condition: [
                {
                  lhs: 'metadata',
                  comparison: 'equal',
                  value: { type: 'metadata_variant', value: { key: 'tier', value: 'gold' } },
                  metadata: {},
                },
              ],
              nested: null,
            },
          ],
        },
      ],
    },
  ],
  metadata: {},
}

describe('stored algorithms', () => {
  test('created inactive, activated, listed, replaced, deactivated, deleted', async () => {
    const first = await create('first', 'single', ref('alpha', 'a1'), { description: 'one', algorithm_for: 'payment' })
    expect(first.json).toMatchObject({ rule_id: expect.stringMatching(/^routing_[0-9a-f-]{36}$/), name: 'first', algorithm_for: 'payment' })
    expect(first.json.created_at).toBe(first.json.modified_at)
    const second = await create('second', 'priority', [ref('beta'), ref('alpha')])
    const id = (answer: typeof first) => ({ created_by: merchant.id, routing_algorithm_id: answer.json.rule_id })

    expect((await post(`/routing/list/active/${merchant.id}`)).json).toEqual([])
    const listed = (await post(`/routing/list/${merchant.id}`)).json
    expect(listed.map((record: { name: string }) => record.name)).toEqual(['second', 'first'])
    expect(listed[1]).toMatchObject({
      id: first.json.rule_id,
      created_by: merchant.id,
      description: 'one',
      algorithm_data: { type: 'single', data: ref('alpha', 'a1') },
      algorithm_for: 'payment',
    })

    expect((await evaluate({})).json.message).toMatch(/no active routing algorithm/i)
    const activated = await post('/routing/activate', id(first))
    expect([activated.status, activated.text]).toEqual([200, ''])
    expect((await evaluate({})).json.output).toEqual({ type: 'straight_through', connector: ref('alpha', 'a1') })
    await post('/routing/activate', id(second))
    expect((await evaluate({})).json.evaluated_output).toEqual([ref('beta'), ref('alpha')])
    expect((await post(`/routing/list/active/${merchant.id}`)).json.map((record: { id: string }) => record.id)).toEqual([
      second.json.rule_id,
    ])

    const busy = 'Invalid request received : This experiment is active. Stop it before editing or deleting.'
    const edit = { ...id(second), name: 'renamed', algorithm: { type: 'single', data: ref('gamma') } }
    expect(await post('/routing/update', edit)).toMatchObject({ status: 400, json: { code: 'TE_04', message: busy } })
    expect(await post('/routing/delete', id(second))).toMatchObject({ status: 400, json: { message: busy } })

    for (let i = 0; i < 2; i++) expect((await post('/routing/deactivate', id(second))).status).toBe(200)
    const updated = await post('/routing/update', edit)
    expect(updated.json).toMatchObject({ rule_id: second.json.rule_id, name: 'renamed', created_at: second.json.created_at })
    expect((await post('/routing/delete', id(second))).json).toEqual({ status: 'deleted', routing_algorithm_id: second.json.rule_id })
    expect((await post('/routing/delete', id(second))).status).toBe(404)
    expect((await post(`/routing/list/${merchant.id}`)).json).toHaveLength(1)
  })

  test("another merchant's algorithm is an unknown id", async () => {
    const foreign = await create('x', 'single', ref('alpha'))
    const other = await createMerchant(server.url)
    const body = { created_by: other.id, routing_algorithm_id: foreign.json.rule_id }
    const answer = await call(server.url, 'POST /routing/activate', { body, headers: other.key })
    expect(answer).toMatchObject({
      status: 400,
      json: { message: `Routing algorithm not found for the provided id : ${foreign.json.rule_id}` },
    })
  })

  test('a payout algorithm does not touch payments', async () => {
    await use('single', ref('alpha'))
    const payout = await create('payouts', 'single', ref('bank'), { algorithm_for: 'payout' })
    await post('/routing/activate', { created_by: merchant.id, routing_algorithm_id: payout.json.rule_id })
    expect((await evaluate({})).json.evaluated_output).toEqual([ref('alpha')])
    expect((await post(`/routing/list/active/${merchant.id}`)).json).toHaveLength(2)
  })

  test.each([
    ['no type', { data: [] }, 'algorithm.type'],
    ['an unknown type', { type: 'magic', data: {} }, 'type'],
    ['a reference without a name', { type: 'single', data: { gateway_id: 'x' } }, 'gateway_name'],
    ['a negative split', { type: 'volume_split', data: [{ split: -1, output: ref('a') }] }, 'split'],
    ['all splits zero', { type: 'volume_split', data: [{ split: 0, output: ref('a') }] }, 'split'],
    [
      'an unknown comparison',
      {
        type: 'advanced',
        data: {
          ...euCards,
          rules: [
            {
              ...euCards.rules[0],
              statements: [{ condition: [{ lhs: 'amount', comparison: 'like', value: { type: 'number', value: 1 } }] }],
            },
          ],
        },
      },
      'rules[0].statements[0].condition[0].comparison',
    ],
    [
      'an output of another type than said',
      { type: 'advanced', data: { ...euCards, rules: [{ ...euCards.rules[0], routing_type: 'priority' }] } },
      'routing_type',
    ],
  ])('%s is refused, with its path', async (_name, algorithm, path) => {
    const answer = await post('/routing/create', { name: 'bad', created_by: merchant.id, algorithm })
    expect(answer).toMatchObject({ status: 400, json: { code: 'TE_04', message: expect.stringContaining(path) } })
    expect((await post(`/routing/list/${merchant.id}`)).json).toEqual([])
  })

  test('splits that do not add up to 100 are relative weights, with a warning', async () => {
    const data = [
      { split: 200, output: ref('a') },
      { split: 100, output: ref('b') },
    ]
    const created = await create('odd', 'volume_split', data)
    expect(created.status).toBe(200)
    expect(created.json.warnings).toEqual([expect.stringContaining('300')])
  })
})

describe('evaluation', () => {
  const tier = { tier: { type: 'metadata_variant', value: { key: 'tier', value: 'gold' } } }
  const payment = (amount: number, currency: string) => ({
    payment_method: text('card'),
    amount: { type: 'number', value: amount },
    currency: text(currency),
  })

  test.each([
    ['the lower bound is inside', payment(50, 'EUR'), 'success'],
    ['the upper bound is outside', { ...payment(900, 'EUR'), ...tier }, 'default_selection'],
    ['the second nested branch', { ...payment(100, 'USD'), ...tier }, 'success'],
    ['no nested branch', payment(100, 'USD'), 'default_selection'],
  ])('worked example: %s', async (_name, parameters, status) => {
    await use('advanced', euCards)
    const answer = await evaluate(parameters, { payment_id: 'p-9' })
    expect(answer).toMatchObject({ status: 200, json: { payment_id: 'p-9', status } })
    if (status === 'default_selection') expect(answer.json.evaluated_output).toEqual([ref('northpay', 'np_1')])
    else expect(answer.json.eligible_connectors).toEqual([ref('alpha', 'a1'), ref('beta'), ref('gamma', 'g1')])
  })

  test('the request fallback replaces the default, not a match', async () => {
    await use('advanced', euCards)
    const fallback_output = [ref('backup')]
    const unmatched = await evaluate(payment(1, 'USD'), { fallback_output })
    expect(unmatched.json).toMatchObject({ status: 'default_selection', evaluated_output: fallback_output })
    expect((await evaluate(payment(60, 'EUR'), { fallback_output })).json.status).toBe('success')
  })

  test('a split follows its weights and sticks to the payment', async () => {
    await use('volume_split', [
      { split: 70, output: ref('alpha') },
      { split: 30, output: ref('beta') },
    ])
    const heads = new Map<string, number>()
    for (let i = 0; i < 100; i++) {
      const answer = await evaluate({}, { payment_id: `pay_${i}` })
      expect(answer.json.output.type).toBe('volume_split')
      const [head] = answer.json.evaluated_output
      heads.set(head.gateway_name, (heads.get(head.gateway_name) ?? 0) + 1)
      if (i < 5) expect((await evaluate({}, { payment_id: `pay_${i}` })).json).toEqual(answer.json)
    }
    expect(heads.get('alpha')).toBeGreaterThanOrEqual(50)
    expect(heads.get('beta')).toBeGreaterThanOrEqual(10)
  })

  test.each([
    ['an unknown key', { colour: text('red') }, 'Invalid parameter: colour'],
    ['a value outside the list', { currency: text('XYZ') }, "Invalid enum value 'XYZ' for key 'currency'"],
    ['another type for an enum', { currency: { type: 'number', value: 1 } }, "Expected enum value for key 'currency'"],
  ])('%s is refused', async (_name, parameters, message) => {
    await use('single', ref('alpha'))
    expect(await evaluate(parameters)).toMatchObject({ status: 400, json: { code: 'TE_04', message: expect.stringContaining(message) } })
  })
})

describe('priority-list decisions', () => {
  const decide = (paymentId: string, change: object = {}, payment: object = {}) =>
    post('/decide-gateway', decisionRequest(merchant.id, paymentId, { rankingAlgorithm: 'PL_BASED_ROUTING', ...change }, payment))

  test('without an active algorithm: the order of the candidates', async () => {
    const answer = await decide('p1')
    expect(answer.json).toMatchObject({
      decided_gateway: 'stripe',
      fallback_gateways: ['adyen', 'checkout'],
      routing_approach: 'PRIORITY_LOGIC',
      gateway_priority_map: { stripe: 1, adyen: 0.9, checkout: 0.8 },
    })
  })

  test('a priority algorithm orders the candidates; the others come after it', async () => {
    await use('priority', [ref('adyen'), ref('unknown'), ref('stripe')])
    const answer = await decide('p1')
    expect(answer.json).toMatchObject({
      decided_gateway: 'adyen',
      fallback_gateways: ['stripe', 'checkout'],
      gateway_priority_map: { adyen: 1, stripe: 0.9, checkout: 0.8 },
    })
  })

  test('a rule looks at the payment', async () => {
    const rule = {
      name: 'euros',
      routing_type: 'priority',
      output: { priority: [ref('checkout')] },
      statements: [{ condition: [{ lhs: 'currency', comparison: 'equal', value: text('EUR') }] }],
    }
    await use('advanced', { default_selection: { priority: [ref('stripe')] }, rules: [rule] })
    const euro = await decide('p1')
    expect([euro.json.decided_gateway, euro.json.priority_logic_tag]).toEqual(['checkout', 'euros'])
    expect((await decide('p2', {}, { currency: 'USD' })).json.decided_gateway).toBe('stripe')
  })

  test('a split sticks to the payment and never leaves the candidates', async () => {
    await use('volume_split', [
      { split: 50, output: ref('adyen') },
      { split: 50, output: ref('elsewhere') },
    ])
    for (let i = 0; i < 20; i++) {
      const answer = await decide(`p${i}`)
      expect(answer.json.decided_gateway).toBe('adyen')
    }
  })
})
