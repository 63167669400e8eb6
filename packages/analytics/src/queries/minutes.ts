import type { ReadStore } from '@switchyard/kernel'
import { MINUTES_PAGE_DOCUMENTS, MINUTES_SCANNED_MAX } from '../limits.ts'
import { type MinuteRollup, minuteRollups } from '../rollups/minute-rollups.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
import { createTotals, type RollupTotals } from './totals.ts'
import type { Window } from './window.ts'

/** Minutes of a window added up, and whether they are all in it. */
export interface TotalledMinutes {
  readonly totals: RollupTotals
  readonly end: 'complete' | 'truncated'
}

/** Adds the minutes of a window up. */
export const scanMinutes = async (
  store: ReadStore,
  merchantId: string,
  window: Window,
  positions: IncludedPositions,
): Promise<TotalledMinutes> => {
  const totals = createTotals()
  const range = {
    collection: minuteRollups.name,
    prefix: [merchantId],
    from: window.firstMinuteMs,
    to: window.lastMinuteMs,
    order: 'descending',
    documentsMax: MINUTES_SCANNED_MAX,
    pageDocuments: MINUTES_PAGE_DOCUMENTS,
  } as const
  const end = await scan<MinuteRollup>(
    store,
    range,
    ({ body }) => body.minuteMs,
    ({ body, position }) => {
      include(positions, position)
      totals.add(body)
    },
  )
  const sums = totals.totals()
  return { totals: sums, end: sums.end === 'truncated' ? 'truncated' : end }
}
