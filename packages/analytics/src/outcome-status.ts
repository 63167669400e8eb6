import type { OutcomeRecorded, OutcomeStatusClass } from '@switchyard/events'

/** What a reported status says about the payment. */
export type OutcomeClass = 'approved' | 'declined' | 'pending'

const APPROVED: ReadonlySet<string> = new Set([
  'CHARGED',
  'AUTHORIZED',
  'COD_INITIATED',
  'VOIDED',
  'VOID_INITIATED',
  'CAPTURE_INITIATED',
  'CAPTURE_FAILED',
  'VOID_FAILED',
  'AUTO_REFUNDED',
  'PARTIAL_CHARGED',
  'TO_BE_CHARGED',
])

const RECORDED: Readonly<Record<Exclude<OutcomeStatusClass, 'UNKNOWN'>, OutcomeClass>> = {
  SUCCESS: 'approved',
  FAILURE: 'declined',
  OPEN: 'pending',
}

/** Approved although the name says otherwise (the authorisation stood): analytics.md 6.4. Else a failing name, else still open. */
const classOfName = (status: string): OutcomeClass => {
  const name = status.toUpperCase()
  if (APPROVED.has(name)) return 'approved'
  return name === 'FAILURE' || name.includes('FAILED') || name.includes('DECLINED') ? 'declined' : 'pending'
}

/** What a status says: as it was recorded with it, else by its name. */
export const outcomeClassOf = (status: string, recorded: OutcomeStatusClass | null): OutcomeClass =>
  recorded === null || recorded === 'UNKNOWN' ? classOfName(status) : RECORDED[recorded]

/** What a report says of its payment: a failure that is enforced is one, whatever its status. */
export const reportedClassOf = ({ enforceFailure, status, statusClass }: OutcomeRecorded['data']): OutcomeClass =>
  enforceFailure ? 'declined' : outcomeClassOf(status, statusClass)
