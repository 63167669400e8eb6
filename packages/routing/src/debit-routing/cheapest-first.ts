import type { DebitNetwork } from './debit-networks.ts'
import { isGlobalNetwork } from './debit-networks.ts'

/** A network and what the payment costs over it, in the unit of the amount. */
export interface PricedNetwork {
  readonly network: DebitNetwork
  readonly fee: number
}

/** A network in the order of costs. */
export interface NetworkOption extends PricedNetwork {
  /** Of the amount, two decimals: what it saves against the cheapest global network; never negative. */
  readonly savingPercent: number
}

/** Hundredths of a percent in a share of one. */
const STEPS = 10_000
const STEPS_PER_PERCENT = 100

const savingOf = (baseline: number, fee: number, amount: number): number => {
  const difference = baseline - fee
  if (!(difference > 0 && amount > 0)) return 0
  const percent = Math.round((difference / amount) * STEPS) / STEPS_PER_PERCENT
  return Number.isFinite(percent) ? percent : 0
}

/** A fee that is no number comes last. */
const byFee = (a: PricedNetwork, b: PricedNetwork): number => {
  if (Number.isNaN(a.fee) || Number.isNaN(b.fee)) return Number(Number.isNaN(a.fee)) - Number(Number.isNaN(b.fee))
  return a.fee === b.fee ? 0 : a.fee - b.fee
}

/**
 * Networks by fee, cheapest first, equal ones in the order given, and what each saves (network.md 6). Nothing is saved when
 * the cheapest is global itself, and when none is.
 */
export const cheapestFirst = (priced: readonly PricedNetwork[], amount: number): readonly NetworkOption[] => {
  const sorted = priced.toSorted(byFee)
  const baseline = sorted.findIndex(({ network }) => isGlobalNetwork(network))
  const baselineFee = baseline > 0 ? (sorted[baseline]?.fee ?? 0) : Number.NEGATIVE_INFINITY
  return sorted.map(({ network, fee }) => ({ network, fee, savingPercent: savingOf(baselineFee, fee, amount) }))
}
