import { expect } from '@jest/globals'
import { type Answer, call, type TestMerchant } from './client.ts'

/** A connector in an output of a rule. */
export const ref = (name: string, id: string | null = null) => ({ gateway_name: name, gateway_id: id })
/** A value of an enumerated key. */
export const word = (value: string) => ({ type: 'enum_variant', value })
export const condition = (lhs: string, comparison: string, value: object) => ({ lhs, comparison, value })

/** A rule of one statement that names one gateway. */
export const rule = (name: string, gateway: string, ...conditions: readonly object[]) => ({
  name,
  routing_type: 'priority',
  output: { priority: [ref(gateway)] },
  statements: [{ condition: conditions }],
})

/** An advanced algorithm that falls back to one gateway. */
export const program = (rules: readonly object[], change: object = {}) => ({
  default_selection: { priority: [ref('stripe')] },
  rules,
  ...change,
})

/** Algorithms of one merchant, who may change from test to test. */
export const rulesClient = (url: () => string, merchant: () => TestMerchant) => {
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    call(url(), `POST ${path}`, { body, headers: { ...merchant().key, ...headers } })
  const create = (data: object, change: object = {}) =>
    post('/routing/create', { name: 'rules', created_by: merchant().id, algorithm: { type: 'advanced', data }, ...change })
  const named = (id: string) => ({ created_by: merchant().id, routing_algorithm_id: id })
  const activate = async (data: object, change: object = {}): Promise<string> => {
    const created = await create(data, change)
    expect(created).toMatchObject({ status: 200 })
    expect((await post('/routing/activate', named(created.json.rule_id))).status).toBe(200)
    return created.json.rule_id
  }
  const evaluate = (parameters: object, change: object = {}) =>
    post('/routing/evaluate', { created_by: merchant().id, parameters, ...change })
  const headOf = async (parameters: object): Promise<string> => (await evaluate(parameters)).json.evaluated_output[0]?.gateway_name
  return { post, create, named, activate, evaluate, headOf }
}
