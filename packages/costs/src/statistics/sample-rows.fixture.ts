import type { FeeTotal, SettledPayment } from '../reports/canonical-row.ts'
import type { Contribution } from './contribution.ts'
import { type RolledUp, RollUp } from './roll-up.ts'

/** A day in 2026. */
export const DAY = 20_500

/** A settled payment of Visa debit in euro. */
export const paymentRow = (gross: number, totalFee: number, changes: Partial<SettledPayment> = {}): SettledPayment => ({
  type: 'payment',
  reference: '',
  cardNetwork: 'visa',
  variant: 'visastandarddebit',
  funding: 'debit',
  issuerCountry: 'NL',
  currency: 'EUR',
  interchangeCategory: 'Consumer Debit',
  interchangeRate: '',
  day: DAY,
  channel: 'ecom',
  gross,
  totalFee,
  interchange: totalFee,
  schemeFee: 0,
  markup: 0,
  commission: 0,
  bin: '',
  ...changes,
})

/** A fee of a month. */
export const totalRow = (changes: Partial<FeeTotal> = {}): FeeTotal => ({
  type: 'total',
  cardNetwork: 'visa',
  variant: 'visa',
  funding: 'debit',
  issuerCountry: '',
  currency: 'EUR',
  interchangeCategory: '',
  day: DAY,
  channel: 'ecom',
  feeName: 'scheme',
  turnover: 10_000,
  cost: 150,
  fixedCost: 30,
  count: 300,
  ...changes,
})

/** Rolls rows up. */
export const rolledUp = (rows: readonly (SettledPayment | FeeTotal)[]): RolledUp => {
  const rollUp = new RollUp(() => undefined, DAY)
  for (const row of rows) rollUp.take(row)
  return rollUp.finish()
}

/** An ingestion of rows; its sequence is its id. */
export const contributionOf = (
  sequence: number,
  rows: readonly (SettledPayment | FeeTotal)[],
  covers: Contribution['covers'] = 'whole-days',
): Contribution => ({ ingestionId: `i${sequence}`, sequence, covers, ...rolledUp(rows) })
