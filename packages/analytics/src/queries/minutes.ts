import type { ReadStore } from '@switchyard/kernel'
import { MINUTES_PAGE_DOCUMENTS, MINUTES_SCANNED_MAX } from '../limits.ts'
import type { MinuteRollup } from '../rollups/minute-rollup.ts'
import { dayRollups, hourRollups, minuteRollups } from '../rollups/minute-rollups.ts'
import { scanPeriods } from './periods.ts'
import { type IncludedPositions, include } from './scan.ts'
import { createTotals, type RollupTotals } from './totals.ts'
import type { Window } from './window.ts'

/** Minutes of a window added up. */
export interface TotalledMinutes {
  readonly totals: RollupTotals
  /** Whether they are all in it: then all counts are whole. Of the lists `totals` tells it. */
  readonly end: 'complete' | 'truncated'
}

/** Adds the minutes of a window up; `visit` sees each of its periods, newest first. */
export const scanMinutes = async (
  store: ReadStore,
  { merchantId, window }: { readonly merchantId: string; readonly window: Window },
  positions: IncludedPositions,
  visit: (period: MinuteRollup) => void = () => {},
): Promise<TotalledMinutes> => {
  const collections = { minutes: minuteRollups.name, hours: hourRollups.name, days: dayRollups.name }
  const limits = { documentsMax: MINUTES_SCANNED_MAX, pageDocuments: MINUTES_PAGE_DOCUMENTS }
  const totals = createTotals()
  const end = await scanPeriods<MinuteRollup>(store, { collections, merchantId, window, ...limits }, ({ body, position }) => {
    include(positions, position)
    totals.add(body)
    visit(body)
  })
  return { totals: totals.totals(), end }
}
