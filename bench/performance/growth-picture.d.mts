import type { Metric } from '../verdict.mjs'

export const drawGrowth: (metrics: readonly Metric[]) => string
