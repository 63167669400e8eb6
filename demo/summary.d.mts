import type { Ledger } from './ledger.mjs'
import type { Market } from './market.mjs'

export interface GatewayRow {
  readonly phase: string
  readonly gateway: string
  readonly paymentCount: number
  readonly share: number
  readonly approvalRate: number
  readonly scores: readonly { readonly method: string; readonly score: number; readonly trueRate: number }[]
}
export interface ComparisonRow {
  readonly name: string
  readonly rates: readonly number[]
  readonly approvalCount: number
  readonly rate: number
}
export interface Summary {
  readonly rows: readonly GatewayRow[]
  readonly comparison: readonly ComparisonRow[]
  readonly answeredCount: number
  readonly unansweredCount: number
  readonly exploredShare: number
}
export const ROUTER_NAME: string
export const summarise: (market: Market, ledger: Ledger) => Summary
