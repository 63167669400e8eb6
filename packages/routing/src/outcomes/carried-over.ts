import { CANDIDATE_COUNT_MAX } from '../decide/ranking.ts'
import { type CountedOutcome, excusedOf, type OpenDecision } from './open-decision.ts'
import type { PaymentTraits } from './payment-traits.ts'

/** A window's first entry: a success from the start, so that turning it to one changes nothing. */
const OPTIMISTIC_SEQUENCE = 0

/** Gateways of a payment of which what counted goes over to its next decision, the newest ones: as many as a decision can have. */
const CARRIED_COUNT_MAX = CANDIDATE_COUNT_MAX

/** What goes over, newest first: of the attempts at a gateway that were excused the newest one, and nothing that was only told. */
const newestOf = (open: OpenDecision): readonly CountedOutcome[] => {
  const newest: CountedOutcome[] = []
  for (let outcome = open.counted; outcome !== null && newest.length < CARRIED_COUNT_MAX; outcome = outcome.earlier) {
    const isOutdated = outcome.uncounted === 'excused-before' && excusedOf(open, outcome.gateway) === 'excused'
    if (outcome.uncounted !== 'told' && !isOutdated) newest.push(outcome)
  }
  return newest
}

/**
 * What counted under an earlier decision of the payment counts no second time, whether the gateway is a candidate now or under a later one. In
 * another window there is no entry of it that a later success could correct, and for another kind of payment no failure that one could take back.
 */
export const carriedOver = (open: OpenDecision, { dimensionKey, healthGroup }: PaymentTraits): CountedOutcome | null => {
  const { traits } = open
  const isOtherWindow = dimensionKey !== traits.dimensionKey
  const isOtherHealth = healthGroup !== traits.healthGroup
  return newestOf(open).reduceRight<CountedOutcome | null>(
    (earlier, outcome) => ({
      ...outcome,
      sequence: isOtherWindow ? OPTIMISTIC_SEQUENCE : outcome.sequence,
      otherHealth: isOtherHealth || outcome.otherHealth,
      uncounted: outcome.uncounted === null ? null : 'excused-before',
      earlier,
    }),
    null,
  )
}
