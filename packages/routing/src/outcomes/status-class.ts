import type { OutcomeStatusClass } from '@switchyard/events'

/** What a reported status says of a payment: authorised, refused, or not known yet. */
export type StatusClass = Exclude<OutcomeStatusClass, 'UNKNOWN'>

/** Statuses that a report may carry. */
export type OutcomeStatus =
  | 'CHARGED'
  | 'AUTHORIZED'
  | 'COD_INITIATED'
  | 'VOIDED'
  | 'VOID_INITIATED'
  | 'CAPTURE_INITIATED'
  | 'CAPTURE_FAILED'
  | 'VOID_FAILED'
  | 'AUTO_REFUNDED'
  | 'PARTIAL_CHARGED'
  | 'TO_BE_CHARGED'
  | 'AUTHENTICATION_FAILED'
  | 'AUTHORIZATION_FAILED'
  | 'JUSPAY_DECLINED'
  | 'FAILURE'
  | 'DECLINED'
  | 'STARTED'
  | 'PENDING_VBV'
  | 'VBV_SUCCESSFUL'
  | 'AUTHORIZING'
  | 'NOP'
  | 'PENDING'

/**
 * Every status of a report and what it says (decide.md 6.3). A failed void or capture follows a successful authorisation;
 * DECLINED is a failure (contract/README.md 5).
 */
const STATUS_CLASSES: Readonly<Record<OutcomeStatus, StatusClass>> = {
  CHARGED: 'SUCCESS',
  AUTHORIZED: 'SUCCESS',
  COD_INITIATED: 'SUCCESS',
  VOIDED: 'SUCCESS',
  VOID_INITIATED: 'SUCCESS',
  CAPTURE_INITIATED: 'SUCCESS',
  CAPTURE_FAILED: 'SUCCESS',
  VOID_FAILED: 'SUCCESS',
  AUTO_REFUNDED: 'SUCCESS',
  PARTIAL_CHARGED: 'SUCCESS',
  TO_BE_CHARGED: 'SUCCESS',
  AUTHENTICATION_FAILED: 'FAILURE',
  AUTHORIZATION_FAILED: 'FAILURE',
  JUSPAY_DECLINED: 'FAILURE',
  FAILURE: 'FAILURE',
  DECLINED: 'FAILURE',
  STARTED: 'OPEN',
  PENDING_VBV: 'OPEN',
  VBV_SUCCESSFUL: 'OPEN',
  AUTHORIZING: 'OPEN',
  NOP: 'OPEN',
  PENDING: 'OPEN',
}

const isOutcomeStatus = (text: string): text is OutcomeStatus => Object.hasOwn(STATUS_CLASSES, text)

/** All statuses, in the order of the sheet. */
export const OUTCOME_STATUSES: readonly OutcomeStatus[] = Object.keys(STATUS_CLASSES).filter(isOutcomeStatus)

/** What a status says; a status that a later release recorded is taken for open. */
export const statusClassOf = (status: string): StatusClass => (isOutcomeStatus(status) ? STATUS_CLASSES[status] : 'OPEN')

/** The class that was recorded with the status, as the reporting release knew it; without one, what the status says here. */
export const recordedClassOf = (status: string, recorded: OutcomeStatusClass | null): StatusClass =>
  recorded === null || recorded === 'UNKNOWN' ? statusClassOf(status) : recorded

/** What decides whether a report counts, and as what. */
export interface ReportToJudge {
  readonly statusClass: StatusClass
  readonly enforceFailure: boolean
  /** Milliseconds from the decision to the report. */
  readonly ageMs: number
  readonly latencyThresholdMs: number
}

/** Whether a report says how the attempt ended. */
export const isFinal = ({ statusClass, enforceFailure }: Pick<ReportToJudge, 'statusClass' | 'enforceFailure'>): boolean =>
  enforceFailure || statusClass !== 'OPEN'

/** Whether a report counts as success (true) or failure (false); null while the payment is open and younger than the threshold. */
export const verdictOf = ({ statusClass, enforceFailure, ageMs, latencyThresholdMs }: ReportToJudge): boolean | null => {
  if (enforceFailure) return false
  if (statusClass === 'OPEN') return ageMs >= latencyThresholdMs ? false : null
  return statusClass === 'SUCCESS'
}
