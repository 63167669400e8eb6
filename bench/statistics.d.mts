export interface FigureSummary {
  readonly median: number
  readonly min: number
  readonly max: number
}
export const quantile: (sorted: ArrayLike<number>, share: number) => number
export const median: (values: readonly number[]) => number
export const summaryOf: (values: readonly number[]) => FigureSummary
export const spreadOf: (summary: FigureSummary) => number
