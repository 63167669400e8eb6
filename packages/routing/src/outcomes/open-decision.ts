import type { Dated } from './cells.ts'
import type { PaymentTraits } from './payment-traits.ts'

/** An outcome of an open decision that counts in a window; a linked list, because nearly always there is one. */
export interface CountedOutcome {
  readonly gateway: string
  /** Number of the window's entry. */
  readonly sequence: number
  success: boolean
  /** Whether the gateway has said so; else the payment was open for too long, and what comes of it is not known yet. */
  isFinal: boolean
  /** Whether it speaks of the gateway's health for payments of another kind: of those that the payment was decided as before. */
  readonly otherHealth: boolean
  /** The outcome that counted before this one. */
  readonly earlier: CountedOutcome | null
}

/** A decision whose outcomes may still come. */
export interface OpenDecision extends Dated {
  readonly traits: PaymentTraits
  readonly cardIsIn: string | null
  /** How often the scores had been reset when it was made. */
  readonly epoch: number
  /** The newest outcome that counts; at most one a gateway. */
  counted: CountedOutcome | null
}

/** What counted of a gateway; null when nothing did. */
export const countedOf = (open: OpenDecision, gateway: string): CountedOutcome | null => {
  let outcome = open.counted
  while (outcome !== null && outcome.gateway !== gateway) outcome = outcome.earlier
  return outcome
}
