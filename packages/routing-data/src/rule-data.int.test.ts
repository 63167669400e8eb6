import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { countryCodeOf } from '@switchyard/routing'
import { loadContractRates } from './contract-rates-table.ts'
import { loadRuleData } from './load-rule-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'rule-data-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (text: string): string => {
  const path = join(folder, `${Math.random()}.csv`)
  writeFileSync(path, text)
  return path
}
const { catalogue, eligibility } = loadRuleData({ routingKeys: undefined, eligibility: undefined })
const valuesOf = (key: string): readonly string[] => {
  const routingKey = catalogue.keys.get(key)
  return routingKey?.type === 'enum' ? routingKey.values : []
}

describe('the catalogue that comes with the release', () => {
  test('43 keys from amount to wallet, 8 of them without a list of values', () => {
    const keys = [...catalogue.keys.keys()]
    expect([keys.length, keys[0], keys[42]]).toEqual([43, 'amount', 'wallet'])
    expect(keys).toEqual([...keys].sort())
    expect([...catalogue.keys.values()].filter(({ type }) => type !== 'enum')).toHaveLength(8)
  })

  test.each([
    ['authentication_type', 2],
    ['bank_debit', 6],
    ['bank_redirect', 20],
    ['bank_transfer', 16],
    ['billing_country', 249],
    ['business_country', 249],
    ['capture_method', 5],
    ['card', 2],
    ['card_discovery', 3],
    ['card_network', 64],
    ['card_redirect', 4],
    ['card_type', 2],
    ['crypto', 1],
    ['currency', 160],
    ['customer_device_display_size', 20],
    ['customer_device_platform', 3],
    ['customer_device_type', 4],
    ['gift_card', 2],
    ['issuer_country', 249],
    ['mandate_acceptance_type', 2],
    ['mandate_type', 2],
    ['mobile_payment', 1],
    ['network_token', 1],
    ['open_banking', 1],
    ['pay_later', 7],
    ['payment_method', 16],
    ['payment_method_type', 100],
    ['payment_type', 7],
    ['real_time_payment', 4],
    ['reward', 2],
    ['setup_future_usage', 2],
    ['transaction_initiator', 2],
    ['upi', 3],
    ['voucher', 14],
    ['wallet', 22],
  ])('%s has %i values, each once', (key, count) => {
    expect([valuesOf(key).length, new Set(valuesOf(key)).size]).toEqual([count, count])
  })

  test.each([
    ['bank_redirect', 'giropay', 'open_banking_pis'],
    ['billing_country', 'Afghanistan', 'Zimbabwe'],
    ['card_network', 'visa', 'Nyce'],
    ['currency', 'AED', 'ZWL'],
    ['payment_method', 'card', 'network_token'],
    ['wallet', 'amazon_pay', 'paze'],
  ])('%s goes from %s to %s', (key, first, last) => expect([valuesOf(key)[0], valuesOf(key).at(-1)]).toEqual([first, last]))

  test('the bounds of the keys without values', () => {
    const none = { minLength: null, maxLength: null, exactLength: null, regex: null }
    for (const key of ['amount', 'payment_amount', 'surcharge_amount']) {
      expect(catalogue.keys.get(key)).toEqual({ type: 'integer', minValue: 0, maxValue: null })
    }
    expect(catalogue.keys.get('business_label')).toEqual({ type: 'text', ...none })
    expect(catalogue.keys.get('card_bin')).toEqual({ type: 'text', ...none, exactLength: 6, regex: '^[0-9]{6}$' })
    expect(catalogue.keys.get('extended_card_bin')).toEqual({ type: 'text', ...none, exactLength: 8, regex: '^[0-9]{8}$' })
    expect(catalogue.keys.get('issuer_name')).toEqual({ type: 'text', ...none, minLength: 1 })
    expect(catalogue.keys.get('metadata')).toEqual({ type: 'metadata', ...none })
  })

  test('64 spellings are 15 networks, and every country has its code', () => {
    expect(new Set(valuesOf('card_network').map((spelling) => catalogue.canonicalValue('card_network', spelling))).size).toBe(15)
    expect(valuesOf('billing_country').filter((name) => countryCodeOf(name) === undefined)).toEqual([])
  })
})

describe('the table of eligibility that comes with the release', () => {
  test('single markets, and connectors with rules of their own', () => {
    expect(eligibility.ruleFor('anybody', 'ideal')).toMatchObject({ countries: new Set(['NL']), excludedCaptureMethod: null })
    expect(eligibility.ruleFor('Adyen', 'ideal')).toMatchObject({ countries: new Set(['NL']), excludedCaptureMethod: 'manual' })
    expect(eligibility.ruleFor('adyen', 'credit')).toBeUndefined()
  })
})

describe('files of a deployment', () => {
  const keysHeading = 'key,type,min_value,max_value,min_length,max_length,exact_length,regex,values'
  const tableHeading = 'connector,payment_method_type,countries,currencies,excluded_capture_method'
  const good = 'amount,integer,0,,,,,,'

  test('they replace what comes with the release', () => {
    const data = loadRuleData({
      routingKeys: file(`${keysHeading}\n${good}\ncolour,enum,,,,,,,"red, blue"\n`),
      eligibility: file(`${tableHeading}\n`),
    })
    expect([...data.catalogue.keys.keys()]).toEqual(['amount', 'colour'])
    expect(data.eligibility.ruleFor('anybody', 'ideal')).toBeUndefined()
  })

  test.each([
    ['an unknown type', 'x,float,,,,,,,', 'line 3: type: must be one of'],
    ['an enum without values', 'x,enum,,,,,,,', 'line 3: values: an enum key needs values'],
    ['values of another key', 'x,udf,,,,,,,"a"', 'line 3: values'],
    ['a value twice', 'x,enum,,,,,,,"a, b, a"', 'line 3: values: has a value twice'],
    ['an empty value', 'x,enum,,,,,,,"a,,b"', 'line 3: values: has an empty'],
    ['no number', 'x,integer,low,,,,,,', 'line 3: min_value: must be a number'],
    ['a number below zero', 'x,integer,,-1,,,,,', 'line 3: max_value: must not be negative'],
    ['a broken length', 'x,str_value,,,,1.5,,,', 'line 3: max_length: must be a whole number'],
    ['a length below zero', 'x,str_value,,,,,-1,,', 'line 3: exact_length: must be a whole number'],
    ['bounds the wrong way round', 'x,integer,5,4,,,,,', 'line 3: max_value: must not be below min_value'],
    ['lengths the wrong way round', 'x,str_value,,,5,4,,,', 'line 3: max_length: must not be below min_length'],
    ['no regular expression', 'x,str_value,,,,,,[,', 'line 3: regex: must be a regular expression'],
    ['a key twice', good, 'line 3: key: amount stands there twice'],
    ['a missing name', ',integer,,,,,,,', 'line 3: key: must not be empty'],
    ['a missing column', 'x,integer', 'on line 3'],
  ])('a catalogue with %s is refused with line and reason', (_what, line, reason) => {
    const path = file(`${keysHeading}\n${good}\n${line}\n`)
    expect(() => loadRuleData({ routingKeys: path, eligibility: undefined })).toThrow(
      expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(reason) }),
    )
  })

  test.each([
    ['a country in words', 'a,credit,Germany,,', 'line 3: countries: must be country codes'],
    ['a currency in small letters', 'a,credit,,eur,', 'line 3: currencies: must be currency codes'],
    ['a rule twice', 'ZEN,Credit,,,', 'line 3: connector: a rule for this connector and method stands there twice'],
    ['no connector', ',credit,,,', 'line 3: connector: must not be empty'],
  ])('a table with %s is refused with line and reason', (_what, line, reason) => {
    const path = file(`${tableHeading}\nzen,credit,,,manual\n${line}\n`)
    expect(() => loadRuleData({ routingKeys: undefined, eligibility: path })).toThrow(
      expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(reason) }),
    )
  })

  test.each(['', '\n\n', '\uFEFF'])('a table without a heading, %j, is none of no rules', (text) => {
    expect(() => loadRuleData({ routingKeys: undefined, eligibility: file(text) })).toThrow(
      expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining('it has no heading') }),
    )
  })

  test('a file of one line that is the heading of something else is no table without rows', () => {
    const other = file('version https://files.example/spec/v1\n')
    expect(() => loadRuleData({ routingKeys: undefined, eligibility: other })).toThrow('line 1: connector: ')
    expect(() => loadContractRates(other)).toThrow('line 1: psp: ')
    const short = file('connector,payment_method_type,countries,currencies\n')
    expect(() => loadRuleData({ routingKeys: undefined, eligibility: short })).toThrow('line 1: excluded_capture_method: ')
    expect(loadContractRates(file('psp,interchange_bps,scheme_bps,markup_bps,fixed\n'))).toEqual([])
    loadRuleData({ routingKeys: undefined, eligibility: file(`${tableHeading}\n`) })
  })

  test('what is wrong in a file is told with the setting that names it', () => {
    const empty = file('')
    expect(() => loadRuleData({ routingKeys: undefined, eligibility: empty })).toThrow(
      'SWITCHYARD_ELIGIBILITY_FILE: the table of eligible connectors is not valid: it has no heading',
    )
    expect(() => loadRuleData({ routingKeys: empty, eligibility: undefined })).toThrow(
      'SWITCHYARD_ROUTING_KEYS_FILE: the catalogue of routing keys is not valid: it has no heading',
    )
    expect(() => loadContractRates(empty)).toThrow(
      'SWITCHYARD_CONTRACT_RATES_FILE: the table of contract rates is not valid: it has no heading',
    )
  })

  test('an empty catalogue, another heading and a missing file are refused', () => {
    const load = (routingKeys: string) => () => loadRuleData({ routingKeys, eligibility: undefined })
    expect(load(file(`${keysHeading}\n`))).toThrow('it has no keys')
    expect(load(file('key,type\namount,integer\n'))).toThrow('line 2')
    expect(load(file(`${keysHeading}, key\n`))).toThrow('the heading has key twice')
    expect(load(join(folder, 'none.csv'))).toThrow('SWITCHYARD_ROUTING_KEYS_FILE')
  })
})
