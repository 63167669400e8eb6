import type { FigureSummary } from './statistics.mjs'

export interface WebhookRun {
  readonly p99Ms: number
  readonly count: number
  readonly retries: number
  readonly duplicateCount: number
  readonly counts: { readonly offered: number; readonly refused: number; readonly delivered: number; readonly failed: number }
}
export const measureWebhooks: (options: {
  readonly repeatCount: number
  readonly durationMs: number
  readonly receiverCount?: number
  readonly sickCount?: number
  readonly perSecond?: number
  readonly overdueCount?: number
}) => Promise<{
  readonly runs: readonly { readonly well: WebhookRun; readonly sick: WebhookRun; readonly backlog: WebhookRun }[]
  readonly sickP99Ms: FigureSummary
}>
