import type { TrueFee } from './tariff.mjs'
import type { Account, TrueCluster } from './world.mjs'

export interface SettledPayment {
  readonly index: number
  readonly cluster: TrueCluster
  /** Major units, whole cents. */
  readonly amount: number
  /** With noise. */
  readonly fee: TrueFee
  /** Midnight UTC of its day, epoch milliseconds. */
  readonly dayMs: number
  readonly isRefunded: boolean
  readonly isChargedBack: boolean
}
export interface PaymentOptions {
  readonly seed: number
  readonly account: Account
  readonly count: number
  /** `YYYY-MM-DD` */
  readonly firstDay: string
  readonly dayCount: number
  /** Largest deviation of a fee from its tariff, as a share of the fee (default 0.01). */
  readonly noise?: number
  /** Shares of the payments that are refunded or charged back as well (default none). */
  readonly events?: { readonly refund: number; readonly chargeback: number }
}
export const settledPayments: (options: PaymentOptions) => Generator<SettledPayment>
