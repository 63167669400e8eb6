// Generated from schemas/ by `npm run generate`. Do not edit.
/** Form of a routing algorithm. */
export type AlgorithmKind = 'UNKNOWN' | 'SINGLE' | 'PRIORITY' | 'VOLUME_SPLIT' | 'ADVANCED' | 'AB_TEST'

/** What an algorithm is used for; one algorithm a purpose is active. */
export type AlgorithmPurpose = 'UNKNOWN' | 'PAYMENT' | 'PAYOUT' | 'THREE_DS_AUTHENTICATION'

/** How often the cards of a BIN had a published rate on a day. */
export interface BinRateOfDay {
  /** Six digits. */
  readonly bin: string
  /** The day, in units of days since 1970-01-01. */
  readonly epochDay: number
  /** Published rate, whole bps as text. */
  readonly rate: string
  /** Payments. */
  readonly paymentCount: number
}

/** How often the cards of a BIN had a published rate. */
export interface BinRateSeen {
  /** Six digits. */
  readonly bin: string
  /** Published rate, whole bps as text. */
  readonly rate: string
  /** Payments. */
  readonly paymentCount: number
}

/** What a run of the self-tuning made of one group of payments. */
export type CalibrationOutcome = 'UNKNOWN' | 'APPLIED' | 'UNCHANGED' | 'SKIPPED_HUMAN' | 'INSUFFICIENT_TRAFFIC' | 'OBSERVE_ONLY' | 'WITHDRAWN' | 'ROWS_FULL'

/** Where the networks of a card are known from. */
export type CardDataSource = 'UNKNOWN' | 'METADATA' | 'BIN_TABLE'

/** A group of payments as a run of the self-tuning saw it, and what it made of it. */
export interface ClusterCalibration {
  /** As sent with the payments. */
  readonly paymentMethodType: string
  /** As sent with the payments. */
  readonly paymentMethod: string
  /** As sent with the payments; null when the merchant does not tell windows apart by it, and for payments without it. */
  readonly cardNetwork: string | null
  /** As sent with the payments; null when the merchant does not tell windows apart by it, and for payments without it. */
  readonly currency: string | null
  /** As sent with the payments; null when the merchant does not tell windows apart by it, and for payments without it. */
  readonly country: string | null
  /** As sent with the payments; null when the merchant does not tell windows apart by it, and for payments without it. */
  readonly authType: string | null
  /** Decided payments in the time looked back on. */
  readonly paymentCount: number
  /** Gateways that they could go to. */
  readonly gatewayCount: number
  /** What became of it. */
  readonly outcome: CalibrationOutcome
  /** Window length that was worked out, in outcomes; null with too little traffic. */
  readonly bucketSize: number | null
  /** Window length of the row that was there, in outcomes; null without one. */
  readonly previousBucketSize: number | null
  /** Share of exploring payments that was worked out, in percent; null with too little traffic. */
  readonly hedgingPercent: number | null
  /** Share in percent of the row that was there; null without one. */
  readonly previousHedgingPercent: number | null
  /** Whether exploring as much as the formula says would have cost more approvals than allowed. */
  readonly isHedgingCapped: boolean
}

/** A rate of a contract and the payments that it is for; null for any. */
export interface ContractRate {
  /** The gateway. */
  readonly gateway: string
  /** Card network. */
  readonly network: string | null
  /** credit or debit. */
  readonly funding: string | null
  /** Program of the card. */
  readonly program: string | null
  /** Currency of the payment. */
  readonly currency: string | null
  /** Country or region of the issuer. */
  readonly issuer: string | null
  /** Interchange, bps of the amount. */
  readonly interchangeBps: number
  /** Scheme fee, bps of the amount. */
  readonly schemeBps: number
  /** Markup, bps of the amount. */
  readonly markupBps: number
  /** Addition per payment, in major units. */
  readonly fixed: number
  /** Name for people. */
  readonly label: string | null
  /** Amount that examples show, in major units. */
  readonly exampleAmount: number | null
}

/** What a cost was learned from: payments one by one, or a report of totals. */
export type CostBasis = 'UNKNOWN' | 'PAYMENTS' | 'TOTALS'

/** How approval and cost of a payment were weighed. */
export interface CostChoice {
  /** What decided. */
  readonly outcome: CostOutcome
  /** Why. */
  readonly cause: CostChoiceCause
  /** Share of the amount that an approved payment earns, as a ratio. */
  readonly marginRatio: number
  /** Best gateway by approval; null when there was none. */
  readonly head: string | null
  /** The gateway that was chosen by it; null when nothing was decided. */
  readonly chosen: string | null
  /** Cost of the head less that of the chosen one, bps of the amount; null unless cost won. */
  readonly costSavedBps: number | null
  /** Expected value of the best less that of the second, as a ratio; null with fewer than two. */
  readonly gapRatio: number | null
  /** What was weighed, best first; empty when nothing was. */
  readonly ranked: readonly WeighedGateway[]
  /** Position in the log of the last fit that the costs include; null when nothing is learned. */
  readonly modelVersion: string | null
}

/** Why cost or approval decided. */
export type CostChoiceCause = 'UNKNOWN' | 'ONE_CANDIDATE' | 'NO_SCORE' | 'HEAD_WITHOUT_COST' | 'HEAD_WITHOUT_PROFIT' | 'HEAD_BEST' | 'PROMOTED'

/** Payments of one account that are expected to be priced by one line. */
export interface CostCluster {
  /** Lower case; empty for what is no card. */
  readonly cardNetwork: string
  /** Lower case. */
  readonly variant: string
  /** debit, credit, prepaid, commercial or empty. */
  readonly funding: string
  /** As the report spells it. */
  readonly issuerCountry: string
  /** Settlement currency, as the report spells it. */
  readonly currency: string
  /** Label of the category; empty when there is none. */
  readonly interchangeCategory: string
  /** Published rate that tells cards of one category apart; empty when unknown. */
  readonly cardProduct: string
}

/** Seven fields that name a cluster of payments to people, lower case. */
export interface CostClusterKey {
  /** The connector. */
  readonly connector: string
  /** Network; empty for what is no card. */
  readonly cardNetwork: string
  /** Variant of the payment method. */
  readonly variant: string
  /** debit, credit, prepaid, commercial or empty. */
  readonly funding: string
  /** Country of the issuer. */
  readonly issuerCountry: string
  /** Settlement currency. */
  readonly currency: string
  /** Interchange category; may be empty. */
  readonly interchangeCategory: string
}

/** A price: a share of the amount and an addition per payment. */
export interface CostFee {
  /** Share of the amount, bps. */
  readonly pctBps: number
  /** Addition per payment, in major units of the currency. */
  readonly fixed: number
}

/** Whether cost or approval decided where a payment goes. */
export type CostOutcome = 'UNKNOWN' | 'COST_WON' | 'AUTH_WON'

/** What said what a payment costs on a gateway: a fee that people set, what is learned (of its own cluster, or of ever more), or a contract. */
export type CostSource = 'UNKNOWN' | 'CLUSTER_OVERRIDE' | 'CONNECTOR_OVERRIDE' | 'EXACT' | 'PRODUCTS' | 'VARIANTS' | 'REGION' | 'CONTRACT'

/** A piece of a price that changes with the amount. */
export interface CostTier {
  /** First amount, in major units. */
  readonly from: number
  /** First amount beyond, in major units. */
  readonly to: number
  /** Null when the amounts do not differ. */
  readonly fee: CostFee | null
  /** Error of the price, bps of the value; null when unknown. */
  readonly errorBps: number | null
  /** Payments behind it. */
  readonly paymentCount: number
  /** Their value, in major units. */
  readonly gross: number
  /** What it is worth. */
  readonly verdict: CostVerdict
}

/** What a learned cost is worth: enough payments on a line, too few of them, or enough and no line fits. */
export type CostVerdict = 'UNKNOWN' | 'GOOD' | 'THIN' | 'NON_LINEAR'

/** Why an attempt at delivering an event was made. */
export type DeliveryAttemptKind = 'UNKNOWN' | 'INITIAL' | 'AUTOMATIC' | 'MANUAL'

/** Settings of elimination resolved once at decision time: what the outcomes of the payment say about the gateway being up. */
export interface EliminationKnobs {
  /** Whether gateways that are down came last in this decision. */
  readonly enabled: boolean
  /** Share of successes, 0 to 1, below which a gateway is down. */
  readonly threshold: number
  /** Latency in milliseconds above which a success is slow; null for no limit. */
  readonly latencyLimitMs: number | null
  /** Age in milliseconds at which an outcome counts half. */
  readonly halfLifeMs: number
  /** Weight of outcomes, in units of one new outcome, from which on the share counts. */
  readonly sampleCount: number
  /** Failures in a row that take a gateway down. */
  readonly failureRunCount: number
  /** Successes in a row that bring it back. */
  readonly recoveryRunCount: number
  /** Milliseconds after the newest outcome at which all is forgotten. */
  readonly ageMsMax: number
}

/** Why an endpoint was disabled by the system. */
export type EndpointDisabling = 'UNKNOWN' | 'FAILURES' | 'GONE'

/** Whether a rule matched. */
export type EvaluationStatus = 'UNKNOWN' | 'SUCCESS' | 'DEFAULT_SELECTION'

/** Arm of an experiment. */
export type ExperimentArm = 'UNKNOWN' | 'CONTROL' | 'VARIANT'

/** Part of a payment in an experiment. */
export interface ExperimentAssignment {
  /** The experiment: a routing algorithm of the merchant. */
  readonly experimentId: string
  /** Arm that the payment fell into. */
  readonly arm: ExperimentArm
  /** Algorithm of the arm; null when it routes by success rates. */
  readonly algorithmId: string | null
  /** What the arm set in place of the merchant's settings; null for nothing. */
  readonly overrides: ExperimentOverrides | null
  /** Why the payment was routed as without the experiment and does not count in it; null when it counts. */
  readonly exclusion: ExperimentExclusion | null
}

/** Why a payment was left out of an experiment. */
export type ExperimentExclusion = 'UNKNOWN' | 'ALGORITHM_MISSING' | 'ALGORITHM_FAILED' | 'NO_CANDIDATE'

/** Settings of an experiment's arm in place of the merchant's; null where the merchant's apply. */
export interface ExperimentOverrides {
  /** Total share of payments, in percent, that go to other than the best gateway. */
  readonly hedgingPercent: number | null
  /** Share of successes, 0 to 1, below which a gateway is down. */
  readonly eliminationThreshold: number | null
  /** Whether costs have a say. */
  readonly multiObjective: boolean | null
  /** Share of the amount that an approval is worth, as a ratio. */
  readonly margin: number | null
  /** False: entries of the self-tuning job are passed over. */
  readonly useAutopilot: boolean | null
}

/** What is learned about the payments of one account that are priced alike. */
export interface FittedCostCluster {
  /** Lower case; empty for what is no card. */
  readonly cardNetwork: string
  /** Lower case. */
  readonly variant: string
  /** debit, credit, prepaid, commercial or empty. */
  readonly funding: string
  /** As the report spells it. */
  readonly issuerCountry: string
  /** Settlement currency, as the report spells it. */
  readonly currency: string
  /** Label of the category; empty when there is none. */
  readonly interchangeCategory: string
  /** Published rate that tells cards of one category apart; empty when unknown. */
  readonly cardProduct: string
  /** What it was learned from. */
  readonly basis: CostBasis
  /** The line; null when the amounts do not differ. */
  readonly fee: CostFee | null
  /** Payments behind it. */
  readonly paymentCount: number
  /** Their value, in major units of the currency. */
  readonly gross: number
  /** Error of the line, bps of the value; 999999 when unknown. */
  readonly errorBps: number
  /** Half width of the 95 % interval of the share, bps; 999999 when unknown. */
  readonly slopeErrorBps: number
  /** Share of the variance that the line explains; null when unknown. */
  readonly explainedRatio: number | null
  /** What it is worth. */
  readonly verdict: CostVerdict
  /** Pieces by amount, ascending; empty unless the whole is not GOOD and pieces of it are. */
  readonly tiers: readonly CostTier[]
  /** Payments by channel and size, for guessing the category of a payment before it settles. */
  readonly seen: readonly PaymentsSeen[]
  /** What changes of its price are told against; null until enough new payments lie on a line. */
  readonly price: KnownPrice | null
}

/** What the deployment's error-code table says of a gateway's error. */
export interface GatewayErrorClass {
  /** What to do with the payment: retry or do_default. */
  readonly decision: string
  /** Whether authenticating the payer may help. */
  readonly stepUpPossible: boolean
  /** Whether sending the card number instead of a token may help. */
  readonly clearPanPossible: boolean
  /** Whether another card network may help. */
  readonly alternateNetworkPossible: boolean
  /** Code that is the same for all gateways. */
  readonly unifiedCode: string | null
  /** Message that is the same for all gateways. */
  readonly unifiedMessage: string | null
  /** Kind of the error. */
  readonly errorCategory: string | null
  /** Name of the error within its kind. */
  readonly standardisedCode: string | null
  /** What happened, for merchants. */
  readonly description: string | null
  /** What the payer can do. */
  readonly userGuidanceMessage: string | null
}

/** Boost of one gateway in units of the score's standard deviation. */
export interface GatewayExtraScore {
  /** The gateway. */
  readonly gatewayName: string
  /** Factor of sigma. */
  readonly gatewaySigmaFactor: number
}

/** A line of the invoice of a connector, as it stands in the file. */
export interface InvoiceLine {
  /** What is charged for. */
  readonly description: string
  /** What is charged, in major units of the currency of the invoice; of a line that tells the turnover: the turnover. */
  readonly amount: number
  /** Payments that it is charged for; 0 when not told. */
  readonly paymentCount: number
}

/** Where the value of a scoring knob came from. */
export type KnobSource = 'UNKNOWN' | 'MERCHANT_ROW' | 'MERCHANT_DEFAULT' | 'DEPLOYMENT_ROW' | 'DEPLOYMENT_DEFAULT' | 'CONSTANT' | 'EXPERIMENT'

/** Where the scoring knobs of a decision came from. */
export interface KnobSources {
  /** Of the window length. */
  readonly bucketSize: KnobSource
  /** Of the share that explores. */
  readonly hedgingPercent: KnobSource
  /** Of the age from which a pending report counts as failed. */
  readonly latencyThreshold: KnobSource
  /** Of the boosts of single gateways. */
  readonly extraScores: KnobSource
}

/** What the newest payments of a cluster cost when they were looked at: what later ones are compared with. */
export interface KnownPrice {
  /** The price. */
  readonly fee: CostFee
  /** Standard error of its share, bps. */
  readonly pctErrorBps: number
  /** Standard error of its addition per payment, in major units of the currency. */
  readonly fixedError: number
  /** Payments up to this day were looked at, in units of days since 1970-01-01. */
  readonly lookedAtEpochDay: number
}

/** Limit of a gateway's latency. */
export interface LatencyLimit {
  /** Milliseconds. */
  readonly gatewayLatencyMs: number | null
}

/** What became of a mail. */
export type MailOutcome = 'UNKNOWN' | 'SENT' | 'ABANDONED'

/** How a person came to be member of a merchant. */
export type MembershipOrigin = 'UNKNOWN' | 'SIGNED_UP' | 'INVITED' | 'ONBOARDED'

/** What a member may do in a merchant. */
export type MembershipRole = 'ADMIN' | 'MEMBER'

/** The networks of a debit payment by cost, and what the order follows from. */
export interface NetworkCosts {
  /** Cheapest first. */
  readonly options: readonly NetworkOption[]
  /** Networks of the card that have no say: unknown, unpriced, or supported by no candidate. */
  readonly skipped: readonly string[]
  /** ISO 3166 alpha-2 code. */
  readonly issuerCountry: string
  /** ISO 3166 alpha-2 code. */
  readonly acquirerCountry: string
  /** Whether the law caps what the issuer takes. */
  readonly isRegulated: boolean
  /** Name of the regulation. */
  readonly regulatedName: string | null
  /** debit or credit. */
  readonly cardType: string
  /** Where the card's networks are known from. */
  readonly source: CardDataSource
  /** Merchant category of the fee table that priced the payment. */
  readonly category: string
  /** Fee table that priced the payment. */
  readonly feeTableVersion: string
}

/** A card network that a debit payment may go over, and what it costs. */
export interface NetworkOption {
  /** For example STAR. */
  readonly network: string
  /** What the payment costs over it, in units of the amount, unrounded. */
  readonly fee: number
  /** Of the amount, against the cheapest network that is accepted all over the world. */
  readonly savingPercent: number
}

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

/** Why a person may set a password by a link. */
export type PasswordResetCause = 'UNKNOWN' | 'REQUESTED' | 'INVITED'

/** Where the card was: at a terminal or not. */
export type PaymentChannel = 'ECOM' | 'POS'

/** What a payment costs on its candidates, and how payments like it weigh cost. */
export interface PaymentPricing {
  /** On each candidate, in their order, bps of the amount; null where nothing tells. */
  readonly costsBps: readonly (number | null)[]
  /** Share of the amount that an approved payment is reckoned to earn, as a ratio. */
  readonly marginRatio: number
  /** Whether cost was asked to have a say: it would have had it, had the payment not explored. */
  readonly wanted: boolean
}

/** How many payments of a cluster there were of a channel and a size, of all days that are kept. */
export interface PaymentsSeen {
  /** Where the card was. */
  readonly channel: PaymentChannel
  /** Size: floor of ten times the decimal logarithm of the amount. */
  readonly bandSlot: number
  /** Payments. */
  readonly paymentCount: number
}

/** A cluster whose newest payments cost something else than earlier ones did. */
export interface PriceChange {
  /** The cluster. */
  readonly cluster: CostCluster
  /** Its price before. */
  readonly before: CostFee
  /** Its price now. */
  readonly after: CostFee
}

/** Strategy of a decision. */
export type RankingAlgorithm = 'PL_BASED_ROUTING' | 'SR_BASED_ROUTING' | 'NTW_BASED_ROUTING' | 'NTW_SR_HYBRID_ROUTING'

/** What could be read of a payment whose decision was refused; null where nothing could. */
export interface RefusedPayment {
  /** Kind of method, for example CARD. As sent, null when it was not readable. */
  readonly paymentMethodType: string | null
  /** Method within the kind. As sent, null when it was not readable. */
  readonly paymentMethod: string | null
  /** Network of the card. As sent, null when it was not readable. */
  readonly cardNetwork: string | null
  /** First digits of the card number. As sent, null when it was not readable. */
  readonly cardIsIn: string | null
  /** ISO 4217 code. As sent, null when it was not readable. */
  readonly currency: string | null
  /** ISO 3166 alpha-2 code. As sent, null when it was not readable. */
  readonly country: string | null
  /** How the payer is authenticated. As sent, null when it was not readable. */
  readonly authType: string | null
}

/** A cell of a report that can't be read; it is never quoted. */
export interface ReportProblem {
  /** Line of the file, from 1; the unit is a line. */
  readonly line: number
  /** Label of the column, as the connector names it. */
  readonly column: string
  /** What is wrong with it. */
  readonly detail: string
}

/** How a settlement report came. */
export type ReportSource = 'UNKNOWN' | 'WEBHOOK' | 'POLL' | 'MANUAL' | 'SAMPLE'

/** Why scores begin anew. */
export type ResetCause = 'UNKNOWN' | 'REQUESTED' | 'REGISTERED_AGAIN' | 'CLOSED'

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
  /** Number of the merchant's choice of extra dimensions, in units of one choice; 0 when there was none. */
  readonly version: number
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
  /** Whether a proven change of a gateway's rate makes the outcomes before it leave the window. */
  readonly adaptive: boolean
  /** Boosts of single gateways. */
  readonly extraScores: readonly GatewayExtraScore[]
  /** Where the values came from; null in decisions of releases that did not record it. */
  readonly sources: KnobSources | null
}

/** Sums over the payments of a cluster, day, channel and band of amounts: with x the value of a payment, y its fee, both in major units, and u = 1/x. */
export interface SettledBucket {
  /** Place of their cluster in the chunk, from 0. */
  readonly clusterSlot: number
  /** Day of the payments, in units of days since 1970-01-01. */
  readonly epochDay: number
  /** Where the cards were. */
  readonly channel: PaymentChannel
  /** Band of the amounts, ten to a decade: 10^(band/10) to 10^((band+1)/10), in major units. */
  readonly band: number
  /** Payments. */
  readonly paymentCount: number
  /** Sum of x, in major units and powers of them. */
  readonly sx: number
  /** Sum of y, in major units and powers of them. */
  readonly sy: number
  /** Sum of x*x, in major units and powers of them. */
  readonly sxx: number
  /** Sum of x*y, in major units and powers of them. */
  readonly sxy: number
  /** Sum of y*y, in major units and powers of them. */
  readonly syy: number
  /** Sum of u, in major units and powers of them. */
  readonly su: number
  /** Sum of u*u, in major units and powers of them. */
  readonly suu: number
  /** Sum of u*y, in major units and powers of them. */
  readonly suy: number
  /** Sum of u*u*y, in major units and powers of them. */
  readonly suuy: number
  /** Sum of y*y*u*u, in major units and powers of them. */
  readonly syyuu: number
}

/** Payments of a day and currency, by the settlement reports of an account. */
export interface SettledDay {
  /** The day, in units of days since 1970-01-01. */
  readonly epochDay: number
  /** Settlement currency. */
  readonly currency: string
  /** Value of the payments, in major units. */
  readonly gross: number
  /** Payments; reports of totals may not count them. */
  readonly paymentCount: number
  /** What they cost, in major units. */
  readonly fees: number
}

/** What a report of totals says of a cluster, day and channel; money in major units of the cluster's currency. */
export interface SettledTotal {
  /** Place of their cluster in the chunk, from 0. */
  readonly clusterSlot: number
  /** Day of the payments, in units of days since 1970-01-01. */
  readonly epochDay: number
  /** Where the cards were. */
  readonly channel: PaymentChannel
  /** Value of the payments, in major units. */
  readonly turnover: number
  /** What they cost, in major units. */
  readonly cost: number
  /** Share of it that does not depend on the amounts, in major units; null when the report does not tell. */
  readonly fixedCost: number | null
  /** Payments; null when the report does not count them. */
  readonly paymentCount: number | null
}

/** Payments that were settled. */
export interface SettledVolume {
  /** Their value, in major units. */
  readonly gross: number
  /** Payments. */
  readonly paymentCount: number
  /** What they cost by the reports, in major units. */
  readonly fees: number
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

/** Where in an upload of outcomes a report stood. */
export interface UploadLine {
  /** Idempotency key of the upload, unique within the merchant. */
  readonly key: string
  /** Number of the line in units of one, the first is 1. */
  readonly line: number
}

/** Approval and cost of a payment on a gateway, as they were weighed. */
export interface WeighedGateway {
  /** The gateway. */
  readonly gateway: string
  /** Expected share of approvals, 0 to 1. */
  readonly authRatio: number
  /** Cost at the amount of the payment, bps of it. */
  readonly costBps: number
  /** Share of the amount in it, bps. */
  readonly pctBps: number
  /** Addition per payment in it, in major units of the currency. */
  readonly fixed: number
  /** Expected value, as a ratio of the amount. */
  readonly expectedRatio: number
  /** What said the cost. */
  readonly source: CostSource
  /** Category that the payment was taken for; null when it did not matter. */
  readonly interchangeCategory: string | null
}
