import type { FigureSummary } from './statistics.mjs'

export interface WebhookRun {
  readonly p99Ms: number
  /** New events that arrived at healthy receivers. */
  readonly count: number
  /** New events for healthy receivers that were accepted and did not arrive. */
  readonly lost: number
  readonly accepted: number
  readonly refused: number
  readonly retries: number
  readonly duplicates: number
}
export const measureWebhooks: (options: {
  readonly repeatCount: number
  readonly durationMs: number
  readonly receiverCount: number
  readonly sickCount: number
  readonly perSecond: number
  readonly overdueCount: number
}) => Promise<{
  readonly runs: readonly { readonly well: WebhookRun; readonly sick: WebhookRun; readonly backlog: WebhookRun }[]
  readonly sickP99Ms: FigureSummary
}>
