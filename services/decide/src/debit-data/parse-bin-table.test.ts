import { describe, expect, test } from '@jest/globals'
import { firstBin, lastBin } from './bin-row.ts'
import { loadDebitData } from './load-debit-data.ts'
import { parseBinTable } from './parse-bin-table.ts'

const HEADING = 'card_bin_min,card_bin_max,card_network,issuer_country,card_type,is_regulated,regulated_name,is_prepaid,pan_or_token'
const ROW = '4571730000000000000,4571739999999999999,VISA,US,debit,true,,false,pan'
const tableOf = (...rows: readonly string[]) => parseBinTable(Buffer.from([HEADING, ...rows].join('\n')))

describe('the BIN table of a deployment', () => {
  test('rows become networks of a card, in their order', () => {
    const table = tableOf(ROW, ROW.replace('VISA', 'Star'), ROW.replace('VISA', 'nyce').replace(',debit,', ',DEBIT,'))
    expect(table.cardOf('457173')).toMatchObject({ card: { networks: ['VISA', 'STAR', 'NYCE'], issuerCountry: 'US', isRegulated: true } })
  })

  test('rows of networks that are none of the nine are not read', () => {
    expect(tableOf(ROW, ROW.replace('VISA', 'DISCOVER'))).toMatchObject({ rowCount: 1 })
  })

  test('columns stand in any order, others beside them; texts may be quoted', () => {
    const heading = `provider,${HEADING.split(',').toReversed().join()}`
    const row = 'x,pan,false,"Name, with ""quotes""",true,debit,US,VISA,457173,457173'
    expect(parseBinTable(Buffer.from(`\uFEFF${heading}\r\n${row}\r\n`)).cardOf('45717312')).toMatchObject({
      card: { regulatedName: 'Name, with "quotes"' },
    })
  })

  test.each([
    ['457173', 45717300, 45717399],
    ['4571730000000000000', 45717300, 45717300],
    ['4571730500000000000', 45717305, 45717305],
    ['4571730000000000001', 45717301, 45717300],
    ['4571739999999999999', 45717400, 45717399],
    ['9999999999999999999', 100000000, 99999999],
    ['45717', undefined, undefined],
    ['45717300000000000000', undefined, undefined],
    ['457173x', undefined, undefined],
  ])('a range that begins or ends at %s', (digits, first, last) => {
    expect([firstBin(digits), lastBin(digits)]).toEqual([first, last])
  })

  test('a range in which no BIN of eight digits begins can not be found', () => {
    const inside = ROW.replace('4571730000000000000', '4571730000000000001').replace('4571739999999999999', '4571730099999999999')
    expect(tableOf(inside)).toMatchObject({ rowCount: 0 })
  })

  test.each([
    ['a bad end', ROW.replace('4571730000000000000', '45'), 'line 3: card_bin_min: must be 6 to 19 digits'],
    ['another', ROW.replace('4571739999999999999', 'x'), 'line 3: card_bin_max: must be 6 to 19 digits'],
    ['ends turned round', ROW.replace('4571739999999999999', '457172'), 'line 3: card_bin_max: is less than card_bin_min'],
    ['no network', ROW.replace('VISA', ''), 'line 3: card_network: must not be empty'],
    ['no country', ROW.replace('US', 'us'), 'line 3: issuer_country: must be an ISO 3166 alpha-2 code or empty'],
    ['no kind of card', ROW.replace('debit', ''), 'line 3: card_type: must not be empty'],
    ['no yes or no', ROW.replace('true', 'yes'), 'line 3: is_regulated: must be true, false or empty'],
    ['no yes or no about prepaid', ROW.replace('false', ''), 'line 3: is_prepaid: must be true or false'],
    ['neither cards nor tokens', ROW.replace('pan', 'both'), 'line 3: pan_or_token: must be pan or token'],
    ['a long name', ROW.replace('true,,', `true,${'x'.repeat(256)},`), 'line 3: regulated_name: must be at most 255 characters long'],
    ['a cell too few', '1,2', 'line 3'],
  ])('%s is told with its line', (_name, row, problem) => {
    expect(() => tableOf(ROW, row)).toThrow(expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(problem) }))
  })

  test('a missing column, no CSV at all, and too many rows over one BIN are told', () => {
    expect(() => parseBinTable(Buffer.from('a,b\n1,2'))).toThrow('the heading lacks card_bin_min')
    expect(() => parseBinTable(Buffer.from(`${HEADING},card_network`))).toThrow('the heading has card_network twice')
    expect(() => parseBinTable(Buffer.from('"a'))).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }))
    expect(() => tableOf(...Array.from({ length: 65 }, () => ROW))).toThrow('line 66: more than 64 rows cover the BIN 45717300')
  })

  test.each(['', '\n\n', '\uFEFF'])('a table without a heading, %j, is none of no BINs', (text) => {
    expect(() => parseBinTable(Buffer.from(text))).toThrow('SWITCHYARD_BIN_TABLE_FILE: the BIN table is not valid: it has no heading')
  })

  test('what comes with the release: the numbers of network.md 5, and no BINs', () => {
    const { networkFees, binTable } = loadDebitData({ networkFees: undefined, binTable: undefined })
    expect(binTable.rowCount).toBe(0)
    expect(networkFees).toMatchObject({ fraudCheckFee: 1, defaultCategory: 'merchant_category_code_0001', crossBorderSavings: true })
  })

  test('files that are not there are told with their setting', () => {
    expect(() => loadDebitData({ networkFees: '/none', binTable: undefined })).toThrow('SWITCHYARD_NETWORK_FEES_FILE: /none')
    expect(() => loadDebitData({ networkFees: undefined, binTable: '/none' })).toThrow('SWITCHYARD_BIN_TABLE_FILE: /none')
  })
})
