import { BPS } from '../fit/line.ts'
import {
  CONTRACT_RATE_COUNT_MAX,
  type ContractedPayment,
  type ContractRate,
  contractRateFor,
  feeOfRate,
  ratesByGateway,
} from './contract-rates.ts'
import { effectiveBps } from './price-curve.ts'

/** What is wrong with a table of rates; `row` counts from 0. */
export type ContractProblem =
  | { readonly problem: 'too-many-rates'; readonly max: number }
  | { readonly problem: 'blank-gateway' | 'shares-too-large'; readonly row: number }
  | { readonly problem: 'not-a-fee'; readonly row: number; readonly field: 'interchangeBps' | 'schemeBps' | 'markupBps' | 'fixed' }

/** What a payment would cost by contract. */
export interface SimulatedCost {
  readonly gateway: string
  readonly rate: ContractRate
  readonly effectivePctBps: number
  /** With the fixed part, bps of the amount. */
  readonly effectiveCostBps: number
  /** Major units. */
  readonly costAmount: number
}

const FEES = ['interchangeBps', 'schemeBps', 'markupBps', 'fixed'] as const

/** Whether someone may set such a fee: finite and not below zero (cost.md 12). */
export const isFee = (value: number): boolean => Number.isFinite(value) && value >= 0

/** Each of them a number, and none together. */
const isTooLarge = (rate: ContractRate): boolean => FEES.every((field) => isFee(rate[field])) && !Number.isFinite(feeOfRate(rate).pctBps)

/** All that is wrong with a table of contract rates (cost.md 13). */
export const contractProblems = (rates: readonly ContractRate[]): readonly ContractProblem[] => {
  if (rates.length > CONTRACT_RATE_COUNT_MAX) return [{ problem: 'too-many-rates', max: CONTRACT_RATE_COUNT_MAX }]
  return rates.flatMap((rate, row): readonly ContractProblem[] => [
    ...(rate.gateway.trim() === '' ? [{ problem: 'blank-gateway' as const, row }] : []),
    ...FEES.filter((field) => !isFee(rate[field])).map((field) => ({ problem: 'not-a-fee' as const, row, field })),
    ...(isTooLarge(rate) ? [{ problem: 'shares-too-large' as const, row }] : []),
  ])
}

/** What a payment of an amount above zero would cost by contract on these gateways, or on all of the table, in its order. */
export const simulateContract = (
  rates: readonly ContractRate[],
  payment: ContractedPayment,
  amount: number,
  gateways: readonly string[],
): readonly SimulatedCost[] => {
  const asked = new Set(gateways.map((gateway) => gateway.toLowerCase()))
  return [...ratesByGateway(rates)].flatMap(([gateway, own]) => {
    const rate = asked.size === 0 || asked.has(gateway) ? contractRateFor(own, payment) : undefined
    if (rate === undefined) return []
    const fee = feeOfRate(rate)
    const effectiveCostBps = effectiveBps(fee, amount)
    return [{ gateway: rate.gateway, rate, effectivePctBps: fee.pctBps, effectiveCostBps, costAmount: (effectiveCostBps / BPS) * amount }]
  })
}
