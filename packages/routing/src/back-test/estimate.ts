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
export type Unestimable = 'NO_PAYMENTS' | 'TOO_FEW_PAYMENTS' | 'NEVER_TRIED' | 'TOO_LITTLE_EXPLORATION'

/** What the other settings would have given, and how far it can be trusted: means over the payments, of approvals or of what they are worth. */
export interface Estimate {
  /** Payments with a known end that were weighed. */
  readonly paymentCount: number
  /** Mean that was seen: of approvals their share, 0 to 1; null without payments. */
  readonly recorded: number | null
  /** Null when the data can't tell. */
  readonly estimated: Interval | null
  /** Gain over the recorded settings, as a difference of means; null when the data can't tell. */
  readonly gain: Interval | null
  readonly unanswerable: Unestimable | null
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
  /** `worth`: what an approval at each gateway is worth, in the order of the candidates; 1 when approvals are counted. */
  readonly add: (payment: WeighedPayment, worth?: readonly number[]) => void
  readonly estimate: () => Estimate
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0

/** Student's quantile for so many payments, by the first term of its expansion: few that count much are known to be few. */
const quantileOf = (freedom: number): number => Z_95 + (Z_95 ** 3 + Z_95) / (4 * freedom)

const intervalOf = (value: number, halfWidth: number, [lowest, highest]: readonly [number, number]): Interval => ({
  value,
  low: Math.max(lowest, value - halfWidth),
  high: Math.min(highest, value + halfWidth),
})

/** A candidate of a payment: how likely it was and would be, and what is expected of it. */
interface Likelihood {
  readonly before: number
  readonly now: number
  readonly expected: number
  readonly worth: number
}

/** Sums over all payments. */
interface Sums {
  count: number
  recorded: number
  proposed: number
  gain: number
  moved: number
  untried: number
  heavy: number
  evidenceCount: number
  squares: number
  /** What all payments that were weighed speak for, and what those do that weigh much. */
  readonly all: Worths
  readonly evidence: Worths
}

/** Sums of the second and fourth powers of what approvals are worth. */
interface Worths {
  squares: number
  fourths: number
}

const emptySums = (): Sums => ({
  count: 0,
  recorded: 0,
  proposed: 0,
  gain: 0,
  moved: 0,
  untried: 0,
  heavy: 0,
  evidenceCount: 0,
  squares: 0,
  all: { squares: 0, fourths: 0 },
  evidence: { squares: 0, fourths: 0 },
})

const addWorth = (worths: Worths, worth: number): void => {
  worths.squares += worth ** 2
  worths.fourths += worth ** 4
}

/** Payments of one worth that would say as much: few that are worth a lot say no more than few. */
const effectiveCountOf = ({ squares, fourths }: Worths): number => (fourths === 0 ? 1 : squares ** 2 / fourths)

const isHeavy = ({ heavy, count }: Sums): boolean => heavy / count > MOVED_SHARE_NEGLIGIBLE

const reasonOf = (sums: Sums): Unestimable | null => {
  const { count, untried, evidenceCount } = sums
  if (count === 0) return 'NO_PAYMENTS'
  if (count < PAYMENT_COUNT_MIN) return 'TOO_FEW_PAYMENTS'
  if (untried / count > UNTRIED_SHARE_MAX) return 'NEVER_TRIED'
  return isHeavy(sums) && evidenceCount < EVIDENCE_COUNT_MIN ? 'TOO_LITTLE_EXPLORATION' : null
}

/** A gateway of few outcomes borrows the mean of all, as if it had so many more. */
const BORROWED_COUNT = 10

const halfWidthOf = (sums: Sums, gateways: Iterable<GatewaySums>, load: 'proposedLoad' | 'movedLoad'): number => {
  const { count, squares } = sums
  const mean = squares / count
  let variance = 0
  for (const one of gateways) variance += one[load] * ((one.squares + BORROWED_COUNT * mean) / (one.count + BORROWED_COUNT))
  return (quantileOf(effectiveCountOf(isHeavy(sums) ? sums.evidence : sums.all)) * Math.sqrt(variance)) / count
}

const estimateOf = (sums: Sums, gateways: readonly GatewaySums[], worthMax: number): Estimate => {
  const { count } = sums
  const unanswerable = reasonOf(sums)
  const share = (sum: number): number => (count === 0 ? 0 : sum / count)
  return {
    paymentCount: count,
    recorded: count === 0 ? null : sums.recorded / count,
    estimated: unanswerable === null ? intervalOf(sums.proposed / count, halfWidthOf(sums, gateways, 'proposedLoad'), [0, worthMax]) : null,
    gain: unanswerable === null ? intervalOf(sums.gain / count, halfWidthOf(sums, gateways, 'movedLoad'), [-worthMax, worthMax]) : null,
    unanswerable,
    movedShare: share(sums.moved),
    untriedShare: share(sums.untried),
    evidenceCount: sums.evidenceCount,
  }
}

/**
 * Doubly robust estimate of the share of approvals under other settings, or of what they are worth: worths are known before the
 * payment, so they only scale what each approval adds. For each payment: the expected rate under the new
 * probabilities, and, for the gateway that it did go to, what its end was off that expectation, weighed by how much more likely the
 * new settings would have sent it there. Because the recorded probabilities are known exactly, the estimate has no bias whatever
 * the expected rates are worth; good ones make it sharp. The spread of the sum is worked out from the probabilities, with the mean
 * square of what outcomes of each gateway were off: that is steadier than the squares of the few payments that weigh much.
 *
 * @param worthMax What an approval is worth at most.
 */
export const createEstimator = (worthMax = 1): Estimator => {
  const gateways = new Map<string, GatewaySums>()
  const sums = emptySums()

  const sumsOf = (gateway: string): GatewaySums => {
    const known = gateways.get(gateway)
    if (known !== undefined) return known
    const added = { squares: 0, count: 0, proposedLoad: 0, movedLoad: 0 }
    gateways.set(gateway, added)
    return added
  }

  const addCandidate = (name: string, { before, now, expected, worth }: Likelihood): void => {
    sums.proposed += now * expected * worth
    sums.gain += (now - before) * expected * worth
    sums.moved += Math.max(0, now - before)
    if (before === 0) {
      sums.untried += now
      return
    }
    if (now >= HEAVY_WEIGHT_MIN * before) sums.heavy += now
    const own = sumsOf(name)
    own.proposedLoad += (now * now * worth * worth) / before
    own.movedLoad += ((now - before) * (now - before) * worth * worth) / before
  }

  return {
    add: ({ gateways: names, recorded, proposed, expected, chosen, isApproved }, worths) => {
      const worthAt = (index: number): number => (worths === undefined ? 1 : at(worths, index))
      for (const [index, name] of names.entries()) {
        addCandidate(name, {
          before: at(recorded, index),
          now: at(proposed, index),
          expected: at(expected, index),
          worth: worthAt(index),
        })
      }
      const worth = worthAt(chosen)
      const off = (isApproved ? 1 : 0) - at(expected, chosen)
      const weight = at(proposed, chosen) / at(recorded, chosen)
      const own = sumsOf(names[chosen] ?? '')
      own.squares += off * off
      own.count += 1
      sums.squares += off * off
      sums.proposed += weight * off * worth
      sums.gain += (weight - 1) * off * worth
      addWorth(sums.all, worth)
      if (weight >= HEAVY_WEIGHT_MIN) {
        sums.evidenceCount += 1
        addWorth(sums.evidence, worth)
      }
      sums.count += 1
      if (isApproved) sums.recorded += worth
    },
    estimate: () => estimateOf(sums, [...gateways.values()], worthMax),
  }
}
