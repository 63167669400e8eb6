import type { ExperimentEffect } from '../experiments/experiment-payments.ts'

/**
 * What became of a report. `counted`: a new entry of a window. `corrected`: a success after a counted failure of the same
 * gateway. `confirmed`: a failure that has counted already, because the payment was open for too long. `pending`: not known
 * yet. `repeated`: says what was said before. `conflicting`: a failure after a counted success.
 * `excused`: a failure that says nothing about the gateway, by the error-code filter. `late`: after the outcome window.
 * `reset`: the scores were reset after the decision. `foreign`: the gateway was no candidate. `unscored`: a fixed arm of an
 * experiment decided, its outcomes say nothing about success rates. `waiting`: no decision is known (yet).
 */
export type OutcomeDisposition =
  | 'counted'
  | 'corrected'
  | 'confirmed'
  | 'pending'
  | 'repeated'
  | 'conflicting'
  | 'excused'
  | 'late'
  | 'reset'
  | 'foreign'
  | 'unscored'
  | 'waiting'

/** State of a success-rate window; without outcomes the value is 1. */
export interface GatewayScore {
  /** Mean over the window, 0 to 1. */
  readonly value: number
  /** Real outcomes in the window, without the optimistic filling. */
  readonly sampleCount: number
  /** Length of the window in outcomes. */
  readonly bucketSize: number
}

/** The payment that a report belongs to, as its decision knew it. */
export interface JudgedPayment {
  /** Epoch milliseconds. */
  readonly decidedAt: number
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  readonly cardIsIn: string | null
  readonly currency: string
  readonly country: string | null
  readonly authType: string | null
  /** Names the windows that the payment reads and feeds. */
  readonly window: string
  /** Whether success rates chose between several gateways. */
  readonly bySuccessRate: boolean
}

/** Outcomes that left an adaptive window because a change of the gateway's rate made them old. */
export interface DroppedOutcomes {
  /** Real outcomes that left. */
  readonly count: number
  /** Their share of successes, 0 to 1. */
  readonly olderRate: number
  /** Share of successes of those that stay, 0 to 1. */
  readonly newerRate: number
}

/**
 * What one report did. A report that waited for its decision has a second effect when the decision comes, a pending one when
 * it becomes a failure.
 */
export interface OutcomeEffect {
  readonly merchantId: string
  readonly paymentId: string
  /** Request of the report. */
  readonly requestId: string
  readonly gateway: string
  /** As reported. */
  readonly status: string
  /** When it was reported, or when a pending one was due, epoch milliseconds. */
  readonly at: number
  readonly disposition: OutcomeDisposition
  /** What it counted as; null when it did not count. */
  readonly success: boolean | null
  /** The window after a report that counted; null otherwise, and when the window has been forgotten. */
  readonly score: GatewayScore | null
  /** A success that took longer than the merchant's limit; it counts like any other. */
  readonly slow: boolean
  /** Null while nothing is dropped. */
  readonly dropped: DroppedOutcomes | null
  /** Whether the report showed that the gateway went down or came back (contract/README.md 2). */
  readonly health: 'down' | 'up' | null
  /** Null when no decision is known. */
  readonly payment: JudgedPayment | null
}

/** What an event did: to the scores, or to an experiment. */
export type PaymentEffect = OutcomeEffect | ExperimentEffect

/** What of an effect follows from holding the report against its decision. */
export type Judgement = Pick<OutcomeEffect, 'disposition' | 'success' | 'score' | 'slow' | 'dropped' | 'health'>

/** Of a report that counts in no window. */
export const uncounted = (disposition: OutcomeDisposition): Judgement => ({
  disposition,
  success: null,
  score: null,
  slow: false,
  dropped: null,
  health: null,
})
