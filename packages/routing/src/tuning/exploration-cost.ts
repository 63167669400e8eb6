/** What is known of one gateway's outcomes. */
export interface GatewayApprovals {
  readonly gateway: string
  readonly approvedCount: number
  readonly declinedCount: number
}

/** Approvals, in percentage points, that exploring may cost beyond what it costs without the self-tuning. */
const EXTRA_COST_POINTS_MAX = 0.1
/** A gateway with few outcomes is taken for an average one: as if it had this many more at the average rate. */
const PRIOR_OUTCOME_COUNT = 5

const rateOf = (approvedCount: number, outcomeCount: number, average: number): number =>
  (approvedCount + PRIOR_OUTCOME_COUNT * average) / (outcomeCount + PRIOR_OUTCOME_COUNT)

/**
 * Approvals lost by each payment that explores: the best gateway's rate less the mean of the others, 0 to 1. Gateways that
 * nothing is known of count as average; 0 without any outcome.
 */
export const costOfExploring = (known: readonly GatewayApprovals[], gatewayCount: number): number => {
  const approvedCount = known.reduce((sum, one) => sum + one.approvedCount, 0)
  const outcomeCount = known.reduce((sum, one) => sum + one.approvedCount + one.declinedCount, 0)
  if (outcomeCount === 0 || gatewayCount < 2) return 0
  const average = approvedCount / outcomeCount
  const rates = known.map((one) => rateOf(one.approvedCount, one.approvedCount + one.declinedCount, average))
  const all = [...rates, ...Array.from({ length: Math.max(0, gatewayCount - rates.length) }, () => average)]
  const best = Math.max(...all)
  const sum = all.reduce((total, rate) => total + rate, 0)
  // Sums of rates that are alike are off in the last digit, and a cost just below nothing would forbid all exploring.
  return Math.max(0, best - (sum - best) / (all.length - 1))
}

/** The largest share in percent that may explore when `basePercent` would without the self-tuning, at this cost of exploring. */
export const hedgingCeiling = (basePercent: number, cost: number): number =>
  cost === 0 ? Number.POSITIVE_INFINITY : basePercent + EXTRA_COST_POINTS_MAX / cost
