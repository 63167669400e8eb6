import type { IdleRun, ToldCalibration } from '@switchyard/analytics'

/** Words of the interface for what became of a group of payments. */
export const CALIBRATION_OUTCOMES: Readonly<Record<ToldCalibration['outcome'], string>> = {
  UNKNOWN: 'unknown',
  APPLIED: 'applied',
  UNCHANGED: 'unchanged',
  SKIPPED_HUMAN: 'skipped_human',
  INSUFFICIENT_TRAFFIC: 'insufficient_traffic',
  OBSERVE_ONLY: 'observe_only',
  WITHDRAWN: 'withdrawn',
  ROWS_FULL: 'rows_full',
}

const slot = (value: string | null): string => (value === null || value === '' ? '-' : value)

const idOf = (merchantId: string, kind: string, one: ToldCalibration): string =>
  [
    kind,
    merchantId,
    slot(one.paymentMethodType),
    slot(one.paymentMethod),
    slot(one.cardNetwork),
    slot(one.currency),
    slot(one.country),
    slot(one.authType),
    one.at,
  ].join(':')

const present = (members: Readonly<Record<string, string | number | null>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The dimensions of a group, and its values where there are any: absent when null (analytics.md 5.2). */
export const calibratedMembers = (one: ToldCalibration): object =>
  present({
    bucket_size: one.bucketSize,
    previous_bucket_size: one.previousBucketSize,
    hedging_percent: one.hedgingPercent,
    previous_hedging_percent: one.previousHedgingPercent,
    card_network: one.cardNetwork,
    currency: one.currency,
    country: one.country,
    auth_type: one.authType,
  })

/** An event of the feed. */
export type FeedEvent = { readonly id: string; readonly bucket_ms: number } & Readonly<Record<string, unknown>>

/** A group of a run of the self-tuning as an event of the feed (analytics.md 5.2, 7.5). What was not applied is `calibration_evaluated`. */
export const calibrationEvent = (merchantId: string, one: ToldCalibration): FeedEvent => {
  const kind = one.outcome === 'APPLIED' ? 'calibration_applied' : 'calibration_evaluated'
  return {
    id: idOf(merchantId, kind, one),
    event_type: kind,
    merchant_id: merchantId,
    payment_method_type: one.paymentMethodType,
    payment_method: one.paymentMethod,
    bucket_ms: one.at,
    gateway: '',
    previous_gateway: null,
    score: null,
    previous_score: null,
    transaction_count: null,
    at_ms: one.at,
    ...calibratedMembers(one),
    flow_type: 'autopilot_calibration',
    outcome: CALIBRATION_OUTCOMES[one.outcome],
    payment_count: one.paymentCount,
    gateway_count: one.gatewayCount,
    hedging_capped: one.isHedgingCapped,
  }
}

const NO_PAYMENTS: Omit<ToldCalibration, keyof IdleRun> = {
  paymentMethodType: '',
  paymentMethod: '',
  cardNetwork: null,
  currency: null,
  country: null,
  authType: null,
  paymentCount: 0,
  gatewayCount: 0,
  outcome: 'INSUFFICIENT_TRAFFIC',
  bucketSize: null,
  previousBucketSize: null,
  hedgingPercent: null,
  previousHedgingPercent: null,
  isHedgingCapped: false,
}

/** A run that found no payments: every run is an event (interface, Events), also one without a group to tell of. */
export const idleRunEvent = (merchantId: string, run: IdleRun): FeedEvent => ({
  ...calibrationEvent(merchantId, { ...NO_PAYMENTS, ...run }),
  payment_method_type: null,
  payment_method: null,
})
