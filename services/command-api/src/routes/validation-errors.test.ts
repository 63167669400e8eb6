import { describe, expect, test } from '@jest/globals'
import { type Algorithm, createCatalogue, type RoutingKey, routingAlgorithms } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { algorithmSchema } from './algorithm-wire.ts'
import { routingRefusal } from './routing-replies.ts'

const shipped = loadRuleData({ routingKeys: undefined, eligibility: undefined }).catalogue
const bounds: RoutingKey = { type: 'text', minLength: 3, maxLength: 5, exactLength: null, regex: null }
/** The shipped vocabulary, and keys with bounds that no shipped one has. */
const catalogue = createCatalogue([
  ...shipped.keys,
  ['bounded', { type: 'integer', minValue: 10, maxValue: 20 }],
  ['short', bounds],
  ['tag', { ...bounds, type: 'metadata' }],
  ['set', { type: 'globalRef' }],
])

interface Sent {
  readonly lhs: string
  readonly comparison: string
  readonly value: object
}

const merchantId = 'm_1'
const globals = {
  euros: [{ type: 'enum_variant', value: 'EUR' }],
  amounts: [{ type: 'number', value: 15 }],
  mixed: [
    { type: 'enum_variant', value: 'EUR' },
    { type: 'number', value: 1 },
  ],
  lists: [{ type: 'enum_variant_array', value: ['EUR'] }],
  wrong: [{ type: 'enum_variant', value: 'ZZZ' }],
  far: [{ type: 'number', value: 99 }],
}
const parsed = (data: object): Algorithm => algorithmSchema.parse({ type: 'advanced', data })
const program = (...statements: readonly object[]): Algorithm => {
  const output = { priority: [{ gateway_name: 'alpha' }] }
  return parsed({ globals, default_selection: output, rules: [{ name: 'r', routing_type: 'priority', output, statements }] })
}
const condition = ([lhs, comparison, type, value]: readonly [string, string, string, unknown]): Sent => ({
  lhs,
  comparison,
  value: { type, value },
})

/** What a client is answered, by create and by update; undefined when it is stored. */
const answersTo = (algorithm: Algorithm): readonly unknown[] => {
  const registered = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 0 } } as const
  const definition = '{"form":"priority","connectors":[]}'
  const data = { merchantId, algorithmId: 'b', name: '', description: '', kind: 'PRIORITY', definition, metadata: null, at: 0 } as const
  const drafted = { type: 'RoutingAlgorithmDrafted', data: { ...data, purpose: 'PAYMENT' } } as const
  const state = [registered, drafted].reduce(routingAlgorithms.evolve, routingAlgorithms.initialState)
  const common = { merchantId, name: 'n', description: '', algorithm, catalogue, at: 1 }
  return [
    { ...common, type: 'DraftRoutingAlgorithm', algorithmId: 'a', purpose: 'PAYMENT', metadata: null } as const,
    { ...common, type: 'ReviseRoutingAlgorithm', algorithmId: 'b' } as const,
  ].map((command) => {
    const decision = routingAlgorithms.decide(command, state)
    return decision.accepted ? undefined : routingRefusal(decision.rejection, 400)
  })
}

const errorsOf = (...conditions: readonly Sent[]): readonly (readonly [string, string])[] => {
  const [created, updated] = answersTo(program({ condition: conditions }))
  expect(updated).toEqual(created)
  if (created === undefined) return []
  const { status, body } = created as {
    status: number
    body: { code: string; message: string; data: { validation_errors: { error_type: string; message: string }[] } }
  }
  const errors = body.data.validation_errors
  expect([status, body.code]).toEqual([400, 'TE_04'])
  expect(body.message).toBe(`Field validation failed: ${errors.map(({ message }) => message).join('; ')}`)
  return errors.map(({ error_type, message }) => [error_type, message])
}

const methods = 'debit, credit'
const enumMismatch = "Invalid enum variant 'card_type': expected enum variant, got"

describe('conditions that are refused', () => {
  test.each<[readonly [string, string, string, unknown], string, string]>([
    [['colour', 'equal', 'str_value', 'red'], 'unknown_key', "Invalid key 'colour': Unknown key in condition"],
    [['colour', 'less_than', 'number', 1], 'unknown_key', "Invalid key 'colour': Unknown key in condition"],
    [
      ['card_type', 'greater_than', 'enum_variant', 'debit'],
      'invalid_comparison',
      "Invalid comparison type 'card_type': expected Equal or NotEqual, got GreaterThan",
    ],
    [
      ['metadata', 'less_than', 'metadata_variant', { key: 'a', value: 'b' }],
      'comparison_warning',
      "Comparison type 'LessThan' may not be appropriate for key 'metadata' of type 'Udf'",
    ],
    [
      ['issuer_name', 'less_than_equal', 'str_value', 'x'],
      'comparison_warning',
      "Comparison type 'LessThanEqual' may not be appropriate for key 'issuer_name' of type 'StrValue'",
    ],
    [
      ['set', 'greater_than_equal', 'global_ref', 'euros'],
      'comparison_warning',
      "Comparison type 'GreaterThanEqual' may not be appropriate for key 'set' of type 'GlobalRef'",
    ],
    [
      ['amount', 'less_than', 'global_ref', 'amounts'],
      'comparison_warning',
      "Comparison type 'LessThan' may not be appropriate for key 'amount' of type 'Integer'",
    ],
    [
      ['card_type', 'equal', 'enum_variant', 'charge'],
      'invalid_enum_value',
      `Invalid enum value 'card_type': expected one of [${methods}], got 'charge'`,
    ],
    [
      ['card_type', 'not_equal', 'enum_variant_array', ['debit', 'x', 'y']],
      'invalid_enum_values',
      `Invalid enum values 'card_type': expected values from [${methods}], got [x, y]`,
    ],
    [['card_type', 'equal', 'number', 1], 'type_mismatch', `${enumMismatch} Number`],
    [['card_type', 'equal', 'number_array', [1]], 'type_mismatch', `${enumMismatch} Number`],
    [['card_type', 'equal', 'number_comparison_array', []], 'type_mismatch', `${enumMismatch} Number`],
    [['card_type', 'equal', 'str_value', 'debit'], 'type_mismatch', `${enumMismatch} StrValue`],
    [['card_type', 'equal', 'metadata_variant', { key: 'a', value: 'b' }], 'type_mismatch', `${enumMismatch} MetadataValue`],
    [['bounded', 'equal', 'number', 9], 'value_out_of_range', "Invalid field 'bounded': value 9 is below minimum 10"],
    [['bounded', 'less_than', 'number', 20.5], 'value_out_of_range', "Invalid field 'bounded': value 20.5 exceeds maximum 20"],
    [
      ['bounded', 'equal', 'number_array', [10, 21]],
      'value_out_of_range',
      "Element 2: Invalid field 'bounded': value 21 exceeds maximum 20",
    ],
    [['amount', 'less_than', 'number_array', [1]], 'invalid_comparison', "Only '==' or '!=' allowed with number arrays for key 'amount'"],
    [
      ['amount', 'not_equal', 'number_comparison_array', []],
      'invalid_comparison',
      "Only '==' allowed with number comparison arrays for key 'amount'",
    ],
    [['amount', 'equal', 'enum_variant', 'x'], 'type_mismatch', "Invalid key 'amount': expected number, got EnumVariant"],
    [['amount', 'less_than', 'str_value', 'x'], 'type_mismatch', "Invalid key 'amount': expected number, got StrValue"],
    [
      ['tag', 'equal', 'metadata_variant', { key: 'a', value: 'toolong' }],
      'length_invalid',
      "Invalid field 'tag': length 7 exceeds maximum 5",
    ],
    [['metadata', 'equal', 'str_value', 'x'], 'type_mismatch', "Invalid key 'metadata': expected metadata variant, got StrValue"],
    [
      ['card_bin', 'equal', 'str_value', '41x1'],
      'length_invalid',
      "Invalid field 'card_bin': expected 6 characters, got 4 characters; Invalid field 'card_bin': value does not match required pattern",
    ],
    [['card_bin', 'equal', 'str_value', '41111x'], 'length_invalid', "Invalid field 'card_bin': value does not match required pattern"],
    [
      ['extended_card_bin', 'equal', 'str_value', '411111'],
      'length_invalid',
      "Invalid field 'extended_card_bin': expected 8 characters, got 6 characters; Invalid field 'extended_card_bin': value does not match required pattern",
    ],
    [['issuer_name', 'equal', 'str_value', ''], 'length_invalid', "Invalid field 'issuer_name': length 0 is below minimum 1"],
    [['short', 'equal', 'str_value', 'äää'], 'length_invalid', "Invalid field 'short': length 6 exceeds maximum 5"],
    [['short', 'equal', 'enum_variant', 'abc'], 'type_mismatch', "Invalid key 'short': expected str_value, got enum_variant"],
    [
      ['short', 'equal', 'metadata_variant', { key: 'a', value: 'b' }],
      'type_mismatch',
      "Invalid key 'short': expected str_value, got metadata_value",
    ],
    [['set', 'equal', 'number', 1], 'type_mismatch', "Invalid key 'set': expected global_ref, got number"],
    [['currency', 'equal', 'global_ref', 'none'], 'unknown_global', "Invalid global 'none' for key 'currency': globals has no such name"],
    [
      ['amount', 'equal', 'global_ref', 'euros'],
      'type_mismatch',
      "Invalid global 'euros' for key 'amount': value 1: Invalid key 'amount': expected number, got EnumVariant",
    ],
    [
      ['currency', 'equal', 'global_ref', 'mixed'],
      'type_mismatch',
      "Invalid global 'mixed' for key 'currency': value 2: Invalid enum variant 'currency': expected enum variant, got Number",
    ],
    [
      ['currency', 'equal', 'global_ref', 'lists'],
      'type_mismatch',
      "Invalid global 'lists' for key 'currency': value 1: expected a single value, got a list or the name of a global",
    ],
    [
      ['bounded', 'equal', 'global_ref', 'far'],
      'value_out_of_range',
      "Invalid global 'far' for key 'bounded': value 1: Invalid field 'bounded': value 99 exceeds maximum 20",
    ],
  ])('%j: %s', (sent, type, message) => expect(errorsOf(condition(sent))).toEqual([[type, message]]))

  test('a comparison and a value that are both wrong are both told', () => {
    expect(errorsOf(condition(['card_type', 'less_than', 'number', 1])).map(([type]) => type)).toEqual([
      'invalid_comparison',
      'type_mismatch',
    ])
    expect(errorsOf(condition(['card_bin', 'greater_than', 'str_value', 'x'])).map(([type]) => type)).toEqual([
      'comparison_warning',
      'length_invalid',
    ])
  })
})

describe('conditions that are stored', () => {
  test.each<readonly [string, string, string, unknown]>([
    ['card_type', 'equal', 'enum_variant', 'debit'],
    ['card_type', 'not_equal', 'enum_variant', 'DEBIT'],
    ['card_type', 'equal', 'enum_variant_array', []],
    ['card_network', 'equal', 'enum_variant', 'Master Card'],
    ['card_network', 'equal', 'enum_variant', 'MaSter_cArd'],
    ['amount', 'less_than', 'number', 100.5],
    ['amount', 'not_equal', 'number_array', [1, 2]],
    ['bounded', 'equal', 'number_comparison_array', [{ comparison_type: 'less_than', number: 999 }]],
    ['metadata', 'not_equal', 'metadata_variant', { key: 'a', value: 'b' }],
    ['issuer_name', 'equal', 'str_value', 'x'],
    ['short', 'not_equal', 'str_value', 'abc'],
    ['currency', 'equal', 'global_ref', 'euros'],
    ['currency', 'not_equal', 'global_ref', 'euros'],
    ['bounded', 'equal', 'global_ref', 'amounts'],
    ['set', 'equal', 'global_ref', 'mixed'],
  ])('%s %s %s %j', (...sent) => expect(errorsOf(condition(sent))).toEqual([]))
})

describe('all errors of a program', () => {
  const wrong = condition(['colour', 'equal', 'str_value', 'x'])
  const right = condition(['amount', 'equal', 'number', 1])
  const errorsIn = (answer: unknown): readonly { readonly path: string; readonly field: string }[] =>
    (answer as { body: { data: { validation_errors: { path: string; field: string }[] } } }).body.data.validation_errors

  test('they come in the order of the conditions, each with its path', () => {
    const nested = [{ condition: [right, wrong], nested: [{ condition: [wrong] }] }]
    const [answer] = answersTo(program({ condition: [right, wrong], nested }, { condition: [wrong] }))
    expect(errorsIn(answer).map(({ path }) => path)).toEqual([
      'rules[0].statements[0].condition[1]',
      'rules[0].statements[0].nested[0].condition[1]',
      'rules[0].statements[0].nested[0].nested[0].condition[0]',
      'rules[0].statements[1].condition[0]',
    ])
  })

  test('what is wrong with outputs comes behind', () => {
    const priority = { priority: [{ gateway_name: 'alpha' }] }
    const rules = [{ name: 'r', routing_type: 'volume_split', output: priority, statements: [{ condition: [wrong] }] }]
    const [answer] = answersTo(parsed({ default_selection: { volume_split: [] }, rules }))
    expect(errorsIn(answer).map(({ path, field }) => [path, field])).toEqual([
      ['rules[0].statements[0].condition[0]', 'colour'],
      ['rules[0]', 'algorithm.data.rules[0]'],
      ['default_selection', 'algorithm.data.default_selection'],
    ])
  })

  test('very many are counted behind the first 200', () => {
    const [answer] = answersTo(program({ condition: new Array(5_000).fill(wrong) }))
    expect(errorsIn(answer)).toHaveLength(200)
    expect(answer).toMatchObject({ body: { message: expect.stringMatching(/; and 4800 more$/), data: { unlisted_errors: 4800 } } })
  })
})
