// Generated from schemas/ by `npm run generate`. Do not edit.
/** Form of a routing algorithm. */
export type AlgorithmKind = 'UNKNOWN' | 'SINGLE' | 'PRIORITY' | 'VOLUME_SPLIT' | 'ADVANCED'

/** What an algorithm is used for; one algorithm a purpose is active. */
export type AlgorithmPurpose = 'UNKNOWN' | 'PAYMENT' | 'PAYOUT' | 'THREE_DS_AUTHENTICATION'

/** Whether a rule matched. */
export type EvaluationStatus = 'UNKNOWN' | 'SUCCESS' | 'DEFAULT_SELECTION'

/** Boost of one gateway in units of the score's standard deviation. */
export interface GatewayExtraScore {
  /** The gateway. */
  readonly gatewayName: string
  /** Factor of sigma. */
  readonly gatewaySigmaFactor: number
}

/** Limit of a gateway's latency. */
export interface LatencyLimit {
  /** Milliseconds. */
  readonly gatewayLatencyMs: number | null
}

/** What a member may do in a merchant. */
export type MembershipRole = 'ADMIN' | 'MEMBER'

/** What the gateway said of a failure. */
export interface OutcomeError {
  /** Flow of the gateway. */
  readonly flow: string
  /** Sub-flow of the gateway. */
  readonly subFlow: string
  /** As reported. */
  readonly errorCode: string | null
  /** As reported. */
  readonly errorMessage: string | null
  /** As reported. */
  readonly issuerErrorCode: string | null
  /** As reported. */
  readonly cardNetwork: string | null
}

/** What a reported status says of a payment: authorised, refused, or not known yet. */
export type OutcomeStatusClass = 'UNKNOWN' | 'SUCCESS' | 'FAILURE' | 'OPEN'

/** Strategy of a decision. */
export type RankingAlgorithm = 'PL_BASED_ROUTING' | 'SR_BASED_ROUTING' | 'NTW_BASED_ROUTING' | 'NTW_SR_HYBRID_ROUTING'

/** Which success-rate windows a payment reads and feeds: one slot a field, null when the field is not part of the key or absent. */
export interface ScoringDimension {
  /** For example ORDER_PAYMENT. */
  readonly paymentType: string
  /** Upper-cased. */
  readonly paymentMethodType: string
  /** As sent. */
  readonly paymentMethod: string
  /** Extra dimension. */
  readonly cardNetwork: string | null
  /** Extra dimension. */
  readonly cardIsIn: string | null
  /** Extra dimension. */
  readonly currency: string | null
  /** Extra dimension. */
  readonly country: string | null
  /** Extra dimension. */
  readonly authType: string | null
  /** Values of the configured user-defined fields, in their order; null keeps the slot of one that the payment lacks. */
  readonly udfs: readonly (string | null)[]
}

/** Settings resolved once at decision time and used again for the outcome. */
export interface ScoringKnobs {
  /** Window length in outcomes. */
  readonly bucketSize: number
  /** Share of payments in percent that explore. */
  readonly hedgingPercent: number
  /** Age in milliseconds from which a pending report counts as failed. */
  readonly latencyThresholdMs: number
  /** Age in milliseconds up to which an outcome counts in windows; null for no limit. */
  readonly outcomeWindowMs: number | null
}

/** Scoring knobs of the payments that match all dimensions set. */
export interface SubLevelSettings {
  /** Dimension; null matches every payment. */
  readonly paymentMethodType: string | null
  /** Dimension; null matches every payment. */
  readonly paymentMethod: string | null
  /** Dimension; null matches every payment. */
  readonly cardNetwork: string | null
  /** Dimension; null matches every payment. */
  readonly cardIsIn: string | null
  /** Dimension; null matches every payment. */
  readonly currency: string | null
  /** Dimension; null matches every payment. */
  readonly country: string | null
  /** Dimension; null matches every payment. */
  readonly authType: string | null
  /** `autopilot` when machine-written. */
  readonly source: string | null
  /** Age in seconds from which a pending outcome counts as failed. */
  readonly latencyThresholdSeconds: number | null
  /** Window length in outcomes. */
  readonly bucketSize: number | null
  /** Share of payments in percent, 0 to 100, that explore. */
  readonly hedgingPercent: number | null
  /** Lower reset bound in sigmas. */
  readonly lowerResetFactor: number | null
  /** Upper reset bound in sigmas. */
  readonly upperResetFactor: number | null
  /** Boosts; null inherits. */
  readonly gatewayExtraScore: readonly GatewayExtraScore[] | null
}

/** Success-rate scoring of a merchant; null inherits the deployment default. */
export interface SuccessRateSettings {
  /** Age in seconds from which a pending outcome counts as failed. */
  readonly defaultLatencyThresholdSeconds: number | null
  /** Window length in outcomes. */
  readonly defaultBucketSize: number | null
  /** Share of payments in percent, 0 to 100, that explore. */
  readonly defaultHedgingPercent: number | null
  /** Lower reset bound in sigmas. */
  readonly defaultLowerResetFactor: number | null
  /** Upper reset bound in sigmas. */
  readonly defaultUpperResetFactor: number | null
  /** Boosts. */
  readonly defaultGatewayExtraScore: readonly GatewayExtraScore[] | null
  /** Finer settings, most specific first match wins. */
  readonly subLevelInputConfig: readonly SubLevelSettings[] | null
  /** Share of the amount that an approval is worth, as a ratio. */
  readonly margin: number | null
}
