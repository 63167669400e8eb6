import { describe, expect, test } from '@jest/globals'
import type { OutcomeError } from '@switchyard/events'
import { createGatewayErrorTable, type GatewayErrorRule, isPayersError } from './gateway-error-table.ts'

const says = {
  decision: 'do_default',
  stepUpPossible: false,
  clearPanPossible: false,
  alternateNetworkPossible: false,
  unifiedCode: null,
  unifiedMessage: null,
  errorCategory: null,
  standardisedCode: null,
  description: null,
  userGuidanceMessage: null,
}
const rule = (unifiedCode: string, change: Partial<GatewayErrorRule>): GatewayErrorRule => ({
  ...says,
  connector: '*',
  flow: '*',
  subFlow: '*',
  code: 'x',
  message: '*',
  unifiedCode,
  ...change,
})
const error = (change: Partial<OutcomeError> = {}): OutcomeError => ({
  flow: 'Payment',
  subFlow: 'Authorize',
  errorCode: '5',
  errorMessage: 'Blocked',
  issuerErrorCode: null,
  cardNetwork: null,
  ...change,
})

const table = createGatewayErrorTable([
  rule('ANY_5', { code: '5' }),
  rule('ADYEN_5', { connector: 'adyen', code: '5' }),
  rule('EXACT_5', { connector: 'adyen', flow: 'Payment', subFlow: 'Authorize', code: '5', message: 'Blocked' }),
  rule('EXACT_5_LATER', { connector: 'adyen', flow: 'Payment', subFlow: 'Authorize', code: '5', message: 'Blocked' }),
  rule('VISA_05', { code: 'Network:VISA|IssuerCode:05' }),
  rule('MC_05', { code: 'Network:MASTERCARD|IssuerCode:05', message: 'Network:MASTERCARD|IssuerCode:05' }),
])

describe('classification of errors', () => {
  test.each([
    ['the row with the fewest wildcards, the earliest of equals', 'adyen', {}, 'EXACT_5'],
    ['another message', 'adyen', { errorMessage: 'blocked' }, 'ADYEN_5'],
    ['no flow', 'adyen', { flow: '', subFlow: '' }, 'ADYEN_5'],
    ['another gateway', 'stripe', {}, 'ANY_5'],
    ['an account of the gateway', 'adyen:eu', {}, 'EXACT_5'],
    ['a name in other letters', 'Adyen', {}, 'ANY_5'],
    ['the answer of the issuer first, padded to two digits', 'adyen', { cardNetwork: 'VISA', issuerErrorCode: '5' }, 'VISA_05'],
    ['its message is its code', 'adyen', { cardNetwork: 'MASTERCARD', issuerErrorCode: '05' }, 'MC_05'],
    ['an issuer code that is unknown: the code of the gateway', 'stripe', { cardNetwork: 'VISA', issuerErrorCode: '51' }, 'ANY_5'],
    ['a network without an issuer code', 'stripe', { cardNetwork: 'VISA' }, 'ANY_5'],
    ['an unknown code', 'adyen', { errorCode: '6' }, undefined],
    ['no code', 'adyen', { errorCode: null }, undefined],
  ] as const)('%s', (_name, gateway, change, unifiedCode) => {
    expect(table.classify(gateway, error(change))?.unifiedCode).toBe(unifiedCode)
  })

  test('what a row says is told without what it is about', () => {
    expect(createGatewayErrorTable([rule('U', { code: '5' })]).classify('adyen', error())).toEqual({ ...says, unifiedCode: 'U' })
  })
})

test.each([
  [{ stepUpPossible: true }, true],
  [{ unifiedMessage: 'Issue with Payment Method details' }, true],
  [{ unifiedMessage: 'Issue with payment method details' }, false],
  [{ unifiedMessage: 'Technical issue with PSP' }, false],
])('%j says nothing about the gateway: %s', (change, expected) => {
  expect(isPayersError({ ...says, ...change })).toBe(expected)
})
