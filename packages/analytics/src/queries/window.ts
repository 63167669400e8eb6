import { minuteOf } from '../keys.ts'
import { MINUTES_KEPT_MS } from '../limits.ts'

/** Preset lengths of a window. */
export type RangePreset = '15m' | '1h' | '12h' | '1d' | '1w'

/** Widths of the points of a series that can be asked for. */
export type BucketWidth = '1m' | '5m' | '15m' | '1h' | '1d'

const SECOND_MS = 1_000
const MINUTE = 60 * SECOND_MS
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const PRESETS_MS: Readonly<Record<RangePreset, number>> = { '15m': 15 * MINUTE, '1h': HOUR, '12h': 12 * HOUR, '1d': DAY, '1w': 7 * DAY }
const BUCKETS_MS: Readonly<Record<BucketWidth, number>> = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '1d': DAY }

/** Longest look-back of a window, milliseconds. */
export const LOOKBACK_MAX_MS: number = MINUTES_KEPT_MS

/** What a caller says about the time of interest; undefined where nothing was said. */
export interface WindowQuery {
  readonly range: RangePreset
  /** Epoch milliseconds. */
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  readonly bucket: BucketWidth | undefined
  /** When the merchant's history begins, epoch milliseconds: windows don't reach behind it. */
  readonly historySince: number
}

/** A resolved window, both ends included. */
export interface Window {
  /** `custom`, or the preset. */
  readonly label: RangePreset | 'custom'
  readonly startMs: number
  readonly endMs: number
  /** First and last minute that are read: the window in whole minutes. An end on a full minute that is past ends before that minute. */
  readonly firstMinuteMs: number
  readonly lastMinuteMs: number
  /** Width of a point of a series, milliseconds; points begin at multiples of it (UTC). */
  readonly bucketMs: number
}

/** The last minute that is read of what ends then: an end on a full minute, if it is past, is before that minute. Epoch milliseconds. */
export const lastMinuteOf = (endMs: number, now: number): number => minuteOf(endMs < now ? endMs - 1 : endMs)

const bucketFor = (lengthMs: number): number => {
  if (lengthMs <= 15 * MINUTE) return MINUTE
  if (lengthMs <= HOUR) return 5 * MINUTE
  return lengthMs <= DAY ? HOUR : DAY
}

interface CustomPair {
  readonly startMs: number
  readonly endMs: number
}

const customPair = ({ startMs, endMs }: WindowQuery): CustomPair | undefined =>
  startMs !== undefined && endMs !== undefined && startMs >= 0 && endMs > startMs ? { startMs, endMs } : undefined

/**
 * Window and width of points (analytics.md 1.3). A custom window needs both ends; one that lies in the future stays where
 * it is, and is empty. `now` in epoch milliseconds.
 */
export const resolveWindow = (query: WindowQuery, now: number): Window => {
  const custom = customPair(query)
  const isFuture = custom !== undefined && custom.startMs > now
  const endMs = custom === undefined ? now : isFuture ? custom.endMs : Math.min(custom.endMs, now)
  const wishedMs = custom === undefined ? endMs - PRESETS_MS[query.range] : custom.startMs
  const startMs = Math.max(wishedMs, endMs - LOOKBACK_MAX_MS, Math.min(query.historySince, endMs))
  // A preset has its own points, also where the history of the merchant begins within it.
  const lengthMs = custom === undefined ? PRESETS_MS[query.range] : endMs - startMs
  return {
    label: custom === undefined ? query.range : 'custom',
    startMs,
    endMs,
    firstMinuteMs: minuteOf(startMs),
    lastMinuteMs: Math.max(minuteOf(startMs), lastMinuteOf(endMs, now)),
    bucketMs: query.bucket === undefined ? bucketFor(lengthMs) : BUCKETS_MS[query.bucket],
  }
}

/** Start of the point of a series that a time belongs to, epoch milliseconds. */
export const bucketOf = (at: number, bucketMs: number): number => Math.floor(at / bucketMs) * bucketMs
