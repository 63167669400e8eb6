import type { FigureSummary } from './statistics.mjs'
import type { Metric } from './verdict.mjs'

export interface SideFigures {
  readonly perSecond: FigureSummary
  readonly p50Ms: FigureSummary
  readonly p99Ms: FigureSummary
}
export interface HttpFigures {
  readonly system: SideFigures
  readonly reference: SideFigures
  readonly throughputRatio: FigureSummary
  readonly tailRatio: FigureSummary
  readonly settledMs: FigureSummary
  /** Microseconds; not a number where it can't be read. */
  readonly cpuUs: FigureSummary
}
export interface ReplayFigures {
  readonly throughputRatio: FigureSummary
  readonly perSecond: FigureSummary
  readonly referencePerSecond: FigureSummary
  readonly liveGrowth: FigureSummary
  readonly privateMaxMb: FigureSummary
  readonly rssMaxMb: FigureSummary
}
export interface IngestionFigures {
  readonly throughputRatio: FigureSummary
  readonly perCoreSecond: FigureSummary
  readonly perSecond: FigureSummary
  readonly referencePerCoreSecond: FigureSummary
  readonly memoryMb: FigureSummary
  readonly growth: FigureSummary
}
export interface KafkaLogFigures {
  readonly batchesRatio: FigureSummary
  readonly singlesRatio: FigureSummary
  readonly batchesPerSecond: FigureSummary
  readonly singlesPerSecond: FigureSummary
  readonly referencePerSecond: FigureSummary
}
export const httpMetrics: (
  benchmark: string,
  targets: { readonly throughputTarget: number | null; readonly tailTarget: number | null },
  figures: HttpFigures,
) => readonly Metric[]
export const replayMetrics: (
  benchmark: string,
  targets: { readonly rateTarget: number | null; readonly growthTarget: number | null },
  figures: ReplayFigures,
) => readonly Metric[]
export const ingestionMetrics: (
  benchmark: string,
  targets: { readonly rateTarget: number; readonly memoryTarget: number; readonly growthTarget: number },
  figures: IngestionFigures,
) => readonly Metric[]
export const kafkaLogMetrics: (
  benchmark: string,
  targets: { readonly throughputTarget: number | null },
  figures: KafkaLogFigures,
) => readonly Metric[]
export interface CostFigures {
  readonly lookupUs: FigureSummary
  readonly compileMs: FigureSummary
  readonly swapMs: FigureSummary
  readonly stallMs: FigureSummary
  readonly weighing: HttpFigures
}
export const costMetrics: (
  benchmark: string,
  targets: { readonly lookupTarget: number; readonly compileTarget: number; readonly throughputTarget: number },
  figures: CostFigures,
) => readonly Metric[]
export interface RuleFigures {
  readonly manyUs: FigureSummary
  readonly fewUs: FigureSummary
  readonly growth: FigureSummary
}
export const ruleMetrics: (
  benchmark: string,
  targets: { readonly timeTarget: number; readonly growthTarget: number },
  figures: Readonly<Record<string, RuleFigures>>,
) => readonly Metric[]
