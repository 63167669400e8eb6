import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { DAY_MS, HOUR_MS, MINUTE_MS, periodOf } from '../keys.ts'
import { DAYS_BY_HOURS_MAX } from '../limits.ts'
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

interface PeriodBody {
  /** Start of the period, epoch milliseconds. */
  readonly minuteMs: number
}

const scanSegment = <Body extends PeriodBody>(
  store: ReadStore,
  { collections, merchantId, window: _, ...limits }: PeriodScan,
  { of, firstMs, lastMs }: Segment,
  visit: (document: StoredDocument<Body>) => void,
): Promise<'complete' | 'truncated'> => {
  const range = { collection: collections[of], prefix: [merchantId], from: firstMs, to: lastMs, order: 'descending', ...limits } as const
  return scan<Body>(store, range, ({ body }) => body.minuteMs, visit)
}

const hoursOf = (dayMs: number): Segment => ({ of: 'hours', firstMs: dayMs, lastMs: dayMs + DAY_MS - HOUR_MS })

/**
 * Visits the periods of a window, newest first; `truncated` when a limit cut them off. Days that are not clear come last, by their hours: the
 * newest {@link DAYS_BY_HOURS_MAX} of them.
 */
export const scanPeriods = async <Body extends PeriodBody>(
  store: ReadStore,
  periods: PeriodScan,
  visit: (document: StoredDocument<Body>) => void,
  isClear: (body: Body) => boolean = () => true,
): Promise<'complete' | 'truncated'> => {
  const days: number[] = []
  const visitDay = (document: StoredDocument<Body>): void => {
    if (days.length < DAYS_BY_HOURS_MAX && !isClear(document.body)) days.push(document.body.minuteMs)
    else visit(document)
  }
  for (const segment of segmentsOf(periods.window)) {
    const end = await scanSegment(store, periods, segment, segment.of === 'days' ? visitDay : visit)
    if (end === 'truncated') return end
  }
  for (const day of days) await scanSegment(store, periods, hoursOf(day), visit)
  return 'complete'
}
