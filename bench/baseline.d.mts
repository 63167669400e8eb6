import type { BenchResult } from './verdict.mjs'

export interface Machine {
  readonly cpu: string
  readonly coreCount: number
  readonly memoryGb: number
  readonly node: string
}
/** When and where a benchmark was measured. */
export interface Circumstances {
  readonly at: string
  readonly machine: Machine
  readonly settings: object
}
export interface StoredResult extends BenchResult, Circumstances {
  /** Cores that others kept busy in front of each benchmark. */
  readonly busyBefore?: Readonly<Record<string, number>>
}
export interface StoredBaseline extends BenchResult {
  readonly taken: Readonly<Record<string, Circumstances & { readonly busyBefore?: number | null }>>
}
/** By kind of machine, that of the page first. */
export type Baselines = Readonly<Record<string, StoredBaseline>>

export const kindOf: (machine: Machine) => string
export const baselineOf: (baselines: Baselines, kind: string) => StoredBaseline
export const mainBaseline: (baselines: Baselines) => StoredBaseline
export const withResult: (baselines: Baselines, result: StoredResult) => Baselines
