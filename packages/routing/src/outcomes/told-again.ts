import type { AssignedPayment } from '../experiments/experiment-payments.ts'
import type { Report } from './merchant-state.ts'
import { type CountedOutcome, excusedOf, type OpenDecision, wasTold } from './open-decision.ts'
import { type Judgement, type OutcomeDisposition, uncounted } from './outcome-effect.ts'
import { isFinal } from './status-class.ts'

/** Whether a report says that its payment was approved. */
export const isSuccess = ({ statusClass, enforceFailure }: Pick<Report, 'statusClass' | 'enforceFailure'>): boolean =>
  statusClass === 'SUCCESS' && !enforceFailure

/** A report that says what has counted: for the first time, when only the time that went by had said so. */
export const toldAgain = (report: Report, counted: CountedOutcome): Judgement => {
  if (counted.isFinal || !isFinal(report)) return uncounted('repeated')
  counted.isFinal = true
  return uncounted('confirmed')
}

/** Whether a failure of an attempt that ended with an excused one says no more than that: it is excused as well, or only time went by. */
export const isExcusedAgain = (report: Report, open: OpenDecision): boolean =>
  (report.excused || !isFinal(report)) && excusedOf(open, report.gateway) === 'excused'

/** Ends of a payment that count in no window. */
const TOLD_ONCE: ReadonlySet<OutcomeDisposition> = new Set(['late', 'reset', 'conflicting'])

/** An end that counts in no window is a result of its payment all the same, when it is told for the first time. */
export const toldOnce = (judgement: Judgement, report: Report, open: OpenDecision): Judgement => {
  if (!TOLD_ONCE.has(judgement.disposition) || !isFinal(report)) return judgement
  const { gateway } = report
  const success = isSuccess(report)
  if (wasTold(open, gateway, success)) return uncounted('repeated')
  open.counted = { gateway, sequence: 0, success, isFinal: true, otherHealth: false, uncounted: 'told', earlier: open.counted }
  return judgement
}

/**
 * Whether a report of a payment in a fixed arm tells the approval that is known. Of a failure nothing says which gateway it was
 * of: the payment may have been decided again since.
 */
export const isToldApproval = (report: Report, { standing, gateway }: AssignedPayment): boolean =>
  standing === 'succeeded' && isSuccess(report) && report.gateway === gateway

/** Whether two reports of a payment tell the same end of the same attempt. */
export const saysTheSame = (report: Report, earlier: Report): boolean =>
  report.gateway === earlier.gateway && isFinal(report) && isFinal(earlier) && isSuccess(report) === isSuccess(earlier)
