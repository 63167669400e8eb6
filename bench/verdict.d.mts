import type { FigureSummary } from './statistics.mjs'

export interface Metric extends FigureSummary {
  readonly benchmark: string
  readonly name: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** Related to the reference of the same run, so that it can be compared between machines and days. */
  readonly isRatio: boolean
  readonly target: number | null
  /** Where the figure stands on a curve. */
  readonly point?: { readonly axis: string; readonly count: number; readonly line: string }
}
export interface BenchResult {
  readonly metrics: readonly Metric[]
}
export interface ComparisonRow {
  readonly benchmark: string
  readonly name: string
  readonly now: number
  readonly before: number
  readonly status: 'same' | 'better' | 'worse' | 'new' | 'missing'
  /** Share lost against the baseline; negative when it gained. */
  readonly lossShare: number
}
export const NOISE_SHARE: number
export const compareResults: (result: BenchResult, baseline: BenchResult) => { readonly rows: readonly ComparisonRow[]; readonly isWorse: boolean }
export const reachesTarget: (metric: Metric) => boolean | null
export interface TargetRow extends Metric {
  readonly target: number
  readonly status: 'reached' | 'missed' | 'lost'
}
export const judgeTargets: (result: BenchResult, baseline: BenchResult) => { readonly rows: readonly TargetRow[]; readonly isLost: boolean }
