import { createEstimator, type Estimate, type Estimator, type Interval, type Unestimable, type WeighedPayment } from './estimate.ts'

/** What a weighed payment is worth and costs. */
export interface PricedPayment {
  readonly currency: string
  /** Major units. */
  readonly amount: number
  /** On each candidate, in their order, bps of the amount; null where nothing tells. */
  readonly costsBps: readonly (number | null)[]
}

/** Money of one currency, major units. */
interface MoneyEstimate {
  readonly recorded: number
  /** Null when the data can't tell. */
  readonly estimated: Interval | null
  /** What it would be more than it was; null when the data can't tell. */
  readonly change: Interval | null
}

/** What approved payments of one currency would be worth and cost, over those whose cost is known wherever they went or would go. */
export interface CostEstimate {
  readonly currency: string
  readonly paymentCount: number
  /** Other payments of the currency. */
  readonly unpricedCount: number
  readonly unanswerable: Unestimable | null
  readonly approvedAmount: MoneyEstimate
  readonly cost: MoneyEstimate
}

/** Currencies that are told apart: more than ISO 4217 has. */
const CURRENCY_COUNT_MAX = 200
const BPS = 10_000

/** Adds up what payments cost, by currency: different ones are never added. */
export interface CostEstimator {
  readonly add: (payment: WeighedPayment, price: PricedPayment) => void
  /** By their payments, most first, then by name. */
  readonly estimates: () => readonly CostEstimate[]
}

interface CurrencySums {
  readonly amount: Estimator
  readonly cost: Estimator
  unpricedCount: number
}

/**
 * Wherever the payment could have gone, and would go, its cost must be known: that is settled before its end, so leaving out the
 * others favours no side.
 */
const isPriced = ({ recorded, proposed }: WeighedPayment, { costsBps }: PricedPayment): boolean =>
  costsBps.every((cost, index) => cost !== null || ((recorded[index] ?? 0) === 0 && (proposed[index] ?? 0) === 0))

const scaled = (interval: Interval | null, count: number): Interval | null =>
  interval && { value: interval.value * count, low: interval.low * count, high: interval.high * count }

const moneyOf = ({ paymentCount, recorded, estimated, gain }: Estimate): MoneyEstimate => ({
  recorded: (recorded ?? 0) * paymentCount,
  estimated: scaled(estimated, paymentCount),
  change: scaled(gain, paymentCount),
})

const estimateOf = ([currency, { amount, cost, unpricedCount }]: readonly [string, CurrencySums]): CostEstimate => {
  const estimated = cost.estimate()
  const { paymentCount, unanswerable } = estimated
  return { currency, paymentCount, unpricedCount, unanswerable, approvedAmount: moneyOf(amount.estimate()), cost: moneyOf(estimated) }
}

const byPayments = (one: CostEstimate, other: CostEstimate): number =>
  other.paymentCount - one.paymentCount || (one.currency < other.currency ? -1 : 1)

/** An estimator of what approvals cost: a payment costs its share when it is approved, so the cost is what its approval is worth. */
export const createCostEstimator = (): CostEstimator => {
  const currencies = new Map<string, CurrencySums>()

  const sumsOf = (currency: string): CurrencySums | undefined => {
    const known = currencies.get(currency)
    if (known !== undefined || currencies.size >= CURRENCY_COUNT_MAX) return known
    const unlimited = Number.POSITIVE_INFINITY
    const added = { amount: createEstimator(unlimited), cost: createEstimator(unlimited), unpricedCount: 0 }
    currencies.set(currency, added)
    return added
  }

  return {
    add: (payment, price) => {
      const sums = sumsOf(price.currency)
      if (sums === undefined) return
      if (!isPriced(payment, price)) {
        sums.unpricedCount += 1
        return
      }
      const { amount, costsBps } = price
      sums.amount.add(
        payment,
        costsBps.map(() => amount),
      )
      sums.cost.add(
        payment,
        costsBps.map((cost) => ((cost ?? 0) / BPS) * amount),
      )
    },
    estimates: () => [...currencies].map(estimateOf).sort(byPayments),
  }
}
