import type { Metric } from '../verdict.mjs'

export interface Deployment {
  readonly cellCount: number
  readonly perCell: number
  readonly foldingShare: number
  readonly answeringCores: number
  readonly deciderCount: number
  readonly projectorCount: number
  readonly partitionCount: number
}
export const deploymentFor: (
  facts: { readonly decisions: number; readonly outcomes: number; readonly folded: number; readonly projected: number },
  rate: number,
) => Deployment
export const sizingLines: (metrics: readonly Metric[]) => readonly string[]
