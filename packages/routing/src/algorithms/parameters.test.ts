import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalNetwork } from './networks.ts'
import { checkParameters, type SentParameter } from './parameters.ts'
import { type PaymentAttributes, paymentParameters } from './payment-parameters.ts'
import { checkByReference } from './reference-parameters.fixture.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

const check = (sent: Record<string, SentParameter>): unknown => {
  const checked = checkParameters(sampleCatalogue, new Map(Object.entries(sent)))
  return checked.accepted ? Object.fromEntries(checked.parameters) : checked.problem
}

describe('parameters of an evaluation', () => {
  test('null is unset, whatever the key', () => expect(check({ payment_method: null, amount: null, anything: null })).toEqual({}))
  test('values of the right type pass, enum values in the spelling of the catalogue', () => {
    const amount = { type: 'number', value: 10.5 } as const
    const tier = { type: 'metadata', key: 'tier', value: 'gold' } as const
    const bin = { type: 'text', value: '411111' } as const
    expect(check({ amount, tier, metadata: tier, card_bin: bin, payment_method: { type: 'enumVariant', value: 'CARD' } })).toEqual({
      amount,
      tier,
      metadata: tier,
      card_bin: bin,
      payment_method: { type: 'enumVariant', value: 'card' },
    })
  })
  test.each<[string, Record<string, SentParameter>, unknown]>([
    ['an unknown key', { colour: { type: 'text', value: 'red' } }, { code: 'UNKNOWN_PARAMETER', key: 'colour' }],
    [
      'an unknown enum value',
      { currency: { type: 'enumVariant', value: 'EURO' } },
      { code: 'INVALID_ENUM_VALUE', key: 'currency', value: 'EURO' },
    ],
    [
      'text for an enum key',
      { currency: { type: 'text', value: 'EUR' } },
      { code: 'PARAMETER_TYPE_MISMATCH', key: 'currency', expected: 'enum' },
    ],
    [
      'text for a number',
      { amount: { type: 'text', value: '100' } },
      { code: 'PARAMETER_TYPE_MISMATCH', key: 'amount', expected: 'integer' },
    ],
    ['a list for a number', { amount: { type: 'unusable' } }, { code: 'PARAMETER_TYPE_MISMATCH', key: 'amount', expected: 'integer' }],
    ['a list under an unknown key', { colour: { type: 'unusable' } }, { code: 'UNKNOWN_PARAMETER', key: 'colour' }],
    [
      'a number for text',
      { card_bin: { type: 'number', value: 4 } },
      { code: 'PARAMETER_TYPE_MISMATCH', key: 'card_bin', expected: 'text' },
    ],
    [
      'text as metadata',
      { metadata: { type: 'text', value: 'x' } },
      { code: 'PARAMETER_TYPE_MISMATCH', key: 'metadata', expected: 'metadata' },
    ],
  ])('%s is refused', (_what, sent, problem) => expect(check(sent)).toEqual(problem))
  test('of several problems the first in the order of the catalogue is named', () => {
    const wrong = { type: 'unusable' } as const
    expect(check({ zzz: wrong, wallet: wrong, currency: wrong, amount: { type: 'number', value: 1 } })).toMatchObject({ key: 'currency' })
  })
})

const names = fc.constantFrom(...sampleCatalogue.keys.keys(), 'amounts', 'Currency', '10', 'zone')
const words = fc.constantFrom('EUR', 'eur', 'visa', 'VISA', 'VisaCard', 'Master Card', 'credit', 'Germany', 'none', '')
const sentParameter: fc.Arbitrary<SentParameter> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('enumVariant' as const), value: words }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('metadata' as const), key: words, value: words }) },
  { weight: 2, arbitrary: fc.constant(null) },
  fc.record({ type: fc.constant('number' as const), value: fc.nat() }),
  fc.record({ type: fc.constant('text' as const), value: words }),
  fc.constant({ type: 'unusable' as const }),
)

describe('the check goes through what was sent', () => {
  test('and finds what going through the catalogue finds, in the same order', () => {
    const found = new Map<boolean, number>()
    fc.assert(
      fc.property(fc.array(fc.tuple(names, sentParameter), { maxLength: 6 }), (pairs) => {
        const sent = new Map(pairs)
        const checked = checkParameters(sampleCatalogue, sent)
        const expected = checkByReference(sampleCatalogue, sent)
        found.set(checked.accepted, (found.get(checked.accepted) ?? 0) + 1)
        expect(checked).toEqual(expected)
        if (checked.accepted && expected.accepted) expect([...checked.parameters]).toEqual([...expected.parameters])
      }),
      { numRuns: 5_000 },
    )
    for (const accepted of [true, false]) expect(found.get(accepted) ?? 0).toBeGreaterThan(200)
  })

  test('listed spellings of a network are known by what they are spellings of', () => {
    for (const listed of ['visa', 'Visa', 'visaCard', 'Master_Card', 'AMEX']) {
      expect(sampleCatalogue.canonicalValue('card_network', listed)).toBe(canonicalNetwork(listed))
      expect(sampleCatalogue.canonicalValue('card_network', ` ${listed} `)).toBe(canonicalNetwork(listed))
    }
    expect(sampleCatalogue.canonicalValue('card_network', 'carnet')).toBe('carnet')
    expect(sampleCatalogue.canonicalValue('card_network', 'CARNET')).toBe('carnet')
  })
})

const payment: PaymentAttributes = {
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  currency: 'EUR',
  amount: 12.5,
  cardType: null,
  cardNetwork: 'VISA',
  cardIsIn: '41111122',
  country: 'de',
  authType: 'THREE_DS',
}

describe('parameters of a payment', () => {
  test('a card payment in the words of the catalogue', () => {
    const values = [...paymentParameters(sampleCatalogue, payment)].map(([key, value]) => [key, value.value])
    expect(Object.fromEntries(values)).toEqual({
      payment_method: 'card',
      payment_method_type: 'credit',
      card_type: 'credit',
      card: 'credit',
      currency: 'EUR',
      card_network: 'visa',
      billing_country: 'Germany',
      authentication_type: 'three_ds',
      amount: 12.5,
      card_bin: '411111',
      extended_card_bin: '41111122',
    })
  })
  test('what is absent or not in the catalogue is left out', () => {
    const bare = {
      ...payment,
      paymentMethodType: 'TELEPATHY',
      paymentMethod: 'THOUGHT',
      currency: 'XXX',
      cardNetwork: 'none',
      cardIsIn: '41',
    }
    expect([...paymentParameters(sampleCatalogue, { ...bare, country: null, authType: 'OTHER' }).keys()]).toEqual(['amount'])
  })
  test('3-D Secure 2 is 3-D Secure to rules', () => {
    const value = { type: 'enumVariant', value: 'three_ds' }
    expect(paymentParameters(sampleCatalogue, { ...payment, authType: 'THREE_DS_2' }).get('authentication_type')).toEqual(value)
  })
  test('the type of the card counts before the payment method; other methods have none', () => {
    expect(paymentParameters(sampleCatalogue, { ...payment, cardType: 'DEBIT' }).get('card')).toEqual({
      type: 'enumVariant',
      value: 'debit',
    })
    expect(
      paymentParameters(sampleCatalogue, { ...payment, paymentMethodType: 'UPI', paymentMethod: 'UPI_COLLECT' }).has('card_type'),
    ).toBe(false)
  })
  test('a rule on wallet, upi or another key that is named after a method holds for its payments', () => {
    const of = (paymentMethodType: string, paymentMethod: string) =>
      paymentParameters(sampleCatalogue, { ...payment, paymentMethodType, paymentMethod, cardType: null })
    expect(of('WALLET', 'APPLE_PAY').get('wallet')).toEqual({ type: 'enumVariant', value: 'apple_pay' })
    expect(of('UPI', 'UPI_QR').get('upi')).toEqual({ type: 'enumVariant', value: 'upi_qr' })
    expect(of('WALLET', 'UPI_QR').has('wallet')).toBe(false)
    expect(of('CAPTURE_METHOD', 'MANUAL').has('capture_method')).toBe(false)
    expect(paymentParameters(sampleCatalogue, { ...payment, cardType: 'PREPAID' }).has('card')).toBe(false)
  })
  test('they pass the check of sent parameters unchanged', () => {
    const parameters = paymentParameters(sampleCatalogue, payment)
    expect(checkParameters(sampleCatalogue, parameters)).toEqual({ accepted: true, parameters })
  })
})
