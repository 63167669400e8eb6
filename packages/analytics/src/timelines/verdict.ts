import { assertNever } from '@switchyard/kernel'
import type { OutcomeClass } from '../outcome-status.ts'
import type { OutcomeFacts, TimelineEntry } from './timeline-entry.ts'

/**
 * Where a payment stands: `decided` without feedback, `approved`, `declined`, `pending`, `error` when every call failed;
 * of an evaluation of rules `evaluated` (a rule matched) or `defaulted`.
 */
export type Verdict = 'decided' | 'approved' | 'declined' | 'pending' | 'error' | 'evaluated' | 'defaulted'

/** What a report says of its payment: a failure that is enforced is one, whatever its status. */
export const classOf = ({ enforceFailure, outcomeClass }: OutcomeFacts): OutcomeClass => (enforceFailure ? 'declined' : outcomeClass)

const verdictOfEntry = ({ facts, status }: TimelineEntry): Verdict => {
  switch (facts.kind) {
    case 'decision':
    case 'rule-hit':
      return 'decided'
    case 'outcome':
      return classOf(facts)
    case 'evaluation':
      return status === 'default_selection' ? 'defaulted' : 'evaluated'
    case 'refusal':
      return 'error'
    default:
      return assertNever(facts)
  }
}

/** Lower ranks never replace higher ones: a decision or a refused call does not undo what a gateway said, and an approval stays. */
const RANKS: Readonly<Record<Verdict, number>> = {
  error: 0,
  decided: 1,
  defaulted: 1,
  evaluated: 1,
  pending: 2,
  declined: 2,
  approved: 3,
}

/** The verdict after one more entry; null before the first one. */
export const nextVerdict = (current: Verdict | null, entry: TimelineEntry): Verdict => {
  const next = verdictOfEntry(entry)
  return current === null || RANKS[next] >= RANKS[current] ? next : current
}
