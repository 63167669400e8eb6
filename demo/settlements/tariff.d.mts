import type { Tariff } from './world.mjs'

/** What a payment costs by part, major units. */
export interface TrueFee {
  readonly interchange: number
  readonly scheme: number
  readonly markup: number
}
/** A price between two amounts. */
export interface TrueLine {
  readonly from: number
  readonly to: number
  readonly pctBps: number
  readonly fixed: number
}
export const feePartsOf: (tariff: Tariff, amount: number) => TrueFee
export const feeOf: (tariff: Tariff, amount: number) => number
export const linesOf: (tariff: Tariff) => readonly TrueLine[]
