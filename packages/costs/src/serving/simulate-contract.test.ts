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
  test('shares that are numbers each, and none together, are refused: tables and simulations told of a cost that is null', () => {
    const [large, half] = [Number.MAX_VALUE, Number.MAX_VALUE / 2]
    expect(contractProblems([rate(), rate({ interchangeBps: large, schemeBps: large })])).toEqual([{ problem: 'shares-too-large', row: 1 }])
    expect(contractProblems([rate({ interchangeBps: half, schemeBps: half, markupBps: 0 }), rate({ fixed: large })])).toEqual([])
    expect(contractProblems([rate({ interchangeBps: large, schemeBps: large, markupBps: -1 })])).toEqual([
      { problem: 'not-a-fee', row: 0, field: 'markupBps' },
    ])
  })
})
