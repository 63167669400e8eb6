import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { parseNetworkFees } from './parse-network-fees.ts'

const SHIPPED = readFileSync(new URL('../../network-fees.json', import.meta.url), 'utf8')
const CATEGORY = 'merchant_category_code_0001'

/** The shipped table with one member set to another value, or left out. */
const changed = (path: readonly string[], value: unknown): string => {
  const document = JSON.parse(SHIPPED)
  const parent = path.slice(0, -1).reduce((member, name) => member[name], document)
  parent[path.at(-1) ?? ''] = value
  return JSON.stringify(document)
}

describe('the table of network fees', () => {
  const table = parseNetworkFees(SHIPPED)
  const priced = (network: never) => {
    const own = table.networkFees.get(network)
    const interchange = table.interchangeByCategory.get(CATEGORY)?.get(network)
    return [own?.percent, own?.fixed, interchange?.percent, interchange?.fixed]
  }

  test.each([
    ['VISA', 0.1375, 2, 1.65, 15],
    ['MASTERCARD', 0.15, 4, 1.65, 15],
    ['ACCEL', 0, 4, 1.55, 4],
    ['NYCE', 0.1, 1.5, 1.3, 21.3125],
    ['PULSE', 0.1, 3, 1.6, 15],
    ['STAR', 0.1, 1.5, 1.63, 15],
    ['AMEX', undefined, undefined, undefined, undefined],
    ['DINERS', undefined, undefined, undefined, undefined],
    ['RUPAY', undefined, undefined, undefined, undefined],
  ])('%s as it is shipped (network.md 5)', (network, ...numbers) => {
    expect(priced(network as never)).toEqual(numbers)
  })

  test('regulated issuers and the fraud check as shipped', () => {
    expect(table.interchangeRegulated).toEqual({ percent: 0.05, fixed: 0.21 })
    expect(table.fraudCheckFee).toBe(1)
    expect([...table.interchangeByCategory.keys()]).toEqual([CATEGORY])
  })

  test('another content has another version', () => {
    expect(table.version).toMatch(/^[0-9a-f]{12}$/)
    expect(parseNetworkFees(changed(['fraud_check_fee'], 2)).version).not.toBe(table.version)
  })

  test('a byte order mark in front counts as nothing', () => {
    expect(parseNetworkFees(`\uFEFF${SHIPPED}`).networkFees).toEqual(table.networkFees)
  })

  test('what connectors support, and savings across borders', () => {
    const { connectorNetworks } = parseNetworkFees(changed(['connector_networks'], { alpha: ['visa', 'Star'] }))
    expect([...connectorNetworks]).toEqual([['alpha', new Set(['VISA', 'STAR'])]])
    expect([...parseNetworkFees(changed(['connector_networks'], { Alpha: ['visa'] })).connectorNetworks.keys()]).toEqual(['alpha'])
    expect(parseNetworkFees(changed(['cross_border_savings'], false)).crossBorderSavings).toBe(false)
    expect(parseNetworkFees(changed(['cross_border_savings'], undefined)).crossBorderSavings).toBe(true)
  })

  test.each([
    ['no JSON', '{', 'SWITCHYARD_NETWORK_FEES_FILE: the table of network fees is not valid'],
    ['no object', '[]', 'document: '],
    ['a member too many', changed(['fees'], 1), 'fees'],
    ['a negative fee', changed(['network_fee', 'visa', 'percentage'], -1), 'network_fee.visa.percentage: '],
    ['a text for a number', changed(['network_fee', 'visa', 'fixed_amount'], '1'), 'network_fee.visa.fixed_amount: '],
    ['an unknown network', changed(['network_fee', 'discover'], { percentage: 1, fixed_amount: 1 }), 'network_fee.discover: is no network'],
    ['a network twice', changed(['network_fee', 'VISA'], { percentage: 1, fixed_amount: 1 }), 'network_fee.VISA: stands there twice'],
    [
      'a network twice in one spelling',
      SHIPPED.replace('"visa":', '"visa": { "percentage": 9, "fixed_amount": 9 }, "visa":'),
      'visa: stands there twice',
    ],
    ['a fee twice', SHIPPED.replace('{', '{ "fraud_check_fee": 0, '), 'fraud_check_fee: stands there twice'],
    ['no regulated fee', changed(['interchange_fee', 'regulated'], undefined), 'interchange_fee.regulated: '],
    ['a default that is no category', changed(['default_category'], 'grocers'), 'default_category: must be a category'],
    ['a connector of unknown networks', changed(['connector_networks'], { alpha: ['JCB'] }), 'connector_networks.alpha.0: is no network'],
    [
      'a connector in two spellings',
      changed(['connector_networks'], { alpha: [], Alpha: [] }),
      'connector_networks.Alpha: stands there twice',
    ],
    ['a table without end', `${' '.repeat(1024 * 1024)}{}`, 'it is larger than 1048576 bytes'],
  ])('%s is told with its place', (_name, text, problem) => {
    expect(() => parseNetworkFees(text)).toThrow(
      expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(problem) }),
    )
  })
})
