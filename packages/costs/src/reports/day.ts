const MS_PER_DAY = 86_400_000
const YEAR_MIN = 2000
const YEAR_MAX = 2099
const CENTURY = 2000

/** A calendar day as days since 1970-01-01: what windows count in, without a time zone. */
export type Day = number

const dayOf = (year: number, month: number, date: number): Day | undefined => {
  if (year < YEAR_MIN || year > YEAR_MAX) return undefined
  const ms = Date.UTC(year, month - 1, date)
  const back = new Date(ms)
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === date ? ms / MS_PER_DAY : undefined
}

/** `YYYY-MM-DD`, with or without a time behind it. */
export const parseIsoDay = (text: string): Day | undefined => {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].{0,40})?$/.exec(text)
  return found ? dayOf(Number(found[1]), Number(found[2]), Number(found[3])) : undefined
}

/** `M/D/YYYY` or `M/D/YY`. */
export const parseSlashedDay = (text: string): Day | undefined => {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(text)
  if (!found) return undefined
  const year = Number(found[3])
  return dayOf(year < 100 ? CENTURY + year : year, Number(found[1]), Number(found[2]))
}

/** `YYYY/MM`: the first day of the month. */
export const parseMonth = (text: string): Day | undefined => {
  const found = /^(\d{4})\/(\d{2})$/.exec(text)
  return found ? dayOf(Number(found[1]), Number(found[2]), 1) : undefined
}

/** `YYYY-MM-DD`. */
export const dayText = (day: Day): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)

/** The day of an instant, UTC; `atMs` in epoch milliseconds. */
export const dayAt = (atMs: number): Day => Math.floor(atMs / MS_PER_DAY)
