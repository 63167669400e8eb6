import type { SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { isCountryCode } from '../algorithms/countries.ts'

/** Longest score window, in outcomes. */
export const BUCKET_SIZE_MAX = 10_000
/** Most sub-level entries of a merchant. */
export const SUB_LEVEL_COUNT_MAX = 500
/** Most boosts in one list. */
export const EXTRA_SCORE_COUNT_MAX = 200

/** A setting outside its range: `field` is a path like `subLevelInputConfig[2].bucketSize`. */
export interface SettingOutOfRange {
  readonly code: 'SETTING_OUT_OF_RANGE'
  readonly field: string
  readonly expected: string
}

/** A named number and what it must be. */
interface Range {
  readonly expected: string
  readonly holds: (value: number) => boolean
}

const between = (minimum: number, maximum: number): Range => ({
  expected: `a number from ${minimum} to ${maximum}`,
  holds: (value) => value >= minimum && value <= maximum,
})
const BUCKET_SIZE: Range = {
  expected: `a whole number from 1 to ${BUCKET_SIZE_MAX}`,
  holds: (value) => Number.isInteger(value) && value >= 1 && value <= BUCKET_SIZE_MAX,
}
const PERCENT: Range = between(0, 100)
const RATIO: Range = between(0, 1)
const NON_NEGATIVE: Range = { expected: 'a number from 0 up', holds: (value) => Number.isFinite(value) && value >= 0 }
const FINITE: Range = { expected: 'a finite number', holds: Number.isFinite }

type Check = readonly [field: string, value: number | null, range: Range]
type Boosts = SuccessRateSettings['defaultGatewayExtraScore']

const checksOfBoosts = (field: string, boosts: Boosts): readonly Check[] => [
  [field, boosts?.length ?? 0, { ...between(0, EXTRA_SCORE_COUNT_MAX), expected: `a list of at most ${EXTRA_SCORE_COUNT_MAX} entries` }],
  ...(boosts ?? []).map((boost, i): Check => [`${field}[${i}].gatewaySigmaFactor`, boost.gatewaySigmaFactor, FINITE]),
]

const checksOfEntry = (entry: SubLevelSettings, i: number): readonly Check[] => {
  const path = `subLevelInputConfig[${i}]`
  return [
    [`${path}.latencyThreshold`, entry.latencyThresholdSeconds, NON_NEGATIVE],
    [`${path}.bucketSize`, entry.bucketSize, BUCKET_SIZE],
    [`${path}.hedgingPercent`, entry.hedgingPercent, PERCENT],
    [`${path}.lowerResetFactor`, entry.lowerResetFactor, NON_NEGATIVE],
    [`${path}.upperResetFactor`, entry.upperResetFactor, NON_NEGATIVE],
    ...checksOfBoosts(`${path}.gatewayExtraScore`, entry.gatewayExtraScore),
  ]
}

const firstFailure = (checks: readonly Check[]): SettingOutOfRange | undefined => {
  const failed = checks.find(([, value, range]) => value !== null && !range.holds(value))
  return failed && { code: 'SETTING_OUT_OF_RANGE', field: failed[0], expected: failed[2].expected }
}

/** The first success-rate setting outside its range (platform.md 17.7); undefined when all are inside. */
export const successRateProblem = (settings: SuccessRateSettings): SettingOutOfRange | undefined => {
  const entries = settings.subLevelInputConfig ?? []
  return firstFailure([
    ['defaultLatencyThreshold', settings.defaultLatencyThresholdSeconds, NON_NEGATIVE],
    ['defaultBucketSize', settings.defaultBucketSize, BUCKET_SIZE],
    ['defaultHedgingPercent', settings.defaultHedgingPercent, PERCENT],
    ['defaultLowerResetFactor', settings.defaultLowerResetFactor, NON_NEGATIVE],
    ['defaultUpperResetFactor', settings.defaultUpperResetFactor, NON_NEGATIVE],
    ['margin', settings.margin, NON_NEGATIVE],
    ...checksOfBoosts('defaultGatewayExtraScore', settings.defaultGatewayExtraScore),
    [
      'subLevelInputConfig',
      entries.length,
      { ...between(0, SUB_LEVEL_COUNT_MAX), expected: `a list of at most ${SUB_LEVEL_COUNT_MAX} entries` },
    ],
    ...entries.flatMap(checksOfEntry),
  ])
}

/** The first elimination setting outside its range (platform.md 17.7). */
export const eliminationProblem = (threshold: number, gatewayLatencyMs: number | null): SettingOutOfRange | undefined =>
  firstFailure([
    ['threshold', threshold, RATIO],
    ['txnLatency.gatewayLatency', gatewayLatencyMs, NON_NEGATIVE],
  ])

/** What is wrong with a default of debit routing: payments are held to the same, and issuers' countries are compared with it. */
export const acquirerCountryProblem = (code: string): SettingOutOfRange | undefined =>
  isCountryCode(code)
    ? undefined
    : { code: 'SETTING_OUT_OF_RANGE', field: 'acquirerCountry', expected: 'an ISO 3166 alpha-2 code in upper case' }
