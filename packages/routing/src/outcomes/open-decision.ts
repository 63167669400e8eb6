import type { Dated } from './cells.ts'
import type { PaymentTraits } from './payment-traits.ts'

/** An outcome of an open decision: one that counts in a window, or that was told and counts nowhere. A linked list, because nearly always there is one. */
export interface CountedOutcome {
  readonly gateway: string
  /** Number of the window's entry. */
  readonly sequence: number
  success: boolean
  /** Whether the gateway has said so; else the payment was open for too long, and what comes of it is not known yet. */
  isFinal: boolean
  /** Whether it speaks of the gateway's health for payments of another kind: of those that the payment was decided as before. */
  readonly otherHealth: boolean
  /**
   * Null where it counts. A failure that is excused ends the attempt, that of this decision or of one before it; all else that counts nowhere
   * was told.
   */
  readonly uncounted: 'excused' | 'excused-before' | 'told' | null
  /** The outcome before this one. */
  readonly earlier: CountedOutcome | null
}

/** A decision whose outcomes may still come. */
export interface OpenDecision extends Dated {
  readonly traits: PaymentTraits
  readonly cardIsIn: string | null
  /** How often the scores had been reset when it was made. */
  readonly epoch: number
  /** The newest outcome; of a gateway at most one that counts, one that is excused of each attempt, and a success and a failure that were told. */
  counted: CountedOutcome | null
}

/** The newest outcome of a gateway that is such a one; null when there is none. */
const newestOf = (open: OpenDecision, gateway: string, isMeant: (outcome: CountedOutcome) => boolean): CountedOutcome | null => {
  let outcome = open.counted
  while (outcome !== null && (outcome.gateway !== gateway || !isMeant(outcome))) outcome = outcome.earlier
  return outcome
}

const doesCount = ({ uncounted }: CountedOutcome): boolean => uncounted === null
const isExcused = ({ uncounted }: CountedOutcome): boolean => uncounted === 'excused' || uncounted === 'excused-before'
const isToldSuccess = ({ uncounted, success }: CountedOutcome): boolean => uncounted === 'told' && success
const isToldFailure = ({ uncounted, success }: CountedOutcome): boolean => uncounted === 'told' && !success

/** What counted of a gateway; null when nothing did. */
export const countedOf = (open: OpenDecision, gateway: string): CountedOutcome | null => newestOf(open, gateway, doesCount)

/** Which attempt at a gateway has ended with a failure that is excused, the newest one that has. */
export const excusedOf = (open: OpenDecision, gateway: string): CountedOutcome['uncounted'] =>
  newestOf(open, gateway, isExcused)?.uncounted ?? null

/** Whether this was told of a gateway, and counted nowhere. */
export const wasTold = (open: OpenDecision, gateway: string, success: boolean): boolean =>
  newestOf(open, gateway, success ? isToldSuccess : isToldFailure) !== null
