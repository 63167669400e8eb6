/** One payment as the estimate sees it; all lists in the order of its candidates. */
export interface WeighedPayment {
  readonly gateways: readonly string[]
  /** How likely each was when the payment was decided. */
  readonly recorded: readonly number[]
  /** How likely each would be under the other settings. */
  readonly proposed: readonly number[]
  /** Approval rates as they were thought to be before the payment, 0 to 1. */
  readonly expected: readonly number[]
  /** Place of the gateway that the payment went to. */
  readonly chosen: number
  readonly isApproved: boolean
}

/** A figure with its 95 % interval. */
export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Why the data can't tell. */
export type Unanswerable = 'NO_PAYMENTS' | 'TOO_FEW_PAYMENTS' | 'NEVER_TRIED' | 'TOO_LITTLE_EXPLORATION'

/** What the other settings would have given, and how far it can be trusted. */
export interface ApprovalEstimate {
  /** Payments with a known end that were weighed. */
  readonly paymentCount: number
  /** Share of approvals that was seen, 0 to 1; null without payments. */
  readonly recordedRate: number | null
  /** Null when the data can't tell. */
  readonly estimated: Interval | null
  /** Gain over the recorded settings, as a difference of shares; null when the data can't tell. */
  readonly gain: Interval | null
  readonly unanswerable: Unanswerable | null
  /** Share of payments, 0 to 1, that would go elsewhere. */
  readonly movedShare: number
  /** Share of payments that would go where none like them was ever sent. */
  readonly untriedShare: number
  /** Payments that went by chance where the other settings would have sent at least five times as many: what the answer rests on then. */
  readonly evidenceCount: number
}

const Z_95 = 1.959964
const PAYMENT_COUNT_MIN = 200
/** More than this share of the payments must not rest on the expected rates alone. */
const UNTRIED_SHARE_MAX = 0.005
/** Below this share of payments that move, it does not matter how little is known of them. */
const MOVED_SHARE_NEGLIGIBLE = 0.001
const EVIDENCE_COUNT_MIN = 20
/** Payments that would go where so many fewer went are spoken for by few that count much; below, every payment speaks. */
const HEAVY_WEIGHT_MIN = 5

/** Sums over the payments of one gateway. */
interface GatewaySums {
  /** Squares of what outcomes were off their expectation, of payments that went there. */
  squares: number
  count: number
  /** Sum over all payments of the squared probabilities by the recorded one: of the other settings, and of the difference. */
  proposedLoad: number
  movedLoad: number
}

/** Adds payments up and estimates; keeps sums alone. */
export interface Estimator {
  readonly add: (payment: WeighedPayment) => void
  readonly estimate: () => ApprovalEstimate
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0

/** Student's quantile for so many payments, by the first term of its expansion: few that count much are known to be few. */
const quantileOf = (freedom: number): number => Z_95 + (Z_95 ** 3 + Z_95) / (4 * freedom)

const intervalOf = (value: number, halfWidth: number, [lowest, highest]: readonly [number, number]): Interval => ({
  value,
  low: Math.max(lowest, value - halfWidth),
  high: Math.min(highest, value + halfWidth),
})

/**
 * Doubly robust estimate of the share of approvals under other settings. For each payment: the expected rate under the new
 * probabilities, and, for the gateway that it did go to, what its end was off that expectation, weighed by how much more likely the
 * new settings would have sent it there. Because the recorded probabilities are known exactly, the estimate has no bias whatever
 * the expected rates are worth; good ones make it sharp. The spread of the sum is worked out from the probabilities, with the mean
 * square of what outcomes of each gateway were off: that is steadier than the squares of the few payments that weigh much.
 */
export const createEstimator = (): Estimator => {
  const gateways = new Map<string, GatewaySums>()
  let count = 0
  let approvedCount = 0
  let proposedSum = 0
  let gainSum = 0
  let movedSum = 0
  let untriedSum = 0
  let heavySum = 0
  let evidenceCount = 0
  let squares = 0

  const sumsOf = (gateway: string): GatewaySums => {
    const known = gateways.get(gateway)
    if (known !== undefined) return known
    const added = { squares: 0, count: 0, proposedLoad: 0, movedLoad: 0 }
    gateways.set(gateway, added)
    return added
  }

  const add = ({ gateways: names, recorded, proposed, expected, chosen, isApproved }: WeighedPayment): void => {
    const off = (isApproved ? 1 : 0) - at(expected, chosen)
    const weight = at(proposed, chosen) / at(recorded, chosen)
    for (const [index, name] of names.entries()) {
      const sums = sumsOf(name)
      const [before, now] = [at(recorded, index), at(proposed, index)]
      proposedSum += now * at(expected, index)
      gainSum += (now - before) * at(expected, index)
      movedSum += Math.max(0, now - before)
      if (before > 0 && now >= HEAVY_WEIGHT_MIN * before) heavySum += now
      if (before === 0) untriedSum += now
      else {
        sums.proposedLoad += (now * now) / before
        sums.movedLoad += ((now - before) * (now - before)) / before
      }
    }
    const sums = sumsOf(names[chosen] ?? '')
    sums.squares += off * off
    sums.count += 1
    squares += off * off
    proposedSum += weight * off
    gainSum += (weight - 1) * off
    if (weight >= HEAVY_WEIGHT_MIN) evidenceCount += 1
    count += 1
    if (isApproved) approvedCount += 1
  }

  /** A gateway of few outcomes borrows the mean of all, as if it had so many more. */
  const BORROWED_COUNT = 10
  const isHeavy = (): boolean => heavySum / count > MOVED_SHARE_NEGLIGIBLE

  const halfWidthOf = (load: 'proposedLoad' | 'movedLoad'): number => {
    const mean = squares / count
    let variance = 0
    for (const sums of gateways.values()) {
      variance += sums[load] * ((sums.squares + BORROWED_COUNT * mean) / (sums.count + BORROWED_COUNT))
    }
    return (quantileOf(isHeavy() ? evidenceCount : count) * Math.sqrt(variance)) / count
  }

  const reasonOf = (): Unanswerable | null => {
    if (count === 0) return 'NO_PAYMENTS'
    if (count < PAYMENT_COUNT_MIN) return 'TOO_FEW_PAYMENTS'
    if (untriedSum / count > UNTRIED_SHARE_MAX) return 'NEVER_TRIED'
    return isHeavy() && evidenceCount < EVIDENCE_COUNT_MIN ? 'TOO_LITTLE_EXPLORATION' : null
  }

  return {
    add,
    estimate: () => {
      const unanswerable = reasonOf()
      const share = (sum: number): number => (count === 0 ? 0 : sum / count)
      return {
        paymentCount: count,
        recordedRate: count === 0 ? null : approvedCount / count,
        estimated: unanswerable === null ? intervalOf(proposedSum / count, halfWidthOf('proposedLoad'), [0, 1]) : null,
        gain: unanswerable === null ? intervalOf(gainSum / count, halfWidthOf('movedLoad'), [-1, 1]) : null,
        unanswerable,
        movedShare: share(movedSum),
        untriedShare: share(untriedSum),
        evidenceCount,
      }
    },
  }
}
