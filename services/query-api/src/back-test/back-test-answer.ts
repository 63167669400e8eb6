import type { BackTestResult, CostEstimate, Interval, Unanswerable } from '@switchyard/routing'
import type { BackTestOrder, BackTestProgress } from './run-back-test.ts'

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`

/** Why there is no estimate, for people. */
const REASONS: Readonly<Record<Unanswerable, string>> = {
  NO_PAYMENTS: 'No payment of this time was decided by success rates and has a known end',
  TOO_FEW_PAYMENTS: 'Fewer than 200 payments of this time can be weighed',
  NEVER_TRIED: 'The new settings would send payments where none like them was ever sent; let some payments explore (hedging) first',
  TOO_LITTLE_EXPLORATION:
    'Fewer than 20 payments went by exploring where the new settings would send them; a longer time or more exploration would tell',
  NO_COSTS: 'A margin weighs approvals against costs, and of none of these payments it was known what it costs',
  COSTS_NOT_WEIGHED: 'In none of these payments cost had a say, so its margin changes nothing; ask with multi_objective: true',
}

/** What the estimate takes for granted. */
const ASSUMPTIONS: readonly string[] = [
  'Each payment is decided by the new settings knowing what was recorded until then; what they would have learned from payments that they would have sent elsewhere is not known',
  'A payment without a known end would have ended like the others',
  'What a payment costs is what was known when it was decided, and is due when it is approved',
  'A payment counts by the gateway that it was decided for; retries at other gateways are left out',
]

const PERCENT = 100

const rateAnswer = (interval: Interval | null): object | null =>
  interval && { approval_rate: interval.value, confidence_interval: [interval.low, interval.high] }

/** A line that says how far the replay is. */
export const backTestProgressLine = ({ eventCount, reachedMs }: BackTestProgress): string =>
  lineOf({ type: 'progress', events: eventCount, reached_at_ms: reachedMs === 0 ? null : reachedMs })

const BPS = 10_000

const moneyAnswer = ({ recorded, estimated, change }: CostEstimate['cost']): object => ({
  recorded,
  estimated: estimated && estimated.value,
  confidence_interval: estimated && [estimated.low, estimated.high],
  change: change && change.value,
  change_confidence_interval: change && [change.low, change.high],
})

const shareBps = (cost: number | undefined, amount: number | undefined): number | null =>
  cost === undefined || amount === undefined || amount <= 0 ? null : (BPS * cost) / amount

/** Money of one currency, major units; different ones are never added up. */
const costAnswer = ({ currency, paymentCount, unpricedCount, unanswerable, approvedAmount, cost }: CostEstimate): object => ({
  currency,
  payments: paymentCount,
  unpriced_payments: unpricedCount,
  answerable: unanswerable === null,
  reason: unanswerable,
  approved_amount: moneyAnswer(approvedAmount),
  cost: moneyAnswer(cost),
  cost_bps: {
    recorded: shareBps(cost.recorded, approvedAmount.recorded),
    estimated: shareBps(cost.estimated?.value, approvedAmount.estimated?.value),
  },
})

/** Why no cost is told, for people; null when one is. */
const costReason = ({ unanswerable, pricedCount, costs }: BackTestResult): string | null => {
  if (unanswerable !== null) return REASONS[unanswerable]
  if (pricedCount === 0) return 'Of none of these payments it was known what it costs: reports, fees or contract rates would tell'
  return costs.some((estimate) => estimate.unanswerable === null)
    ? null
    : 'Too few payments of a currency have known costs wherever they went and would go'
}

/** The last line: the estimate, or why there is none. Shares from 0 to 1, gains in percentage points. */
export const backTestResultLine = (result: BackTestResult, order: BackTestOrder): string => {
  const { unanswerable: reason, estimated, gain } = result
  return lineOf({
    type: 'result',
    merchant_id: order.merchantId,
    start_ms: order.startMs,
    end_ms: order.endMs,
    answerable: reason === null,
    reason,
    reason_in_words: reason === null ? null : REASONS[reason],
    decisions: {
      total: result.decisionCount,
      weighed: result.paymentCount,
      without_end: result.openCount,
      not_weighable: result.unweighableCount,
    },
    recorded: { approval_rate: result.recorded },
    estimated: rateAnswer(estimated),
    gain_pp: gain && PERCENT * gain.value,
    gain_confidence_interval_pp: gain && [PERCENT * gain.low, PERCENT * gain.high],
    moved_share: result.movedShare,
    untried_share: result.untriedShare,
    evidence_count: result.evidenceCount,
    cost_weighed: result.costWeighedCount,
    cost: result.costs.length === 0 || result.pricedCount === 0 ? null : result.costs.map(costAnswer),
    cost_reason: costReason(result),
    assumptions: ASSUMPTIONS,
    truncated: result.isCut,
  })
}

/** The last line of a back-test that could not go on. */
export const backTestFailureLine = (message: string): string => lineOf({ type: 'error', code: 'TE_01', message })
