import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { DAY_MS, HOUR_MS, MINUTE_MS, periodOf } from '../keys.ts'
import { scan } from './scan.ts'
import type { Window } from './window.ts'

/** The same figures by the minute, the hour and the day. */
interface Periods {
  readonly minutes: string
  readonly hours: string
  readonly days: string
}

/** Part of a window, made up of whole periods of one width. */
interface Segment {
  readonly of: keyof Periods
  /** Starts of the first and of the last period, epoch milliseconds. */
  readonly firstMs: number
  readonly lastMs: number
}

/** Widths, the widest first. */
const WIDTHS: readonly (readonly [of: keyof Periods, widthMs: number])[] = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
]

/** The time from `startMs` to before `endMs` in periods as wide as the points of a series allow; newest first. */
const split = (startMs: number, endMs: number, bucketMs: number, widths = WIDTHS): readonly Segment[] => {
  const [widest, ...narrower] = widths
  if (startMs >= endMs || widest === undefined) return []
  const [of, widthMs] = widest
  const firstMs = periodOf(startMs + widthMs - 1, widthMs)
  const behindMs = periodOf(endMs, widthMs)
  if (widthMs > bucketMs || firstMs >= behindMs) return split(startMs, endMs, bucketMs, narrower)
  return [
    ...split(behindMs, endMs, bucketMs, narrower),
    { of, firstMs, lastMs: behindMs - widthMs },
    ...split(startMs, firstMs, bucketMs, narrower),
  ]
}

/** The minutes of a window in periods that are no wider than the points of its series. */
export const segmentsOf = ({ firstMinuteMs, lastMinuteMs, bucketMs }: Window): readonly Segment[] =>
  split(firstMinuteMs, lastMinuteMs + MINUTE_MS, bucketMs)

/** What is read of a merchant, and how much of it at most. */
export interface PeriodScan {
  readonly collections: Periods
  readonly merchantId: string
  readonly window: Window
  /** Most documents of one segment. */
  readonly documentsMax: number
  readonly pageDocuments: number
}

/** Visits the periods of a window, newest first; `truncated` when a limit cut them off. */
export const scanPeriods = async <Body extends { readonly minuteMs: number }>(
  store: ReadStore,
  { collections, merchantId, window, ...limits }: PeriodScan,
  visit: (document: StoredDocument<Body>) => void,
): Promise<'complete' | 'truncated'> => {
  for (const { of, firstMs, lastMs } of segmentsOf(window)) {
    const range = { collection: collections[of], prefix: [merchantId], from: firstMs, to: lastMs, order: 'descending', ...limits } as const
    const end = await scan<Body>(store, range, ({ body }) => body.minuteMs, visit)
    if (end === 'truncated') return end
  }
  return 'complete'
}
