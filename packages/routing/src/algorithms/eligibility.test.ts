import { describe, expect, test } from '@jest/globals'
import type { ConnectorReference, ParameterValue } from './algorithm.ts'
import { createEligibilityTable, type EligibilityEntry, onlyEligible } from './eligibility.ts'
import type { Evaluation } from './evaluation.ts'

const rule = (connector: string, change: Partial<EligibilityEntry> = {}): EligibilityEntry => ({
  connector,
  paymentMethodType: 'credit',
  countries: null,
  currencies: null,
  excludedCaptureMethod: null,
  ...change,
})
const [US, USD] = [new Set(['US']), new Set(['USD'])]
// The table of the worked example (rules.md 8).
const worked = createEligibilityTable([
  rule('alpha', { countries: US, currencies: USD }),
  rule('default', { excludedCaptureMethod: 'manual' }),
])

const ref = (gatewayName: string, gatewayId: string | null = null): ConnectorReference => ({ gatewayName, gatewayId })
const evaluationOf = (...connectors: readonly ConnectorReference[]): Evaluation => ({
  status: 'SUCCESS',
  ruleName: null,
  label: null,
  output: { form: 'priority', connectors },
  evaluated: connectors,
  eligible: connectors,
  drawnSlot: null,
})
const parametersOf = (values: Record<string, string | undefined>): ReadonlyMap<string, ParameterValue> =>
  new Map(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, { type: 'enumVariant', value }] as const])))
const names = (values: Record<string, string | undefined>, table = worked, connectors = [ref('alpha'), ref('beta')]): readonly string[] =>
  onlyEligible(table, parametersOf(values), evaluationOf(...connectors)).evaluated.map(({ gatewayName }) => gatewayName)

describe('eligibility', () => {
  test.each<[string | undefined, string | undefined, string, readonly string[]]>([
    [undefined, 'EUR', 'manual', ['alpha', 'beta']],
    ['credit', 'EUR', 'manual', []],
    ['credit', 'USD', 'manual', ['alpha']],
    ['credit', undefined, 'automatic', ['alpha', 'beta']],
    ['debit', 'EUR', 'manual', ['alpha', 'beta']],
  ])('worked: method %s, currency %s, capture %s: %j', (payment_method_type, currency, capture_method, eligible) => {
    expect(names({ payment_method_type, currency, capture_method })).toEqual(eligible)
  })

  test.each<[string, string | undefined, readonly string[]]>([
    ['the country by its name', 'UnitedStatesOfAmerica', ['alpha', 'beta']],
    ['another country', 'Germany', ['beta']],
    ['two letters', 'us', ['alpha', 'beta']],
    ['two letters of another country', 'DE', ['beta']],
    ['a name that nobody knows excludes nobody', 'Atlantis', ['alpha', 'beta']],
    ['no country', undefined, ['alpha', 'beta']],
  ])('%s', (_what, billing_country, eligible) => {
    expect(names({ payment_method_type: 'credit', currency: 'USD', billing_country })).toEqual(eligible)
  })

  test('a rule of its own replaces the default one as a whole; one for another method does not', () => {
    const table = createEligibilityTable([
      rule('default', { currencies: USD }),
      rule('alpha'),
      rule('beta', { paymentMethodType: 'debit', currencies: new Set(['EUR']) }),
    ])
    expect(names({ payment_method_type: 'credit', currency: 'EUR' }, table)).toEqual(['alpha'])
  })

  test('names are compared without case and blanks around them; the account does not matter', () => {
    const connectors = [ref(' Alpha ', 'eu'), ref('ALPHA'), ref('beta')]
    expect(names({ payment_method_type: 'credit', currency: 'EUR' }, worked, connectors)).toEqual(['beta'])
  })

  test('a table that writes the excluded capture method in capitals excludes it', () => {
    const table = createEligibilityTable([rule('alpha', { excludedCaptureMethod: 'MANUAL' })])
    expect(names({ payment_method_type: 'credit', capture_method: 'manual' }, table)).toEqual(['beta'])
    expect(names({ payment_method_type: 'credit', capture_method: 'automatic' }, table)).toEqual(['alpha', 'beta'])
    expect(names({ payment_method_type: 'credit' }, table)).toEqual(['alpha', 'beta'])
  })
  test('the next one becomes the head, the output stays as configured, and a text names the method too', () => {
    const evaluation = evaluationOf(ref('alpha'), ref('beta'))
    const parameters = new Map<string, ParameterValue>([
      ['payment_method_type', { type: 'text', value: ' credit ' }],
      ['currency', { type: 'enumVariant', value: 'EUR' }],
    ])
    expect(onlyEligible(worked, parameters, evaluation)).toEqual({ ...evaluation, evaluated: [ref('beta')], eligible: [ref('beta')] })
  })
})
