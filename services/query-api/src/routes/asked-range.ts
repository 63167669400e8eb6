import { type RangePreset, resolveWindow } from '@switchyard/analytics'
import * as z from 'zod'

/** A range in a body: so long until now, or from one time to another, epoch milliseconds. */
export type AskedRange = RangePreset | { readonly start_ms: number; readonly end_ms: number }

const time = z.number().int().nonnegative()

/** Reads an {@link AskedRange}. */
export const rangeSchema: z.ZodType<AskedRange> = z.union(
  [
    z.enum(['15m', '1h', '12h', '1d', '1w']),
    z.object({ start_ms: time, end_ms: time }).refine(({ start_ms, end_ms }) => start_ms < end_ms, 'end_ms must be above start_ms'),
  ],
  'expected 15m, 1h, 12h, 1d or 1w, or start_ms and end_ms, whole numbers',
)

/** What a range comes to at `now` for a merchant whose history begins at `historySince`, epoch milliseconds; a day when none is asked for. */
export const spanOf = (
  range: AskedRange | null | undefined,
  now: number,
  historySince: number,
): { readonly startMs: number; readonly endMs: number } => {
  const custom = typeof range === 'object' && range !== null ? range : undefined
  const preset = typeof range === 'string' ? range : '1d'
  const { startMs, endMs } = resolveWindow(
    { range: preset, startMs: custom?.start_ms, endMs: custom?.end_ms, bucket: undefined, historySince },
    now,
  )
  return { startMs, endMs }
}
