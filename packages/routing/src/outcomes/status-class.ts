/** What a reported status says of a payment: authorised, refused, or not known yet. */
export type StatusClass = 'success' | 'failure' | 'open'

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
  CHARGED: 'success',
  AUTHORIZED: 'success',
  COD_INITIATED: 'success',
  VOIDED: 'success',
  VOID_INITIATED: 'success',
  CAPTURE_INITIATED: 'success',
  CAPTURE_FAILED: 'success',
  VOID_FAILED: 'success',
  AUTO_REFUNDED: 'success',
  PARTIAL_CHARGED: 'success',
  TO_BE_CHARGED: 'success',
  AUTHENTICATION_FAILED: 'failure',
  AUTHORIZATION_FAILED: 'failure',
  JUSPAY_DECLINED: 'failure',
  FAILURE: 'failure',
  DECLINED: 'failure',
  STARTED: 'open',
  PENDING_VBV: 'open',
  VBV_SUCCESSFUL: 'open',
  AUTHORIZING: 'open',
  NOP: 'open',
  PENDING: 'open',
}

const isOutcomeStatus = (text: string): text is OutcomeStatus => Object.hasOwn(STATUS_CLASSES, text)

/** All statuses, in the order of the sheet. */
export const OUTCOME_STATUSES: readonly OutcomeStatus[] = Object.keys(STATUS_CLASSES).filter(isOutcomeStatus)

/** What a status says; a status that a later release recorded is taken for open. */
export const statusClassOf = (status: string): StatusClass => (isOutcomeStatus(status) ? STATUS_CLASSES[status] : 'open')

/** What decides whether a report counts, and as what. */
export interface ReportToJudge {
  readonly status: string
  readonly enforceFailure: boolean
  /** Milliseconds from the decision to the report. */
  readonly ageMs: number
  readonly latencyThresholdMs: number
}

/** Whether a report counts as success (true) or failure (false); null while the payment is open and younger than the threshold. */
export const verdictOf = ({ status, enforceFailure, ageMs, latencyThresholdMs }: ReportToJudge): boolean | null => {
  if (enforceFailure) return false
  const statusClass = statusClassOf(status)
  if (statusClass === 'open') return ageMs >= latencyThresholdMs ? false : null
  return statusClass === 'success'
}
