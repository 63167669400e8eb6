const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SPAN = /^(\d{1,9})([smhd])$/
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Whether the calendar has the day that a date begins with: the engine takes the 30th of February for the 2nd of March. */
const isOfCalendar = (date: string): boolean => {
  const day = date.slice(0, 'YYYY-MM-DD'.length)
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Epoch milliseconds of a span back from `now` (`90s`, `15m`, `2h`, `7d`) or of a date (RFC 3339, or a day of UTC); undefined when it is neither. */
export const parseTime = (text: string, now: number): number | undefined => {
  const [, length, unit = ''] = SPAN.exec(text) ?? []
  if (length !== undefined) return now - Number(length) * (UNIT_MS[unit] ?? 0)
  const time = DATE.test(text) && isOfCalendar(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
