import type { Ledger } from './ledger.mjs'
import type { Market } from './market.mjs'

export interface ShareBucket {
  readonly from: number
  readonly to: number
  readonly shares: readonly number[]
}
export interface ScoreBucket {
  readonly from: number
  readonly to: number
  readonly scores: readonly number[]
  readonly trueRates: readonly number[]
}
export const shareSeries: (ledger: Ledger, bucketSize: number) => readonly ShareBucket[]
export const scoreSeries: (
  market: Market,
  ledger: Ledger,
  options: { readonly methodKey: string; readonly bucketSize: number },
) => readonly ScoreBucket[]
