import type { PaymentsEvent } from '@switchyard/events'
import { PAYMENT_FOLD_LIMITS, type PaymentFoldLimits } from './limits.ts'
import type { OutcomeEffect } from './outcome-effect.ts'
import { createPaymentFold, type PaymentFold } from './payment-fold.ts'
import { sampleDecision } from './sample-events.fixture.ts'

/** The dimension of all sample decisions. */
export const { dimension } = sampleDecision().data

export const MINUTE = 60_000

/** Scores of the sample merchant's gateways, over windows of 5. */
export const scores = (fold: PaymentFold, gateways: readonly string[] = ['stripe', 'adyen', 'checkout']): readonly number[] =>
  fold.scoresOf({ merchantId: 'm_1', dimension, gateways, bucketSize: 5 })

/** A fold of what happened, and what one more event does to it. */
export const given = (...past: readonly PaymentsEvent[]) => ({
  when: (
    event: PaymentsEvent,
    limits: PaymentFoldLimits = PAYMENT_FOLD_LIMITS,
  ): { effects: readonly OutcomeEffect[]; fold: PaymentFold } => {
    const fold = createPaymentFold(limits)
    for (const one of past) fold.apply(one)
    return { effects: (fold.apply(event) ?? []).filter((effect) => 'disposition' in effect), fold }
  },
})

/** The limits of every deployment but for these. */
export const limitedTo = (changes: Partial<PaymentFoldLimits>): PaymentFoldLimits => ({ ...PAYMENT_FOLD_LIMITS, ...changes })
