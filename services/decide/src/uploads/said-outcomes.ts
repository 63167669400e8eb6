import type { OutcomeRecorded } from '@switchyard/events'
import { countOf, RecentNumbers } from '@switchyard/routing'
import { UPLOAD_OUTCOME_COUNT_MAX } from '../limits.ts'

/** What an outcome says as 53 bits. */
export type SaidOutcome = number

/** What an upload has said, so that it counts once. */
export interface SaidOutcomes {
  /** Undefined when it was said before. */
  readonly say: (outcome: OutcomeRecorded) => SaidOutcome | undefined
  /** It could not be stored, and may be said again. */
  readonly takeBack: (said: SaidOutcome) => void
}

/** Nothing yet. Bounded: an upload says no more than {@link UPLOAD_OUTCOME_COUNT_MAX} outcomes. */
export const createSaidOutcomes = (): SaidOutcomes => {
  // A Set takes several times as long for numbers of this size: it was the dearest step of an outcome.
  const said = new RecentNumbers(UPLOAD_OUTCOME_COUNT_MAX)
  const takenBack = new Set<SaidOutcome>()
  return {
    say: ({ data }) => {
      const number = countOf(data)
      return said.add(number) || takenBack.delete(number) ? number : undefined
    },
    takeBack: (number) => {
      takenBack.add(number)
    },
  }
}
