import { describe, expect, test } from '@jest/globals'
import { CONTRACT_RATE_COUNT_MAX, type ContractRate } from './contract-rates.ts'
import { contractProblems, simulateContract } from './simulate-contract.ts'

const rate = (changes: Partial<ContractRate> = {}): ContractRate => ({
  gateway: 'stripe',
  network: null,
  funding: null,
  program: null,
  currency: null,
  issuer: null,
  interchangeBps: 100,
  schemeBps: 10,
  markupBps: 20,
  fixed: 0.3,
  ...changes,
})
const PAYMENT = { network: 'visa', funding: 'debit', program: '', currency: 'EUR', issuerCountry: 'NL' }

describe('contract rates (cost.md 13)', () => {
  test('a payment of 60', () => {
    expect(simulateContract([rate(), rate({ gateway: 'adyen', network: 'mc' })], PAYMENT, 60, [])).toEqual([
      { gateway: 'stripe', rate: rate(), effectivePctBps: 130, effectiveCostBps: 180, costAmount: expect.closeTo(1.08, 9) },
    ])
  })
  test('on some gateways, in the order of the table', () => {
    const table = [rate({ gateway: 'Stripe' }), rate({ gateway: 'adyen' }), rate({ gateway: 'chase' })]
    expect(simulateContract(table, PAYMENT, 60, ['CHASE', 'stripe']).map(({ gateway }) => gateway)).toEqual(['Stripe', 'chase'])
  })
  test('every mistake is told', () => {
    expect(contractProblems([rate(), rate({ gateway: ' ', fixed: -1 }), rate({ markupBps: Number.NaN })])).toEqual([
      { problem: 'blank-gateway', row: 1 },
      { problem: 'not-a-fee', row: 1, field: 'fixed' },
      { problem: 'not-a-fee', row: 2, field: 'markupBps' },
    ])
    expect(contractProblems(Array(CONTRACT_RATE_COUNT_MAX + 1).fill(rate()))).toEqual([{ problem: 'too-many-rates', max: 1000 }])
    expect(contractProblems([])).toEqual([])
  })
})
