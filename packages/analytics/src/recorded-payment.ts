import type { ApiKeysUsed, GatewayScoresReset, PaymentsEvent } from '@switchyard/events'
import type { Position, RequestTrace } from '@switchyard/kernel'

/**
 * What became of an outcome: it moved a window (`counted`, `corrected`), did not need to (`confirmed`, `pending`,
 * `repeated`, `conflicting`, `excused`, `late`, `reset`, `foreign`, `unscored`), or no decision is known for it yet (`waiting`).
 */
export type Disposition =
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

/** What an outcome showed of its gateway beside its success. */
export interface GatewayNews {
  /** A success that took longer than the merchant's limit. */
  readonly slow: boolean
  /** Outcomes that left the window because the gateway's rate has changed; rates are shares of successes, 0 to 1. */
  readonly dropped: { readonly count: number; readonly olderRate: number; readonly newerRate: number } | null
  /** The gateway went down or came back. */
  readonly health: 'down' | 'up' | null
}

/** What the success-rate fold made of one outcome; of an outcome that waited it comes with the decision. */
export interface OutcomeEffect extends GatewayNews {
  readonly merchantId: string
  readonly paymentId: string
  readonly requestId: string
  readonly gateway: string
  /** As reported. */
  readonly status: string
  /** When the outcome was reported, epoch milliseconds. */
  readonly at: number
  readonly disposition: Disposition
  /** What it counted as; null when it was not counted. */
  readonly success: boolean | null
  /** The window after the outcome; `sampleCount` are real outcomes only. */
  readonly score: { readonly value: number; readonly sampleCount: number; readonly bucketSize: number } | null
  /** The decided payment; null while none is known. */
  readonly payment: DecidedPayment | null
}

/** An arm of an experiment. */
export type Arm = 'CONTROL' | 'VARIANT'

/** What is known of a payment's end: nothing final, only failures, or a success. */
export type ExperimentStanding = 'open' | 'failed' | 'succeeded'

/** What an event changed of an experiment: a payment fell into an arm (`before` is null), or its end became known. */
export interface ExperimentEffect {
  readonly merchantId: string
  readonly paymentId: string
  readonly experimentId: string
  readonly arm: Arm
  /** When the payment fell into the arm, epoch milliseconds. */
  readonly assignedAt: number
  /** When this happened, epoch milliseconds. */
  readonly at: number
  /** The gateway that was decided. */
  readonly gateway: string
  /** Major currency units. */
  readonly amount: number
  /** What it costs at the decided gateway, bps of the amount; null when nothing tells, and when the end is of another gateway. */
  readonly costBps: number | null
  /** Saved beside the gateway with the best approval, bps of the amount; null when cost was not weighed. */
  readonly savedBps: number | null
  readonly segment: Pick<PaymentDimensions, 'paymentMethodType' | 'paymentMethod' | 'cardNetwork' | 'currency' | 'country'>
  readonly before: ExperimentStanding | null
  readonly standing: ExperimentStanding
  /** As reported with the outcome, milliseconds. */
  readonly gatewayLatencyMs: number | null
}

/** What the fold made of an event. */
export type PaymentEffect = OutcomeEffect | ExperimentEffect

/** Dimensions of a decided payment, as sent with the decision. */
export interface PaymentDimensions {
  /** Epoch milliseconds. */
  readonly decidedAt: number
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  /** First digits of the card number. */
  readonly cardIsIn: string | null
  readonly currency: string
  readonly country: string | null
  readonly authType: string | null
  /** Names the windows that the payment reads and feeds: scores of gateways are held against each other within one. */
  readonly window: string
}

/** The payment that an outcome belongs to, as its decision knew it. */
export interface DecidedPayment extends PaymentDimensions {
  /** Whether success rates chose between several gateways. */
  readonly bySuccessRate: boolean
}

/** Events that are about a payment or a request; a reset and the use of keys are about the merchant. */
export type TimelineEvent = Exclude<PaymentsEvent, GatewayScoresReset | ApiKeysUsed>

export const isTimelineEvent = (event: PaymentsEvent): event is TimelineEvent =>
  event.type !== 'GatewayScoresReset' && event.type !== 'ApiKeysUsed'

/** A merchant's id came back: what was recorded before is of an earlier merchant. */
export const isNewBeginning = (event: PaymentsEvent): boolean =>
  event.type === 'GatewayScoresReset' && event.data.cause === 'REGISTERED_AGAIN'

/** An event of the topic `payments` with what the fold made of it: what the projections of this package read. */
export interface RecordedPayment {
  readonly event: PaymentsEvent
  readonly effects: readonly PaymentEffect[]
  readonly position: Position
  readonly eventId: string
  /** Who caused it, where its record says so. */
  readonly actor?: string | null
  /** Of the request that led to it, where its record says so. */
  readonly trace?: RequestTrace
}

const NO_OUTCOMES: readonly OutcomeEffect[] = []

const isOutcome = (effect: PaymentEffect): effect is OutcomeEffect => 'disposition' in effect

/** What an event did to the scores. */
export const outcomesOf = ({ effects }: Pick<RecordedPayment, 'effects'>): readonly OutcomeEffect[] => {
  if (effects.length === 0) return NO_OUTCOMES
  // Asked for many times an event; nearly all events have no other effects.
  return effects.every(isOutcome) ? effects : effects.filter(isOutcome)
}

const NO_EXPERIMENTS: readonly ExperimentEffect[] = []

/** What an event changed of experiments. */
export const experimentsOf = ({ effects }: Pick<RecordedPayment, 'effects'>): readonly ExperimentEffect[] =>
  effects.length === 0 ? NO_EXPERIMENTS : effects.filter((effect) => 'standing' in effect)

/**
 * The outcome's own effect among those of its event; undefined for other events. It is the last one: what the time that went by
 * made of earlier reports comes before it, and a caller may have sent those with the same request id.
 */
export const ownEffectOf = ({ event, effects }: RecordedPayment): OutcomeEffect | undefined => {
  if (event.type !== 'OutcomeRecorded') return undefined
  const { paymentId, requestId, gateway } = event.data
  return outcomesOf({ effects }).findLast(
    (effect) => effect.requestId === requestId && effect.paymentId === paymentId && effect.gateway === gateway,
  )
}
