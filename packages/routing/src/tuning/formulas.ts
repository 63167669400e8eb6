/** What the self-tuning may do, and how far it looks (analytics.md 7.1); all numbers above 0. */
export interface TuningRules {
  /** Time looked back on, milliseconds. */
  readonly lookbackMs: number
  /** Time within which a gateway that is not the best shall refill its window, milliseconds. */
  readonly horizonMs: number
  /** Payments of a group from which on it is tuned. */
  readonly paymentCountMin: number
  /** Window lengths, in outcomes. */
  readonly bucketSizeMin: number
  readonly bucketSizeMax: number
  /** Largest share of payments, in percent and in total, that explore. */
  readonly hedgingPercentMax: number
}

/** The rules that are shipped. */
export const SHIPPED_TUNING_RULES: TuningRules = {
  lookbackMs: 3_600_000,
  horizonMs: 3_600_000,
  paymentCountMin: 100,
  bucketSizeMin: 100,
  bucketSizeMax: 2_000,
  hedgingPercentMax: 30,
}

/** How many payments a group had in the time looked back on, and how many gateways (at least 2) they could go to. */
export interface Volume {
  readonly paymentCount: number
  readonly gatewayCount: number
}

const BUCKET_STEP = 25
const BUCKET_FACTOR = 5
/** Every gateway that is not the best sees at least this share of the payments. */
const SHARE_MIN = 0.01

/** Length of a window, in outcomes: the more payments a gateway sees, the longer it may be (analytics.md 7.4). */
export const tunedBucketSize = ({ paymentCount, gatewayCount }: Volume, { bucketSizeMin, bucketSizeMax }: TuningRules): number => {
  const wished = BUCKET_STEP * Math.round((BUCKET_FACTOR * Math.sqrt(paymentCount / (gatewayCount - 1))) / BUCKET_STEP)
  return Math.min(bucketSizeMax, Math.max(bucketSizeMin, wished))
}

/** Share of payments in percent that explore, so that every gateway can refill a window of `bucketSize` within the horizon (analytics.md 7.4). */
export const tunedHedgingPercent = ({ paymentCount, gatewayCount }: Volume, bucketSize: number, rules: TuningRules): number => {
  const others = gatewayCount - 1
  const payments = (paymentCount * rules.horizonMs) / rules.lookbackMs
  const share = Math.max(SHARE_MIN, Math.min(bucketSize / payments, rules.hedgingPercentMax / 100 / others))
  return Math.round(Math.min(share * others * 100, rules.hedgingPercentMax) * 100) / 100
}
