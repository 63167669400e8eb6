import type { BinRateCount } from './contribution.ts'

/** Digits by which cards of one product are told from others. */
export const PRODUCT_BIN_DIGITS = 6

/** The card product of a BIN: its dominant published rate; undefined when none was seen. */
export type RateOfBin = (bin: string) => string | undefined

const isMoreUsual = (rate: string, count: number, other: string, otherCount: number): boolean =>
  count > otherCount || (count === otherCount && Number(rate) < Number(other))

/** For every BIN the rate that its cards had most often; of two that are as frequent, the lower one. Counts in any order. */
export const dominantRates = (counts: Iterable<BinRateCount>): ReadonlyMap<string, string> => {
  const countsByBin = new Map<string, Map<string, number>>()
  for (const { bin, rate, count } of counts) {
    const rates = countsByBin.get(bin) ?? new Map<string, number>()
    rates.set(rate, (rates.get(rate) ?? 0) + count)
    countsByBin.set(bin, rates)
  }
  const dominant = new Map<string, string>()
  for (const [bin, rates] of countsByBin) {
    let best = ''
    let bestCount = 0
    for (const [rate, count] of rates) {
      if (!isMoreUsual(rate, count, best, bestCount)) continue
      best = rate
      bestCount = count
    }
    dominant.set(bin, best)
  }
  return dominant
}
