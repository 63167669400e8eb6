import type { BackTestResult, Interval } from '@switchyard/routing'
import type { BackTestOrder, BackTestProgress } from './run-back-test.ts'

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`

/** Why there is no estimate, for people. */
const REASONS: Readonly<Record<NonNullable<BackTestResult['unanswerable']> | 'NO_COSTS', string>> = {
  NO_PAYMENTS: 'No payment of this time was decided by success rates and has a known end',
  TOO_FEW_PAYMENTS: 'Fewer than 200 payments of this time can be weighed',
  NEVER_TRIED: 'The new settings would send payments where none like them was ever sent; let some payments explore (hedging) first',
  TOO_LITTLE_EXPLORATION:
    'Fewer than 20 payments went by exploring where the new settings would send them; a longer time or more exploration would tell',
  NO_COSTS: 'A margin weighs approvals against costs, and no costs are recorded with these decisions',
}

/** What the estimate takes for granted. */
const ASSUMPTIONS: readonly string[] = [
  'Each payment is decided by the new settings knowing what was recorded until then; what they would have learned from payments that they would have sent elsewhere is not known',
  'A payment without a known end would have ended like the others',
  'A payment counts by the gateway that it was decided for; retries at other gateways are left out',
]

const PERCENT = 100

const rateAnswer = (interval: Interval | null): object | null =>
  interval && { approval_rate: interval.value, confidence_interval: [interval.low, interval.high] }

/** A line that says how far the replay is. */
export const backTestProgressLine = ({ eventCount, reachedMs }: BackTestProgress): string =>
  lineOf({ type: 'progress', events: eventCount, reached_at_ms: reachedMs === 0 ? null : reachedMs })

/** The last line: the estimate, or why there is none. Shares from 0 to 1, gains in percentage points. */
export const backTestResultLine = (
  result: BackTestResult,
  order: BackTestOrder,
  { needsCosts }: { readonly needsCosts: boolean },
): string => {
  const reason = needsCosts ? 'NO_COSTS' : result.unanswerable
  const [estimated, gain] = reason === null ? [result.estimated, result.gain] : [null, null]
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
    recorded: { approval_rate: result.recordedRate },
    estimated: rateAnswer(estimated),
    gain_pp: gain && PERCENT * gain.value,
    gain_confidence_interval_pp: gain && [PERCENT * gain.low, PERCENT * gain.high],
    moved_share: result.movedShare,
    untried_share: result.untriedShare,
    evidence_count: result.evidenceCount,
    cost: null,
    cost_reason: 'No costs are recorded with these decisions',
    assumptions: ASSUMPTIONS,
    truncated: result.isCut,
  })
}

/** The last line of a back-test that could not go on. */
export const backTestFailureLine = (message: string): string => lineOf({ type: 'error', code: 'TE_01', message })
