import type { Dated } from './cells.ts'
import type { PaymentTraits } from './payment-traits.ts'

/** An outcome of an open decision that counts in a window, or whose failure is excused; a linked list, because nearly always there is one. */
export interface CountedOutcome {
  readonly gateway: string
  /** Number of the window's entry. */
  readonly sequence: number
  success: boolean
  /** Whether the gateway has said so; else the payment was open for too long, and what comes of it is not known yet. */
  isFinal: boolean
  /** Whether it speaks of the gateway's health for payments of another kind: of those that the payment was decided as before. */
  readonly otherHealth: boolean
  /** Null where it counts. A failure that is excused counts nowhere, and only says that the attempt has ended: that of this decision, or of an earlier one. */
  readonly excused: 'now' | 'earlier' | null
  /** The outcome before this one. */
  readonly earlier: CountedOutcome | null
}

/** A decision whose outcomes may still come. */
export interface OpenDecision extends Dated {
  readonly traits: PaymentTraits
  readonly cardIsIn: string | null
  /** How often the scores had been reset when it was made. */
  readonly epoch: number
  /** The newest outcome; of a gateway at most one that counts, and one that is excused of each attempt. */
  counted: CountedOutcome | null
}

/** What counted of a gateway; null when nothing did. */
export const countedOf = (open: OpenDecision, gateway: string): CountedOutcome | null => {
  let outcome = open.counted
  while (outcome !== null && (outcome.gateway !== gateway || outcome.excused !== null)) outcome = outcome.earlier
  return outcome
}

/** Which attempt at a gateway has ended with a failure that is excused, the newest one that has. */
export const excusedOf = (open: OpenDecision, gateway: string): CountedOutcome['excused'] => {
  let outcome = open.counted
  while (outcome !== null && (outcome.gateway !== gateway || outcome.excused === null)) outcome = outcome.earlier
  return outcome === null ? null : outcome.excused
}
