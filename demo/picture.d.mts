import type { ScoreBucket, ShareBucket } from './series.mjs'

export interface Point {
  readonly x: number
  readonly y: number
}
export const scaleOf: (from: number, to: number, start: number, end: number) => (value: number) => number
export const pathOf: (points: readonly Point[]) => string
export const spreadLabels: <Label extends { readonly y: number }>(
  labels: readonly Label[],
  options: { readonly gap: number; readonly top: number; readonly bottom: number },
) => readonly Label[]
export const drawPicture: (run: {
  readonly paymentCount: number
  readonly subtitle: string
  readonly scoreTitle: string
  readonly scores: readonly ScoreBucket[]
  readonly shares: readonly ShareBucket[]
}) => string
