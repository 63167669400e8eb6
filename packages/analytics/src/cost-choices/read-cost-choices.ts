import type { ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { COST_CHOICES_PAGE_DOCUMENTS, COST_CHOICES_SCANNED_MAX } from '../limits.ts'
import { matchOf } from '../queries/cells.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from '../queries/freshness.ts'
import type { ScoreQuery } from '../queries/gateway-scores.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { resolveWindow } from '../queries/window.ts'
import { CHOICES_BY_TIME, costChoices, type StoredChoice, type WeighedPayment } from './cost-choices.ts'

/** Payments of a span of time whose approval and cost were weighed. */
export interface CostChoices {
  readonly merchantId: string
  readonly window: AnsweredWindow
  /** Width of a point of a series, milliseconds. */
  readonly bucketMs: number
  /** Those that filters let through. */
  readonly asked: readonly WeighedPayment[]
  /** All of them. */
  readonly all: readonly WeighedPayment[]
  readonly freshness: Freshness
}

/** Reads them, newest first; the freshness says when a limit cut them off. The currency of the query narrows nothing. */
export const readCostChoices = async (store: ReadStore, now: number, merchantId: string, query: ScoreQuery): Promise<CostChoices> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const scope = { gateways: query.gateways, dimensions: { ...query.dimensions, currency: undefined } }
  const asked: WeighedPayment[] = []
  const all: WeighedPayment[] = []
  const range = {
    collection: costChoices.name,
    index: CHOICES_BY_TIME,
    prefix: [keyPart(merchantId)],
    from: window.startMs,
    to: window.endMs,
    order: 'descending',
    documentsMax: COST_CHOICES_SCANNED_MAX,
    pageDocuments: COST_CHOICES_PAGE_DOCUMENTS,
  } as const
  const end = await scan<StoredChoice>(
    store,
    range,
    ({ body }) => body.decidedMs,
    ({ body: { weighed }, position }) => {
      include(positions, position)
      if (weighed === null) return
      all.push(weighed)
      const cell = { ...weighed.cluster, gateway: weighed.gateway, precision: 'full' } as const
      if (matchOf(cell, scope) === 'matches') asked.push(weighed)
    },
  )
  return {
    merchantId,
    window: answeredWindow(window),
    bucketMs: window.bucketMs,
    asked,
    all,
    freshness: freshnessOf(now, { positions, ends: [end] }),
  }
}
