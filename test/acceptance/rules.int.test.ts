import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { condition, program, ref, rule, rulesClient, word } from '../support/rules-client.ts'
import { runToEnd, temporaryFolder, useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { post, create, named, activate, evaluate, headOf } = rulesClient(
  () => server.url,
  () => merchant,
)

describe('the vocabulary', () => {
  test('all keys in order, each with all eight members', async () => {
    const { status, json } = await call(server.url, 'GET /config/routing-keys', { headers: merchant.key })
    const keys = Object.keys(json.keys)
    expect([status, keys.length, keys[0], keys.at(-1)]).toEqual([200, 43, 'amount', 'wallet'])
    expect(keys).toEqual([...keys].sort())
    const members = ['type', 'values', 'min_value', 'max_value', 'min_length', 'max_length', 'exact_length', 'regex']
    for (const key of keys) expect(Object.keys(json.keys[key])).toEqual(members)
    expect(json.keys.amount).toMatchObject({ type: 'integer', values: null, min_value: 0 })
    expect(json.keys.card_bin).toMatchObject({ type: 'str_value', exact_length: 6, regex: '^[0-9]{6}$' })
    expect(json.keys.metadata).toMatchObject({ type: 'udf', values: null })
    expect(json.keys.authentication_type).toMatchObject({ type: 'enum', values: 'three_ds, no_three_ds' })
    expect(json.keys.payment_method.values.split(',').map((value: string) => value.trim())).toContain('card')
  })

  test('nobody reads it without a credential', async () => {
    expect((await call(server.url, 'GET /config/routing-keys')).status).toBe(401)
  })

  test('a broken file is refused at start, with line and reason', async () => {
    const own = temporaryFolder()
    const path = join(own.path, 'keys.csv')
    writeFileSync(path, 'key,type,min_value,max_value,min_length,max_length,exact_length,regex,values\namount,float,,,,,,,\n')
    const { code, output } = await runToEnd({ dataDir: join(own.path, 'data'), env: { SWITCHYARD_ROUTING_KEYS_FILE: path } })
    expect([code, output]).toEqual([1, expect.stringMatching(/line 2: type: must be one of integer/)])
    await own.remove()
  })
})

describe('validation', () => {
  const wrong = program([
    rule('r', 'a', condition('colour', 'equal', word('red'))),
    rule('s', 'a', condition('currency', 'less_than', word('EURO'))),
  ])

  test('create and update refuse the same, with every error and its path, and store nothing', async () => {
    const stored = await create(program([]))
    const update = { ...named(stored.json.rule_id), name: 'rules', algorithm: { type: 'advanced', data: wrong } }
    for (const answer of [await create(wrong), await post('/routing/update', update)]) {
      expect(answer).toMatchObject({ status: 400, json: { code: 'TE_04' } })
      expect(answer.json.message).toMatch(
        /^Field validation failed: Invalid key 'colour': Unknown key in condition; Invalid comparison type 'currency'/,
      )
      expect(
        answer.json.data.validation_errors.map((error: { path: string; error_type: string }) => [error.path, error.error_type]),
      ).toEqual([
        ['rules[0].statements[0].condition[0]', 'unknown_key'],
        ['rules[1].statements[0].condition[0]', 'invalid_comparison'],
        ['rules[1].statements[0].condition[0]', 'invalid_enum_value'],
      ])
    }
    const listed = await post(`/routing/list/${merchant.id}`, {})
    expect(listed.json.map((record: { algorithm_data: object }) => record.algorithm_data)).toMatchObject([{ data: { rules: [] } }])
  })

  test('an active algorithm, an unknown one and a foreign one are not updated', async () => {
    const id = await activate(program([]))
    const update = { name: 'n', algorithm: { type: 'single', data: ref('a') } }
    expect((await post('/routing/update', { ...named(id), ...update })).json.message).toMatch(/is active/)
    expect((await post('/routing/update', { ...named('none'), ...update })).json.message).toMatch(/not found for the provided id : none/)
    const other = await createMerchant(server.url)
    const foreign = { body: { ...named(id), ...update, created_by: other.id }, headers: other.key }
    expect(await call(server.url, 'POST /routing/update', foreign)).toMatchObject({ status: 400 })
    expect((await call(server.url, 'POST /routing/update', { ...foreign, body: { ...named(id), ...update } })).status).toBe(403)
    expect((await call(server.url, 'POST /routing/update', { ...foreign, headers: admin })).status).toBe(400)
  })

  test('spellings are stored as the catalogue has them, and networks match whatever their spelling', async () => {
    const rules = [
      rule('net', 'adyen', condition('payment_method', 'equal', word('CARD')), condition('card_network', 'equal', word('mAsTercard'))),
    ]
    await activate(program(rules))
    const [stored] = (await post(`/routing/list/active/${merchant.id}`, {})).json
    expect(stored.algorithm_data.data.rules[0].statements[0].condition.map((one: { value: object }) => one.value)).toEqual([
      word('card'),
      word('mastercard'),
    ])
    for (const spelling of ['MASTERCARD', 'Master_Card', 'master card', 'mastercardCard']) {
      expect(await headOf({ payment_method: word('card'), card_network: word(spelling) })).toBe('adyen')
    }
    expect(await headOf({ payment_method: word('card'), card_network: word('VISA') })).toBe('stripe')
  })

  test('globals, fractions and 16 nested levels do what they say; the 17th is refused', async () => {
    const globals = { eea: [word('EUR'), word('SEK')] }
    const nested = (depth: number): object => ({
      condition: [condition('amount', 'greater_than', { type: 'number', value: 99.5 })],
      nested: depth === 1 ? null : [nested(depth - 1)],
    })
    const inEea = (depth: number) => ({
      ...rule('deep', 'adyen'),
      statements: [
        {
          condition: [condition('currency', 'equal', { type: 'global_ref', value: 'eea' })],
          nested: depth === 1 ? [] : [nested(depth - 1)],
        },
      ],
    })
    const outside = rule('outside', 'checkout', condition('currency', 'not_equal', { type: 'global_ref', value: 'eea' }))
    expect(await create(program([inEea(17)], { globals }))).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('nested more than 16 deep') },
    })
    await activate(program([inEea(16), outside], { globals }))
    const amount = (value: number) => ({ amount: { type: 'number', value } })
    expect(await headOf({ currency: word('SEK'), ...amount(99.75) })).toBe('adyen')
    expect(await headOf({ currency: word('SEK'), ...amount(99.5) })).toBe('stripe')
    expect(await headOf({ currency: word('USD') })).toBe('checkout')
    expect(await headOf({})).toBe('stripe')
  })

  test('limits: rules, conditions, bytes', async () => {
    const short = condition('amount', 'equal', { type: 'number', value: 1 })
    const messageOf = async (data: object): Promise<string> => (await create(data)).json.message
    expect(await messageOf(program(new Array(501).fill(rule('r', 'a', short))))).toContain('more than 500 rules')
    expect(await messageOf(program([rule('r', 'a', ...new Array(5001).fill(short))]))).toContain('more than 5000 conditions')
    expect(await messageOf(program([], { metadata: { text: 'x'.repeat(1_048_576) } }))).toContain('at most 1048576 bytes')
    // Bytes, not characters: what is longer in UTF-8 is longer in the log.
    expect(await messageOf(program([], { metadata: { text: 'é'.repeat(600_000) } }))).toContain('at most 1048576 bytes')
    expect((await create(program(new Array(500).fill(rule('r', 'a', ...new Array(10).fill(short)))))).status).toBe(200)
  })
})

describe('purposes', () => {
  test('each has its own live algorithm, and evaluation can ask for one', async () => {
    await activate(program([], { default_selection: { single: ref('payments') } }))
    await activate(program([], { default_selection: { single: ref('payouts') } }), { algorithm_for: 'payout' })
    expect(await headOf({})).toBe('payments')
    expect((await evaluate({}, { algorithm_for: 'payout' })).json.evaluated_output).toEqual([ref('payouts')])
    expect((await evaluate({}, { algorithm_for: 'three_ds_authentication' })).json.message).toMatch(/no active routing algorithm/i)
    expect((await evaluate({}, { algorithm_for: 'else' })).status).toBe(422)
  })
})

describe('eligibility', () => {
  test('country, currency and capture method restrict who is answered; the output stays', async () => {
    await activate(program([], { default_selection: { priority: [ref('helcim'), ref('zen'), ref('stripe')] } }))
    const namesFor = async (parameters: object): Promise<readonly string[]> =>
      (await evaluate({ payment_method_type: word('credit'), ...parameters })).json.evaluated_output.map(
        (one: { gateway_name: string }) => one.gateway_name,
      )
    expect(await namesFor({})).toEqual(['helcim', 'zen', 'stripe'])
    expect(await namesFor({ billing_country: word('Germany') })).toEqual(['zen', 'stripe'])
    expect(await namesFor({ billing_country: word('Canada'), currency: word('CAD') })).toEqual(['helcim', 'zen', 'stripe'])
    expect(await namesFor({ currency: word('EUR'), capture_method: word('manual') })).toEqual(['stripe'])
    const { json } = await evaluate({ payment_method_type: word('credit'), billing_country: word('Germany') })
    expect(json.output.connectors).toHaveLength(3)
    expect(json.eligible_connectors).toEqual([ref('zen'), ref('stripe')])
  })
})
