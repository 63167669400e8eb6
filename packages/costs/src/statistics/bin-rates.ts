import type { BinRateSeen } from '@switchyard/events'

/** Digits by which cards of one product are told from others. */
export const PRODUCT_BIN_DIGITS = 6

/** The card product of a BIN: its dominant published rate; undefined when none was seen. */
export type RateOfBin = (bin: string) => string | undefined

const isMoreUsual = (rate: string, count: number, other: string, otherCount: number): boolean =>
  count > otherCount || (count === otherCount && Number(rate) < Number(other))

/** The rates of a BIN: the first one that was seen, which nearly always is the only one, and the others. */
interface RatesOfBin {
  readonly rate: string
  count: number
  others: Map<string, number> | undefined
}

const dominantOf = ({ rate, count, others }: RatesOfBin): string => {
  let [best, bestCount] = [rate, count]
  for (const [other, otherCount] of others ?? []) {
    if (!isMoreUsual(other, otherCount, best, bestCount)) continue
    best = other
    bestCount = otherCount
  }
  return best
}

/** For every BIN the rate that its cards had most often; of two that are as frequent, the lower one. Counts in any order. */
export const dominantRates = (seen: Iterable<BinRateSeen>): ReadonlyMap<string, string> => {
  const ratesOf = new Map<string, RatesOfBin>()
  for (const { bin, rate, paymentCount } of seen) {
    const rates = ratesOf.get(bin)
    if (rates === undefined) ratesOf.set(bin, { rate, count: paymentCount, others: undefined })
    else if (rates.rate === rate) rates.count += paymentCount
    else {
      rates.others ??= new Map()
      rates.others.set(rate, (rates.others.get(rate) ?? 0) + paymentCount)
    }
  }
  return new Map([...ratesOf].map(([bin, rates]) => [bin, dominantOf(rates)]))
}
