import { describe, expect, test } from '@jest/globals'
import { canonicalValue, ROUTING_KEYS } from './catalogue.ts'
import { countryCodeOf, countryNameOf } from './countries.ts'

const valuesOf = (key: string): readonly string[] => {
  const routingKey = ROUTING_KEYS.get(key)
  return routingKey?.type === 'enum' ? routingKey.values : []
}

describe('routing keys', () => {
  test('43 keys in ascending order, 8 of them without a list of values', () => {
    const keys = [...ROUTING_KEYS.keys()]
    expect(keys).toHaveLength(43)
    expect(keys).toEqual([...keys].sort())
    expect([keys[0], keys[42]]).toEqual(['amount', 'wallet'])
    expect([...ROUTING_KEYS.values()].filter(({ type }) => type !== 'enum')).toHaveLength(8)
  })

  test.each([
    ['bank_redirect', 20, 'giropay', 'open_banking_pis'],
    ['billing_country', 249, 'Afghanistan', 'Zimbabwe'],
    ['card_network', 64, 'visa', 'Nyce'],
    ['currency', 160, 'AED', 'ZWL'],
    ['customer_device_display_size', 20, 'size320x568', 'size800x1280'],
    ['payment_method', 16, 'card', 'network_token'],
    ['payment_method_type', 100, 'ach', 'instant_bank_transfer'],
    ['wallet', 22, 'amazon_pay', 'paze'],
  ])('%s has %i values from %s to %s', (key, count, first, last) => {
    const values = valuesOf(key)
    expect([values.length, values[0], values.at(-1)]).toEqual([count, first, last])
    expect(new Set(values).size).toBe(count)
  })

  test('every value is its own canonical spelling, except networks', () => {
    const keys = [...ROUTING_KEYS.keys()].filter((key) => key !== 'card_network')
    const changed = keys.flatMap((key) => valuesOf(key).filter((value) => canonicalValue(key, value) !== value))
    expect(changed).toEqual([])
  })

  test('the 64 spellings of card networks are 15 networks', () => {
    const networks = new Set(valuesOf('card_network').map((spelling) => canonicalValue('card_network', spelling)))
    expect(networks.size).toBe(15)
    expect(networks.has(undefined)).toBe(false)
    expect(canonicalValue('card_network', 'Master Card')).toBe(canonicalValue('card_network', 'mastercardCard'))
    expect(canonicalValue('card_network', 'Amex')).toBe(canonicalValue('card_network', 'american_express'))
    expect(canonicalValue('card_network', 'card')).toBeUndefined()
  })

  test('another case is accepted, another value is not', () => {
    expect(canonicalValue('payment_method', 'CARD')).toBe('card')
    expect(canonicalValue('billing_country', 'FRANCE')).toBe('France')
    expect(canonicalValue('payment_method', 'cards')).toBeUndefined()
    expect(canonicalValue('amount', '1')).toBeUndefined()
    expect(canonicalValue('constructor', 'name')).toBeUndefined()
  })

  test('countries have one code each, both ways', () => {
    for (const name of valuesOf('issuer_country')) expect(countryNameOf(countryCodeOf(name) ?? '')).toBe(name)
    expect(countryNameOf('gb')).toBe('UnitedKingdomOfGreatBritainAndNorthernIreland')
    expect(countryNameOf('ZZ')).toBeUndefined()
  })
})
