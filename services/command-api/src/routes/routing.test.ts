import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { RouteReply } from '@switchyard/http'
import { createRuleEvaluator, routingAlgorithms } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { routingRoutes } from './routing.ts'
import { SAMPLE_MERCHANT as merchantId, type SampleRoutes, startSampleRoutes } from './sample-routes.fixture.ts'

const { catalogue } = loadRuleData({ routingKeys: undefined, eligibility: undefined })

let routes: SampleRoutes

beforeEach(async () => {
  const evaluator = createRuleEvaluator(catalogue)
  routes = await startSampleRoutes([routingAlgorithms], (dependencies) => routingRoutes({ ...dependencies, evaluator }))
})

afterEach(() => routes.stop())

const call: SampleRoutes['call'] = (pattern, sent) => routes.call(pattern, sent)
const failure = (status: number, message: string): object => ({ status, body: { code: 'TE_04', message, data: null } })
const position = expect.stringMatching(/^config-\d+-\d+$/)

const connector = (name: string): object => ({ gateway_name: name, gateway_id: null })
const priority = (name: string): object => ({ type: 'priority', data: [{ gateway_name: name }] })
const create = async (id: string, change: object = {}): Promise<RouteReply> =>
  await call('POST /routing/create', { body: { name: id, created_by: merchantId, algorithm: priority('alpha'), rule_id: id, ...change } })
const named = (id: string): object => ({ body: { created_by: merchantId, routing_algorithm_id: id } })
const listed = async (path: string, query = ''): Promise<unknown> => (await call(path, { query })).body

describe('stored algorithms', () => {
  test('none takes the name of routing by success rates: an experiment could not tell them apart', async () => {
    const detail = 'must not be sr_routing, which names routing by success rates'
    expect(await create('sr_routing')).toEqual(failure(400, `Invalid request received : could not parse routing rule: rule_id: ${detail}`))
  })

  test('none has an id that no path can name: clients resolve it away before they send, and its experiment could never be read', async () => {
    const detail = 'must not be . or .., which no path can name'
    const refused = failure(400, `Invalid request received : could not parse routing rule: rule_id: ${detail}`)
    expect(await create('.')).toEqual(refused)
    expect(await create('..')).toEqual(refused)
    expect(await create('...')).toMatchObject({ status: 200 })
    expect(await call('POST /routing/delete', named('...'))).toMatchObject({ status: 200 })
  })

  test('create answers the summary and a log position; the list shows the normalised record', async () => {
    const reply = await create('r1', { description: 'd', algorithm_for: 'payout', metadata: { a: 1 } })
    const [created_at, name] = ['2031-02-03T04:05:01.000Z', 'r1']
    const body = { rule_id: 'r1', name, algorithm_for: 'payout', created_at, modified_at: created_at }
    expect(reply).toEqual({ status: 200, body, headers: { 'x-log-position': position } })
    expect(Object.keys(reply.body ?? {})).toEqual(['rule_id', 'name', 'algorithm_for', 'created_at', 'modified_at'])
    expect(await listed('POST /routing/list/:createdBy')).toEqual([
      {
        id: 'r1',
        created_by: merchantId,
        name,
        description: 'd',
        algorithm_data: { type: 'priority', data: [connector('alpha')] },
        algorithm_for: 'payout',
        created_at,
        modified_at: created_at,
      },
    ])
  })

  test('an id is made when none is sent, and none can be used twice', async () => {
    const reply = await create('x', { rule_id: null })
    expect(reply.body).toMatchObject({ rule_id: expect.stringMatching(/^routing_[0-9a-f-]{36}$/) })
    await create('r1')
    expect(await create('r1')).toEqual(failure(409, 'Routing algorithm already exists for the provided id : r1'))
  })

  test('a program comes back with what was left out written down', async () => {
    const condition = { lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 10.5 } }
    const rule = {
      name: 'r',
      routingType: 'volume_split',
      routingOutput: { volume_split: [{ split: 100, output: { gateway_name: 'a' } }] },
    }
    const data = {
      default_selection: { priority: [] },
      rules: [{ ...rule, statements: [{ condition: [condition], nested: [] }], extra: 1 }],
    }
    await create('r1', { algorithm: { type: 'advanced', data } })
    expect(await listed('POST /routing/list/:createdBy')).toMatchObject([
      {
        algorithm_data: {
          type: 'advanced',
          data: {
            globals: {},
            default_selection: { priority: [] },
            rules: [
              {
                name: 'r',
                routing_type: 'volume_split',
                output: { volume_split: [{ split: 100, output: connector('a') }] },
                statements: [{ condition: [{ ...condition, metadata: {} }], nested: null }],
              },
            ],
            metadata: null,
          },
        },
      },
    ])
  })

  test('a body that does not fit is refused with the path of the misfit', async () => {
    const condition = { lhs: 'amount', comparison: 'above', value: { type: 'number', value: 1 }, metadata: {} }
    const rule = { name: 'r', routing_type: 'priority', output: { priority: [] }, statements: [{ condition: [condition] }] }
    const data = { default_selection: { priority: [] }, rules: [rule] }
    const reply = await create('r1', { algorithm: { type: 'advanced', data } })
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toContain(
      'Invalid request received : could not parse routing rule: algorithm.data.rules[0].statements[0].condition[0].comparison: ',
    )
    expect(await create('r1', { algorithm: { type: 'ab_test', data: {} } })).toMatchObject({ status: 400 })
    expect(await create('r1', { algorithm_for: null })).toMatchObject({ status: 400 })
    expect(
      await create('r1', { algorithm: { type: 'volume_split', data: [{ split: 1.5, output: { gateway_name: 'a' } }] } }),
    ).toMatchObject({ status: 400 })
    const both = { default_selection: { priority: [], single: { gateway_name: 'a' } }, rules: [] }
    expect(JSON.stringify(await create('r1', { algorithm: { type: 'advanced', data: both } }))).toContain(
      'algorithm.data.default_selection: expected exactly one of',
    )
    expect(await listed('POST /routing/list/:createdBy')).toEqual([])
  })

  test('what older clients write in camel case was refused by names that they had not written', async () => {
    const refusalOf = async (rule: object): Promise<unknown> => {
      const data = { default_selection: { priority: [] }, rules: [{ name: 'r', statements: [], ...rule }] }
      return (await create('r1', { algorithm: { type: 'advanced', data } })).body
    }
    const naming = (path: string): object => ({ message: expect.stringContaining(`routing rule: algorithm.data.rules[0].${path}: `) })
    const output = { priority: [{ gateway_name: 'a', gateway_id: 1 }] }
    expect(await refusalOf({ routingType: 'single', routingOutput: { priority: [] } })).toMatchObject(naming('routingType'))
    expect(await refusalOf({ routingType: 'priority', routingOutput: output })).toMatchObject(
      naming('routingOutput.priority[0].gateway_id'),
    )
    expect(await refusalOf({ routing_type: 'priority', output })).toMatchObject(naming('output.priority[0].gateway_id'))
    expect(await refusalOf({ routingType: 'priority' })).toMatchObject(naming('output'))
  })

  test('names and lists that every evaluation records are bounded', async () => {
    const long = 'x'.repeat(256)
    const list = (count: number, more: object = {}): object[] => Array.from({ length: count }, () => ({ gateway_name: 'a', ...more }))
    const splits = (count: number): object[] => list(count).map((output) => ({ split: 1, output }))
    const rule = { name: long, routing_type: 'priority', output: { priority: [] }, statements: [] }
    for (const [algorithm, path] of [
      [{ type: 'single', data: { gateway_name: long } }, 'algorithm.data.gateway_name'],
      [{ type: 'single', data: { gateway_name: 'a', gateway_id: long } }, 'algorithm.data.gateway_id'],
      [{ type: 'priority', data: list(201) }, 'algorithm.data'],
      [{ type: 'volume_split', data: splits(201) }, 'algorithm.data'],
      [{ type: 'advanced', data: { default_selection: { priority: [] }, rules: [rule] } }, 'algorithm.data.rules[0].name'],
    ] as const) {
      const { status, body } = await create('r1', { algorithm })
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`could not parse routing rule: ${path}: `)])
    }
    expect(await create('r1', { algorithm: { type: 'priority', data: list(200, { gateway_id: 'x'.repeat(255) }) } })).toMatchObject({
      status: 200,
    })
  })

  test('the lists of a split with priorities were bounded one by one: together they had tens of thousands of connectors', async () => {
    const output = Array.from({ length: 100 }, () => ({ gateway_name: 'a' }))
    const advanced = (listCount: number): object => {
      const default_selection = { volume_split_priority: Array.from({ length: listCount }, () => ({ split: 1, output })) }
      return { algorithm: { type: 'advanced', data: { default_selection, rules: [] } } }
    }
    const path = 'algorithm.data.default_selection.volume_split_priority'
    const detail = `could not parse routing rule: ${path}: expected at most 500 connectors in all lists together`
    expect(await create('r1', advanced(6))).toEqual(failure(400, `Invalid request received : ${detail}`))
    expect(await create('r1', advanced(5))).toMatchObject({ status: 200 })
  })

  test('a number that is no longer exact is refused, wherever it stands in a rule', async () => {
    const stored = async (id: string, value: object): Promise<RouteReply> => {
      const condition = { lhs: 'amount', comparison: 'greater_than', value, metadata: {} }
      const rule = { name: 'r', routing_type: 'priority', output: { priority: [] }, statements: [{ condition: [condition] }] }
      return await create(id, { algorithm: { type: 'advanced', data: { default_selection: { priority: [] }, rules: [rule] } } })
    }
    const { MAX_SAFE_INTEGER } = Number
    expect(await stored('r1', { type: 'number', value: MAX_SAFE_INTEGER })).toMatchObject({ status: 200 })
    for (const value of [
      { type: 'number', value: MAX_SAFE_INTEGER + 1 },
      { type: 'number_array', value: [1, MAX_SAFE_INTEGER + 1] },
      { type: 'number_comparison_array', value: [{ comparison_type: 'less_than', number: MAX_SAFE_INTEGER + 1 }] },
    ]) {
      const reply = await stored('r2', value)
      expect(reply.status).toBe(400)
      expect(JSON.stringify(reply.body)).toContain("numbers above 9007199254740991 can't be represented exactly")
    }
  })

  test('a split without weight is refused, one that does not add up to 100 is stored with a warning', async () => {
    const split = (share: number): object => ({
      algorithm: { type: 'volume_split', data: [{ split: share, output: { gateway_name: 'a' } }] },
    })
    const message = 'algorithm.data: a split needs at least one entry with a share above 0'
    const error = { field: 'algorithm.data', error_type: 'split_without_weight', message, path: 'algorithm.data' }
    expect(await create('r1', split(0))).toEqual({
      status: 400,
      body: { code: 'TE_04', message: `Invalid request received : ${message}`, data: { validation_errors: [error] } },
    })
    expect((await create('r1', split(60))).body).toMatchObject({
      warnings: ['algorithm.data: the shares add up to 60 instead of 100 and count as relative weights'],
    })
  })

  test('activate, refuse to edit, replace, deactivate, update, delete', async () => {
    await create('r1')
    await create('r2')
    expect(await call('POST /routing/activate', named('r1'))).toEqual({ status: 200, headers: { 'x-log-position': position } })
    expect(await listed('POST /routing/list/active/:createdBy')).toMatchObject([{ id: 'r1' }])
    const active = failure(400, 'Invalid request received : This experiment is active. Stop it before editing or deleting.')
    const update = { body: { created_by: merchantId, routing_algorithm_id: 'r1', name: 'new', algorithm: priority('beta') } }
    expect(await call('POST /routing/update', update)).toEqual(active)
    expect(await call('POST /routing/delete', named('r1'))).toEqual(active)

    await call('POST /routing/activate', named('r2'))
    expect(await listed('POST /routing/list/active/:createdBy')).toMatchObject([{ id: 'r2' }])
    expect(await call('POST /routing/activate', named('r2'))).toEqual({ status: 200, headers: {} })
    expect(await call('POST /routing/deactivate', named('r2'))).toMatchObject({ status: 200, headers: { 'x-log-position': position } })
    expect(await listed('POST /routing/list/active/:createdBy')).toEqual([])

    const updated = (await call('POST /routing/update', update)).body
    expect(updated).toMatchObject({ rule_id: 'r1', name: 'new', created_at: '2031-02-03T04:05:01.000Z' })
    expect(updated).not.toMatchObject({ modified_at: '2031-02-03T04:05:01.000Z' })
    expect(await call('POST /routing/delete', named('r1'))).toMatchObject({
      status: 200,
      body: { status: 'deleted', routing_algorithm_id: 'r1' },
    })
    expect(await listed('POST /routing/list/:createdBy')).toMatchObject([{ id: 'r2' }])
  })

  test('an unknown algorithm is 400, for delete 404; a misfit is 422; an unknown merchant is 404 for writes and empty for lists', async () => {
    const unknown = 'Routing algorithm not found for the provided id : r9'
    expect(await call('POST /routing/activate', named('r9'))).toEqual(failure(400, unknown))
    expect(await call('POST /routing/deactivate', named('r9'))).toEqual(failure(400, unknown))
    expect(await call('POST /routing/delete', named('r9'))).toEqual(failure(404, unknown))
    expect(await call('POST /routing/activate', { body: { created_by: merchantId } })).toMatchObject({ status: 422 })
    expect(await call('POST /routing/update', { body: {} })).toMatchObject({ status: 422 })
    expect(await create('r1', { created_by: 'm_9' })).toEqual(failure(404, 'MerchantId not found'))
    expect(await call('POST /routing/list/:createdBy', { params: { createdBy: 'm_9' } })).toEqual({ status: 200, body: [] })
  })

  test('a page of a list that a form had left blank was refused', async () => {
    await create('r1')
    expect(await listed('POST /routing/list/:createdBy', 'limit=&offset=')).toMatchObject([{ id: 'r1' }])
  })

  test('lists are newest first, in pages', async () => {
    for (const id of ['r1', 'r2', 'r3']) await create(id)
    expect(await listed('POST /routing/list/:createdBy')).toMatchObject([{ id: 'r3' }, { id: 'r2' }, { id: 'r1' }])
    expect(await listed('POST /routing/list/:createdBy', 'limit=1&offset=1')).toMatchObject([{ id: 'r2' }])
    for (const query of ['limit=-1', 'limit=1001', 'offset=x']) {
      expect(await call('POST /routing/list/:createdBy', { query })).toMatchObject({ status: 400 })
    }
  })
})
