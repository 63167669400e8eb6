import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import * as z from 'zod'
import { evaluationSchema, FALLBACK_COUNT_MAX, PARAMETER_COUNT_MAX } from './evaluation-wire.ts'
import { ODD_TEXTS } from './odd-texts.fixture.ts'
import { isPlainEvaluation } from './plain-evaluation.ts'

const connector = { gateway_name: 'a', gateway_id: 'a1' }
const unset = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, null]))

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>(0, -0, -1, 1.5, Number.MAX_SAFE_INTEGER, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN),
  fc.constantFrom<unknown>([], {}, ['a'], [null], { length: 0 }, unset(PARAMETER_COUNT_MAX), unset(PARAMETER_COUNT_MAX + 1)),
  fc.constantFrom<unknown>(
    [connector],
    [{ ...connector, gateway_id: null }],
    [{ gateway_name: 'x'.repeat(256) }],
    [{ ...connector, gateway_id: 'x'.repeat(256) }],
    Array.from({ length: FALLBACK_COUNT_MAX }, () => connector),
    Array.from({ length: FALLBACK_COUNT_MAX + 1 }, () => connector),
  ),
  fc.constantFrom<unknown>({ key: 'k', value: 'v' }, { key: 'k' }, { key: 1, value: 'v' }, ['k', 'v']),
  fc.constantFrom('number', 'number_array', 'number_comparison_array', 'enum_variant', 'enum_variant_array', 'str_value'),
  fc.constantFrom('metadata_variant', 'global_ref', 'enumVariant', 'payment', 'payout', 'three_ds_authentication', 'toString'),
)

const sound = {
  created_by: 'm_1',
  parameters: {},
  payment_id: 'p_1',
  fallback_output: [connector],
  routing_algorithm_id: 'routing_1',
  algorithm_for: 'payment',
  trace: false,
}
const members = Object.keys(sound)

const TYPES = [
  'number',
  'number_array',
  'number_comparison_array',
  'enum_variant',
  'enum_variant_array',
  'str_value',
  'metadata_variant',
  'global_ref',
]
const NUMBERS = [0, -0, -1, 1.5, Number.MAX_SAFE_INTEGER, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN]
const part = fc.constantFrom<unknown>('k', 'v', 'k', 1, null)
const parameter = fc.oneof(
  JUNK,
  fc.record({ type: fc.constant('number'), value: fc.constantFrom<unknown>(...NUMBERS, '1', null) }),
  fc.record({ type: fc.constant('metadata_variant'), value: fc.record({ key: part, value: part }, { requiredKeys: [] }) }),
  fc.record({ type: fc.constantFrom<unknown>(...TYPES, 'other', null), value: JUNK, more: JUNK }, { requiredKeys: [] }),
)
const name = fc.constantFrom('amount', 'currency', '10', 'x'.repeat(255), 'x'.repeat(256))
const parameters = fc.dictionary(name, parameter, { maxKeys: 2, noNullPrototype: true })
const verdicts = (body: unknown): { readonly byHand: boolean; readonly bySchema: boolean } => ({
  byHand: isPlainEvaluation(body),
  bySchema: evaluationSchema.safeParse(body).success,
})

describe('the quick check of evaluation requests', () => {
  test('knows every member of the schema', () => {
    const { properties = {} } = z.toJSONSchema(evaluationSchema)
    expect(Object.keys(properties).toSorted()).toEqual(members.toSorted())
    expect(isPlainEvaluation(sound)).toBe(true)
  })

  test('accepts what the schema accepts, whatever is changed in a sound request', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...members), JUNK), { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(changes, (changed) => {
        const { byHand, bySchema } = verdicts({ ...sound, ...Object.fromEntries(changed) })
        expect(byHand).toBe(bySchema)
      }),
      { numRuns: 5_000 },
    )
  })

  test('accepts the parameters that the schema accepts', () => {
    const accepted = new Map<boolean, number>()
    fc.assert(
      fc.property(parameters, (sent) => {
        const { byHand, bySchema } = verdicts({ ...sound, parameters: sent })
        accepted.set(byHand, (accepted.get(byHand) ?? 0) + 1)
        expect(byHand).toBe(bySchema)
      }),
      { numRuns: 5_000 },
    )
    // The property means nothing when one of the two is rare.
    for (const verdict of [true, false]) expect(accepted.get(verdict) ?? 0).toBeGreaterThan(200)
  })

  test.each([[null], [[]], ['text'], [7], [undefined]])('%j is no request', (body) => {
    expect(isPlainEvaluation(body)).toBe(false)
  })
})
