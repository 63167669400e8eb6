import { describe, expect, test } from '@jest/globals'
import { createCatalogue } from './catalogue.ts'
import { countryCodeOf, countryNameOf } from './countries.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

const { canonicalValue, listedValue } = sampleCatalogue

describe('catalogue', () => {
  test('its keys are in ascending order, whatever order they were given in', () => {
    const keys = [...sampleCatalogue.keys.keys()]
    expect(keys).toEqual([...keys].sort())
  })

  test.each([
    ['the exact spelling', 'payment_method', 'card', 'card', 'card'],
    ['another case', 'payment_method', 'CARD', 'card', 'card'],
    ['a country in capitals', 'billing_country', 'FRANCE', 'France', 'France'],
    ['a listed spelling of a network', 'card_network', 'AMEX', 'americanexpress', 'AMEX'],
    ['another spelling of a listed network', 'card_network', 'American_Express', 'americanexpress', 'amex'],
    ['a network with blanks', 'card_network', 'master card', 'mastercard', 'mastercard'],
    ['a listed network that the vocabulary does not know', 'card_network', 'CARNET', 'carnet', 'carnet'],
    ['a known network that is not listed', 'card_network', 'jcb', undefined, undefined],
    ['another value', 'payment_method', 'cards', undefined, undefined],
    ['a key without values', 'amount', '1', undefined, undefined],
    ['no key at all', 'constructor', 'name', undefined, undefined],
  ])('%s', (_what, key, value, canonical, listed) => {
    expect([canonicalValue(key, value), listedValue(key, value)]).toEqual([canonical, listed])
  })

  test('values that differ in case only stay apart, unless neither is meant exactly', () => {
    const { canonicalValue: of } = createCatalogue([['k', { type: 'enum', values: ['ab', 'AB'] }]])
    expect([of('k', 'ab'), of('k', 'AB'), of('k', 'Ab')]).toEqual(['ab', 'AB', 'ab'])
  })

  test('countries have one code each, both ways', () => {
    expect(countryNameOf(countryCodeOf('Zambia') ?? '')).toBe('Zambia')
    expect(countryNameOf('gb')).toBe('UnitedKingdomOfGreatBritainAndNorthernIreland')
    expect(countryNameOf('ZZ')).toBeUndefined()
  })
})
