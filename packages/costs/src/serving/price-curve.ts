import type { Fee, Tier } from '../fit/fitted-cluster.ts'
import { BPS } from '../fit/line.ts'

/** A fee that changes at amounts. */
export interface PriceCurve {
  /** Amounts at which the next fee begins, ascending; one less than fees. */
  readonly starts: readonly number[]
  readonly fees: readonly Fee[]
}

/** Curves that are one together, each by the value that was paid with it. */
export interface WeightedCurve {
  readonly curve: PriceCurve
  /** Above zero. */
  readonly weight: number
}

const FREE: Fee = { pctBps: 0, fixed: 0 }

/** The same fee for all amounts. */
export const flatCurve = (fee: Fee): PriceCurve => ({ starts: [], fees: [fee] })

/** The fee of an amount. */
export const feeAt = ({ starts, fees }: PriceCurve, amount: number): Fee => {
  let piece = 0
  while (piece < starts.length && amount >= (starts[piece] ?? 0)) piece += 1
  return fees[piece] ?? FREE
}

/** What a fee is of an amount, bps; never below zero: a line may be, at amounts that it was not learned from (cost.md 1, 8). */
export const effectiveBps = ({ pctBps, fixed }: Fee, amount: number): number =>
  Math.max(0, amount > 0 ? pctBps + (fixed / amount) * BPS : pctBps)

const meanFee = (weighted: readonly (readonly [Fee, number])[]): Fee => {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0)
  return {
    pctBps: weighted.reduce((sum, [{ pctBps }, weight]) => sum + pctBps * weight, 0) / total,
    fixed: weighted.reduce((sum, [{ fixed }, weight]) => sum + fixed * weight, 0) / total,
  }
}

/** The mean of curves at every amount. */
export const blend = (members: readonly WeightedCurve[]): PriceCurve => {
  const [only] = members
  if (members.length === 1 && only) return only.curve
  const starts = [...new Set(members.flatMap(({ curve }) => curve.starts))].sort((one, other) => one - other)
  return {
    starts,
    fees: [Number.NEGATIVE_INFINITY, ...starts].map((start) => meanFee(members.map(({ curve, weight }) => [feeAt(curve, start), weight]))),
  }
}

/** A curve with something on top of every fee. */
export const raise = ({ starts, fees }: PriceCurve, addition: Fee): PriceCurve => ({
  starts,
  fees: fees.map(({ pctBps, fixed }) => ({ pctBps: pctBps + addition.pctBps, fixed: fixed + addition.fixed })),
})

/** What of a tier its price is told by; nothing but `GOOD` counts as that. */
type PricingTier = Pick<Tier, 'from' | 'to' | 'fee' | 'gross'> & { readonly verdict: string }

interface PricedTier extends PricingTier {
  readonly fee: Fee
}

const hasFee = (tier: PricingTier): tier is PricedTier => tier.fee !== null

/** The mean of tiers by value, of which those that are not GOOD cost what the others do; undefined when none is. */
export const meanOfTiers = (tiers: readonly PricingTier[]): Fee | undefined => {
  const good = tiers.filter(hasFee).filter(({ verdict, gross }) => verdict === 'GOOD' && gross > 0)
  return good.length === 0 ? undefined : meanFee(good.map(({ fee, gross }) => [fee, gross]))
}

/**
 * The curve of tiers (cost.md 14, rung 3): pieces that are not GOOD cost the mean of those that are, amounts beyond the ends
 * what the end piece costs, amounts in a gap what the last one does. Undefined when none is GOOD.
 */
export const curveOfTiers = (tiers: readonly PricingTier[]): PriceCurve | undefined => {
  const priced = tiers.filter(hasFee)
  const mean = meanOfTiers(tiers)
  const last = priced.at(-1)
  if (mean === undefined || last === undefined) return undefined
  const feeOf = ({ fee, verdict }: PricedTier): Fee => (verdict === 'GOOD' ? fee : mean)
  const starts: number[] = []
  const fees: Fee[] = []
  priced.forEach((tier, index) => {
    const before = priced[index - 1]
    if (before !== undefined && tier.from > before.to) {
      starts.push(before.to)
      fees.push(feeOf(last))
    }
    if (before !== undefined) starts.push(tier.from)
    fees.push(feeOf(tier))
  })
  return { starts, fees }
}
