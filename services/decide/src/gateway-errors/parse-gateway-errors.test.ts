import { describe, expect, test } from '@jest/globals'
import { loadGatewayErrors } from './load-gateway-errors.ts'
import { parseGatewayErrors } from './parse-gateway-errors.ts'

const HEADING =
  'connector,flow,sub_flow,code,message,decision,step_up_possible,clear_pan_possible,alternate_network_possible,unified_code,unified_message,error_category,standardised_code,description,user_guidance_message'
const ROW = 'adyen,Payment,Authorize,5,"Blocked, for good",retry,true,false,false,UE_1000,,,,,'
const tableOf = (...rows: readonly string[]): string => [HEADING, ...rows].join('\n')

describe('the table of gateway errors', () => {
  test('a row becomes a rule; empty texts are null', () => {
    expect(parseGatewayErrors(tableOf(ROW)).rules).toEqual([
      {
        connector: 'adyen',
        flow: 'Payment',
        subFlow: 'Authorize',
        code: '5',
        message: 'Blocked, for good',
        decision: 'retry',
        stepUpPossible: true,
        clearPanPossible: false,
        alternateNetworkPossible: false,
        unifiedCode: 'UE_1000',
        unifiedMessage: null,
        errorCategory: null,
        standardisedCode: null,
        description: null,
        userGuidanceMessage: null,
      },
    ])
  })

  test('no rows: nothing is known', () => {
    expect(parseGatewayErrors(tableOf()).rules).toEqual([])
  })

  test.each([
    ['an empty file', '', 'it has no heading'],
    ['a file of blank lines', '\uFEFF\n\n', 'it has no heading'],
    ['a wrong word', tableOf(ROW, ROW.replace('retry', 'again')), 'row 2: decision: must be retry or do_default'],
    ['no yes or no', tableOf(ROW.replace('true', 'yes')), 'row 1: step_up_possible: must be true or false'],
    ['every code', tableOf(ROW.replace(',5,', ',*,')), 'row 1: code: must name a code'],
    ['no connector', tableOf(ROW.replace('adyen', '')), 'row 1: connector: must not be empty'],
    ['a cell too many', tableOf(`${ROW},more`), 'Invalid Record Length'],
    ['a column twice', `${HEADING},code\n${ROW},6`, 'the heading has code twice'],
    ['another heading without rows', 'connector,payment_method_type\n', 'line 1: flow: '],
    ['a heading without rows that has a column more', `${HEADING},more`, 'line 1: Unrecognized key: "more"'],
    ['a missing column', 'connector,code\nadyen,5', 'row 1: flow'],
    ['an unknown column', `${HEADING},more\n${ROW},x`, 'row 1: Unrecognized key: "more"'],
  ])('%s is refused by its place', (_name, csv, says) => {
    expect(() => parseGatewayErrors(csv)).toThrow(says)
  })

  test('the curated table: every rule has a verdict, and both kinds are there', () => {
    const { rules, classify } = loadGatewayErrors(undefined)
    expect(rules.length).toBeGreaterThan(24)
    expect(new Set(rules.map(({ decision }) => decision))).toEqual(new Set(['retry', 'do_default']))
    const error = {
      flow: '',
      subFlow: '',
      errorCode: 'expired_card',
      errorMessage: 'Your card has expired.',
      issuerErrorCode: null,
      cardNetwork: null,
    }
    expect(classify('stripe', error)).toMatchObject({ decision: 'do_default', unifiedCode: 'UE_1000' })
  })

  test('what is wrong in it is told with the setting that names the file', () => {
    expect(() => parseGatewayErrors('')).toThrow(
      'SWITCHYARD_GATEWAY_ERRORS_FILE: the table of gateway errors is not valid: it has no heading',
    )
  })

  test('a file that is not there is named', () => {
    expect(() => loadGatewayErrors('/nowhere/errors.csv')).toThrow("/nowhere/errors.csv can't be read")
  })
})
