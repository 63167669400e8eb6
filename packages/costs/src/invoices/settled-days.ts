import type { SettledDay } from '@switchyard/events'
import { grouped } from '../grouped.ts'
import { SETTLED_DAYS_BYTES_MAX } from '../limits.ts'
import type { Day } from '../reports/day.ts'
import type { Statistics } from '../statistics/statistics.ts'
import type { SettledVolume } from './invoice-add-on.ts'

/** First and last day, both included. */
export interface Period {
  readonly first: Day
  readonly last: Day
}

const NUMBERS_BYTES = 32
const CHARACTER_BYTES_MAX = 3

const bySpelling = (one: SettledDay, other: SettledDay): number => one.epochDay - other.epochDay || (one.currency < other.currency ? -1 : 1)

/** Bytes of a day in a record: its numbers and the characters of its currency. */
const bytesOf = ({ currency }: SettledDay): number => NUMBERS_BYTES + CHARACTER_BYTES_MAX * currency.length

const sumOf = (days: readonly SettledDay[], of: (day: SettledDay) => number): number => days.reduce((sum, day) => sum + of(day), 0)

/** Those that a record has room for: of more currencies than there are, the ones of most payments. */
const withinBounds = (days: readonly SettledDay[]): readonly SettledDay[] => {
  if (sumOf(days, bytesOf) <= SETTLED_DAYS_BYTES_MAX) return days
  const byCurrency = [...grouped(days, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, own, count: sumOf(own, ({ paymentCount }) => paymentCount) }))
    .sort((one, other) => other.count - one.count || (one.currency < other.currency ? -1 : 1))
  const kept: SettledDay[] = []
  let bytes = 0
  for (const { own } of byCurrency) {
    bytes += sumOf(own, bytesOf)
    if (bytes > SETTLED_DAYS_BYTES_MAX) break
    kept.push(...own)
  }
  return kept
}

/** What was settled on each day that counts, by currency in upper case. */
export const settledDaysOf = ({ clusters, totals }: Statistics): readonly SettledDay[] => {
  const days = new Map<string, SettledDay>()
  const add = (epochDay: Day, spelled: string, more: SettledVolume): void => {
    const currency = spelled.toUpperCase()
    const key = `${epochDay} ${currency}`
    const known = days.get(key) ?? { epochDay, currency, gross: 0, paymentCount: 0, fees: 0 }
    const { gross, paymentCount, fees } = known
    days.set(key, { ...known, gross: gross + more.gross, paymentCount: paymentCount + more.count, fees: fees + more.fees })
  }
  for (const buckets of clusters.values())
    for (const { day, cluster, sums } of buckets) add(day, cluster.currency, { gross: sums.sx, count: sums.n, fees: sums.sy })
  for (const { day, cluster, turnover, cost, count } of totals)
    add(day, cluster.currency, { gross: turnover, count: count ?? 0, fees: cost })
  return [...withinBounds([...days.values()])].sort(bySpelling)
}

/** The one currency of all; empty when there are several, or none. */
export const onlyCurrency = (all: Iterable<{ readonly currency: string }>): string => {
  const currencies = new Set([...all].map(({ currency }) => currency.toUpperCase()))
  const [only = ''] = currencies
  return currencies.size === 1 ? only : ''
}

/**
 * What was settled in a currency and period; all days for one that is unknown. Null when nothing was, or when payments in several
 * currencies could be meant: these are never added up.
 */
export const settledIn = (days: readonly SettledDay[], currency: string, period: Period | null): SettledVolume | null => {
  const meant = currency === '' ? onlyCurrency(days) : currency.toUpperCase()
  const counted = days.filter(
    (day) => day.currency === meant && (period === null || (day.epochDay >= period.first && day.epochDay <= period.last)),
  )
  if (meant === '' || counted.length === 0) return null
  return counted.reduce<SettledVolume>(
    (sum, { gross, paymentCount, fees }) => ({ gross: sum.gross + gross, count: sum.count + paymentCount, fees: sum.fees + fees }),
    { gross: 0, count: 0, fees: 0 },
  )
}
