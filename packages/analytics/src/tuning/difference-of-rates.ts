import { Z_95 } from '../experiments/fixed-test.ts'
import type { ApprovalCounts } from './read-traffic.ts'

/** How two shares of approvals differ, percentage points. */
export interface RateDifference {
  readonly deltaPp: number
  /** 95 %, by Newcombe's method of two Wilson intervals: honest for few outcomes and shares near 0 or 1 too. */
  readonly intervalPp: readonly [low: number, high: number]
}

interface Wilson {
  readonly rate: number
  readonly low: number
  readonly high: number
}

const wilson = ({ approvedCount, outcomeCount }: ApprovalCounts): Wilson => {
  const rate = approvedCount / outcomeCount
  const z2 = Z_95 * Z_95
  const centre = (rate + z2 / (2 * outcomeCount)) / (1 + z2 / outcomeCount)
  const half = (Z_95 * Math.sqrt((rate * (1 - rate)) / outcomeCount + z2 / (4 * outcomeCount * outcomeCount))) / (1 + z2 / outcomeCount)
  return { rate, low: centre - half, high: centre + half }
}

/** The second share less the first; null while one of them has no outcome. */
export const differenceOfRates = (before: ApprovalCounts, after: ApprovalCounts): RateDifference | null => {
  if (before.outcomeCount === 0 || after.outcomeCount === 0) return null
  const [first, second] = [wilson(before), wilson(after)]
  const delta = second.rate - first.rate
  const low = delta - Math.hypot(second.rate - second.low, first.high - first.rate)
  const high = delta + Math.hypot(second.high - second.rate, first.rate - first.low)
  return { deltaPp: 100 * delta, intervalPp: [100 * low, 100 * high] }
}
