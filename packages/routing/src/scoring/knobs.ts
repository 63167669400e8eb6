import type { GatewayExtraScore, KnobSource, ScoringKnobs, SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { isByPeople } from '../scoring-settings/machine-written.ts'
import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'
import { inKeptSpelling } from './kept-spelling.ts'

/** Window length in outcomes when nobody configured one (decide.md 5.3). */
const BUCKET_SIZE_DEFAULT = 125
/** Share of exploring payments in percent when nobody configured one. */
const HEDGING_PERCENT_DEFAULT = 5
/** Age in seconds from which a pending report counts as failed when nobody configured one. */
const LATENCY_THRESHOLD_SECONDS_DEFAULT = 300
/** Age in milliseconds up to which an outcome counts in windows (contract/README.md 5). */
const OUTCOME_WINDOW_MS_DEFAULT = 1_800_000

const HEDGING_PERCENT_MAX = 100
/** Ten years: keeps the product with 1000 a safe integer. */
const LATENCY_THRESHOLD_SECONDS_MAX = 315_360_000

/** Settings of the deployment: what a merchant's settings leave open. */
export interface ScoringDefaults {
  readonly settings: SuccessRateSettings | null
  readonly outcomeWindowMs: number
}

/** The settings that are shipped: latency threshold 90 s, windows of 125, 5 % exploration. */
export const SHIPPED_SCORING_DEFAULTS: ScoringDefaults = {
  settings: {
    defaultLatencyThresholdSeconds: 90,
    defaultBucketSize: BUCKET_SIZE_DEFAULT,
    defaultHedgingPercent: HEDGING_PERCENT_DEFAULT,
    defaultLowerResetFactor: null,
    defaultUpperResetFactor: null,
    defaultGatewayExtraScore: null,
    subLevelInputConfig: null,
    margin: null,
  },
  outcomeWindowMs: OUTCOME_WINDOW_MS_DEFAULT,
}

/** What of a payment chooses its settings; values are compared as decisions keep them. */
export interface KnobPayment {
  readonly paymentType: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  readonly cardIsIn: string | null
  readonly currency: string
  readonly country: string | null
  readonly authType: string | null
}

/** Payments of an agreed series: their outcome may come days later and still counts. */
const RECURRING_PAYMENT_TYPES: ReadonlySet<string> = new Set([
  'MANDATE_PAYMENT',
  'EMANDATE_PAYMENT',
  'TPV_MANDATE_PAYMENT',
  'TPV_EMANDATE_PAYMENT',
])

const OPTIONAL_DIMENSIONS = ['paymentMethod', 'cardNetwork', 'cardIsIn', 'currency', 'country', 'authType'] as const

type KnobName = 'bucketSize' | 'hedgingPercent' | 'latencyThresholdSeconds'

interface Knob {
  readonly name: KnobName
  readonly defaultName: 'defaultBucketSize' | 'defaultHedgingPercent' | 'defaultLatencyThresholdSeconds'
  readonly constant: number
  readonly isValid: (value: number) => boolean
}

const BUCKET_SIZE: Knob = {
  name: 'bucketSize',
  defaultName: 'defaultBucketSize',
  constant: BUCKET_SIZE_DEFAULT,
  isValid: (value) => value > 0,
}
const HEDGING_PERCENT: Knob = {
  name: 'hedgingPercent',
  defaultName: 'defaultHedgingPercent',
  constant: HEDGING_PERCENT_DEFAULT,
  isValid: (value) => value >= 0,
}
const LATENCY_THRESHOLD: Knob = {
  name: 'latencyThresholdSeconds',
  defaultName: 'defaultLatencyThresholdSeconds',
  constant: LATENCY_THRESHOLD_SECONDS_DEFAULT,
  isValid: (value) => value >= 0,
}

/** More than any specificity. */
const PEOPLE_FIRST = OPTIONAL_DIMENSIONS.length + 1

const specificityOf = (row: SubLevelSettings): number => OPTIONAL_DIMENSIONS.filter((name) => row[name] !== null).length

/** Rows that set the knob: those of people before those of the self-tuning, then the most specific first, the earliest first among equals. */
const rowsWith = (settings: SuccessRateSettings, knob: keyof SortedRows): readonly SubLevelSettings[] =>
  (settings.subLevelInputConfig ?? [])
    .filter((row) => row[knob] !== null && row.paymentMethodType !== null)
    .map(inKeptSpelling)
    .map((row) => ({ row, rank: (isByPeople(row) ? PEOPLE_FIRST : 0) + specificityOf(row) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ row }) => row)

type SortedRows = Readonly<Record<KnobName | 'gatewayExtraScore', readonly SubLevelSettings[]>>

/** Settings never change, they are replaced: what is derived from an object is kept as long as the object lives. */
const sortedRows = new WeakMap<SuccessRateSettings, SortedRows>()

const sortedRowsOf = (settings: SuccessRateSettings): SortedRows => {
  const known = sortedRows.get(settings)
  if (known !== undefined) return known
  const rows: SortedRows = {
    bucketSize: rowsWith(settings, 'bucketSize'),
    hedgingPercent: rowsWith(settings, 'hedgingPercent'),
    latencyThresholdSeconds: rowsWith(settings, 'latencyThresholdSeconds'),
    gatewayExtraScore: rowsWith(settings, 'gatewayExtraScore'),
  }
  sortedRows.set(settings, rows)
  return rows
}

const matches = (row: SubLevelSettings, payment: KnobPayment): boolean =>
  row.paymentMethodType === payment.paymentMethodType &&
  OPTIONAL_DIMENSIONS.every((name) => row[name] === null || row[name] === payment[name])

/** A value and where it stands. */
interface Sourced<Value> {
  readonly value: Value
  readonly source: KnobSource
}

interface Config {
  readonly settings: SuccessRateSettings | null
  readonly row: KnobSource
  readonly default: KnobSource
}

/** What one config says of a knob; undefined when nothing valid. An invalid value does not fall back inside its config (5.3). */
const valueIn = (config: Config, knob: Knob, payment: KnobPayment): Sourced<number> | undefined => {
  if (config.settings === null) return undefined
  const row = sortedRowsOf(config.settings)[knob.name].find((candidate) => matches(candidate, payment))
  const value = row?.[knob.name] ?? config.settings[knob.defaultName]
  const isUsable = value !== null && Number.isFinite(value) && knob.isValid(value)
  return isUsable ? { value, source: row === undefined ? config.default : config.row } : undefined
}

type ExtraScores = readonly GatewayExtraScore[]

const NO_EXTRA_SCORES: Sourced<ExtraScores> = { value: [], source: 'CONSTANT' }

/** What one config says of boosts; undefined when nothing. */
const extraScoresIn = (config: Config, payment: KnobPayment): Sourced<ExtraScores> | undefined => {
  if (config.settings === null) return undefined
  const row = sortedRowsOf(config.settings).gatewayExtraScore.find((candidate) => matches(candidate, payment))
  const value = row?.gatewayExtraScore ?? config.settings.defaultGatewayExtraScore
  return value === null ? undefined : { value, source: row === undefined ? config.default : config.row }
}

const resolve = ({ settings, adaptive }: MerchantScoring, defaults: ScoringDefaults, payment: KnobPayment): ScoringKnobs => {
  const merchant: Config = { settings, row: 'MERCHANT_ROW', default: 'MERCHANT_DEFAULT' }
  const deployment: Config = { settings: defaults.settings, row: 'DEPLOYMENT_ROW', default: 'DEPLOYMENT_DEFAULT' }
  const sourced = (knob: Knob): Sourced<number> =>
    valueIn(merchant, knob, payment) ?? valueIn(deployment, knob, payment) ?? { value: knob.constant, source: 'CONSTANT' }
  const bucketSize = sourced(BUCKET_SIZE)
  const hedgingPercent = sourced(HEDGING_PERCENT)
  const seconds = sourced(LATENCY_THRESHOLD)
  const extraScores = extraScoresIn(merchant, payment) ?? extraScoresIn(deployment, payment) ?? NO_EXTRA_SCORES
  return {
    bucketSize: Math.max(1, Math.min(BUCKET_SIZE_MAX, Math.floor(bucketSize.value))),
    hedgingPercent: Math.min(HEDGING_PERCENT_MAX, hedgingPercent.value),
    latencyThresholdMs: Math.round(Math.min(LATENCY_THRESHOLD_SECONDS_MAX, seconds.value) * 1000),
    outcomeWindowMs: RECURRING_PAYMENT_TYPES.has(payment.paymentType) ? null : defaults.outcomeWindowMs,
    adaptive,
    extraScores: extraScores.value,
    sources: {
      bucketSize: bucketSize.source,
      hedgingPercent: hedgingPercent.source,
      latencyThreshold: seconds.source,
      extraScores: extraScores.source,
    },
  }
}

/** What a merchant has settled of scoring. */
export interface MerchantScoring {
  readonly settings: SuccessRateSettings | null
  /** Whether windows drop what a proven change has made old: the flag `explore-exploit-srv3` (contract/README.md 4). */
  readonly adaptive: boolean
}

/** Resolves the scoring knobs of payments; keeps what it worked out, so hold on to one per deployment. */
export type KnobResolver = (merchant: MerchantScoring, payment: KnobPayment) => ScoringKnobs

/**
 * How a deployment resolves knobs (decide.md 5.3), each on its own: the most specific sub-level row of people that
 * sets it, else the most specific of the self-tuning, else the config's default; the merchant's config before the deployment's before the constants. `bucketSize` counts outcomes,
 * `hedgingPercent` is the total share of payments sent to other than the best gateway, latencies are milliseconds here.
 */
export const createKnobResolver = (defaults: ScoringDefaults): KnobResolver => {
  const hasRows = (settings: SuccessRateSettings | null): boolean => (settings?.subLevelInputConfig ?? []).length > 0
  const defaultsHaveRows = hasRows(defaults.settings)
  const resolved = new WeakMap<SuccessRateSettings | ScoringDefaults, (ScoringKnobs | undefined)[]>()

  return (merchant, payment) => {
    const { settings, adaptive } = merchant
    if (defaultsHaveRows || hasRows(settings)) return resolve(merchant, defaults, payment)
    const owner = settings ?? defaults
    const known = resolved.get(owner) ?? []
    resolved.set(owner, known)
    const slot = (RECURRING_PAYMENT_TYPES.has(payment.paymentType) ? 2 : 0) + (adaptive ? 1 : 0)
    return (known[slot] ??= resolve(merchant, defaults, payment))
  }
}
