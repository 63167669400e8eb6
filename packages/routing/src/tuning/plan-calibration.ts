import type { CalibrationOutcome, ClusterCalibration, SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { inKeptSpelling } from '../scoring/kept-spelling.ts'
import { AUTOPILOT, isByPeople } from '../scoring-settings/machine-written.ts'
import { NO_SETTINGS } from '../scoring-settings/promoted-settings.ts'
import { SUB_LEVEL_COUNT_MAX } from '../scoring-settings/setting-ranges.ts'
import { costOfExploring, type GatewayApprovals, hedgingCeiling } from './exploration-cost.ts'
import { type TuningRules, tunedBucketSize, tunedHedgingPercent, type Volume } from './formulas.ts'

/** What payments are tuned by: the method, and of these dimensions those that the merchant's windows know. Never the card's first digits. */
export type TunedCluster = Pick<
  ClusterCalibration,
  'paymentMethodType' | 'paymentMethod' | 'cardNetwork' | 'currency' | 'country' | 'authType'
>

/** What a group of payments did in the time looked back on. */
export interface ClusterTraffic extends TunedCluster, Volume {
  /** Outcomes by gateway, as far as there are any. */
  readonly gateways: readonly GatewayApprovals[]
}

/** What a run looks at. */
export interface Calibration {
  readonly settings: SuccessRateSettings | null
  readonly traffic: readonly ClusterTraffic[]
  readonly rules: TuningRules
  readonly mayWrite: boolean
  /** Share of payments in percent that would explore without the self-tuning. */
  readonly baseHedgingPercent: (cluster: TunedCluster) => number
}

/** What a run found, and the settings that it writes; null when nothing is written. */
export interface CalibrationPlan {
  readonly clusters: readonly ClusterCalibration[]
  readonly settings: SuccessRateSettings | null
}

/** Groups that one run looks at, those with most payments, beside those that have a row. */
const CLUSTERS_PER_RUN_MAX = 500
/** Changes below both of these are not worth a write. */
const BUCKET_SIZE_DEADBAND = 25
const HEDGING_PERCENT_DEADBAND = 1
/** Shares have two decimals. */
const STEPS_PER_PERCENT = 100
/** A row is withdrawn when its group falls below this share of the payments that it takes to get one. */
const WITHDRAWAL_SHARE = 0.5

const DIMENSIONS = ['paymentMethodType', 'paymentMethod', 'cardNetwork', 'currency', 'country', 'authType'] as const

const dimensionsOf = (cluster: TunedCluster): TunedCluster => {
  const { paymentMethodType, paymentMethod, cardNetwork, currency, country, authType } = cluster
  return { paymentMethodType, paymentMethod, cardNetwork, currency, country, authType }
}

const rowOf = (cluster: TunedCluster, bucketSize: number, hedgingPercent: number): SubLevelSettings => ({
  ...dimensionsOf(cluster),
  cardIsIn: null,
  source: AUTOPILOT,
  latencyThresholdSeconds: null,
  bucketSize,
  hedgingPercent,
  lowerResetFactor: null,
  upperResetFactor: null,
  gatewayExtraScore: null,
})

const isOf = (row: SubLevelSettings, cluster: TunedCluster): boolean => DIMENSIONS.every((name) => row[name] === cluster[name])

const isUnset = (value: string | null): boolean => value === null || value === ''
const isAlike = (a: string | null, b: string | null): boolean => a?.toLowerCase() === b?.toLowerCase()

/** Whether people have settled the group: by a row for the same payments, or by a wider one that sets what would be tuned. */
const isSettledBy = (row: SubLevelSettings, cluster: TunedCluster): boolean => {
  if (!isUnset(row.cardIsIn) || isUnset(row.paymentMethodType)) return false
  const covers = DIMENSIONS.every((name) => isUnset(row[name]) || isAlike(row[name], cluster[name]))
  const isExact = DIMENSIONS.every((name) => isUnset(row[name]) === isUnset(cluster[name]))
  return covers && (isExact || row.bucketSize !== null || row.hedgingPercent !== null)
}

/** Values of a group's row as they should be. */
interface Tuned {
  readonly bucketSize: number
  readonly hedgingPercent: number
  readonly isHedgingCapped: boolean
}

const tunedOf = (traffic: ClusterTraffic, { rules, baseHedgingPercent }: Calibration): Tuned => {
  const bucketSize = tunedBucketSize(traffic, rules)
  const wished = tunedHedgingPercent(traffic, bucketSize, rules)
  const base = baseHedgingPercent(traffic)
  const ceiling = hedgingCeiling(base, costOfExploring(traffic.gateways, traffic.gatewayCount))
  const hedgingPercent = Math.min(wished, Math.floor(ceiling * STEPS_PER_PERCENT) / STEPS_PER_PERCENT)
  return { bucketSize, hedgingPercent, isHedgingCapped: hedgingPercent < wished }
}

/** In the steps that shares have: the difference of two of them is off in the last digit, and one of a point would seem less. */
const hasMoved = (before: number, now: number): boolean =>
  Math.round(Math.abs(now - before) * STEPS_PER_PERCENT) >= HEDGING_PERCENT_DEADBAND * STEPS_PER_PERCENT

const isWorthWriting = (row: SubLevelSettings | undefined, { bucketSize, hedgingPercent }: Tuned): boolean =>
  row === undefined ||
  row.bucketSize === null ||
  row.hedgingPercent === null ||
  Math.abs(bucketSize - row.bucketSize) >= BUCKET_SIZE_DEADBAND ||
  hasMoved(row.hedgingPercent, hedgingPercent)

/** What becomes of a group: its row afterwards (undefined for none) and what is told of it. */
interface Verdict {
  readonly outcome: CalibrationOutcome
  readonly tuned: Tuned | undefined
  readonly row: SubLevelSettings | undefined
}

/** Too little traffic: the row goes once far too little is left of it. */
const quiet = ({ paymentCount, gatewayCount }: Volume, row: SubLevelSettings | undefined, { paymentCountMin }: TuningRules): Verdict => {
  const isGone = gatewayCount < 2 || paymentCount < paymentCountMin * WITHDRAWAL_SHARE
  const outcome = row !== undefined && isGone ? 'WITHDRAWN' : 'INSUFFICIENT_TRAFFIC'
  return { outcome, tuned: undefined, row: isGone ? undefined : row }
}

const verdictOf = (traffic: ClusterTraffic, row: SubLevelSettings | undefined, calibration: Calibration, hasRoom: boolean): Verdict => {
  const { settings, rules } = calibration
  const people = (settings?.subLevelInputConfig ?? []).filter(isByPeople).map(inKeptSpelling)
  if (people.some((candidate) => isSettledBy(candidate, traffic))) return { outcome: 'SKIPPED_HUMAN', tuned: undefined, row: undefined }
  if (traffic.paymentCount < rules.paymentCountMin || traffic.gatewayCount < 2) return quiet(traffic, row, rules)
  const tuned = tunedOf(traffic, calibration)
  if (!isWorthWriting(row, tuned)) return { outcome: 'UNCHANGED', tuned, row }
  if (row === undefined && !hasRoom) return { outcome: 'ROWS_FULL', tuned, row }
  return { outcome: 'APPLIED', tuned, row: rowOf(traffic, tuned.bucketSize, tuned.hedgingPercent) }
}

const NOT_TUNED = { bucketSize: null, hedgingPercent: null, isHedgingCapped: false } as const
const NO_ROW = { bucketSize: null, hedgingPercent: null } as const

const told = (
  cluster: TunedCluster & Volume,
  before: SubLevelSettings | undefined,
  { outcome, tuned }: Pick<Verdict, 'outcome' | 'tuned'>,
): ClusterCalibration => {
  const previous = before ?? NO_ROW
  return {
    ...dimensionsOf(cluster),
    paymentCount: cluster.paymentCount,
    gatewayCount: cluster.gatewayCount,
    outcome,
    ...(tuned ?? NOT_TUNED),
    previousBucketSize: previous.bucketSize,
    previousHedgingPercent: previous.hedgingPercent,
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const textOf = (cluster: Pick<SubLevelSettings, (typeof DIMENSIONS)[number]>): string =>
  JSON.stringify(DIMENSIONS.map((name) => cluster[name]))

/** The busiest, and behind them those that have a row: not looked at, they would seem to have no payments. */
const busiestFirst = (traffic: readonly ClusterTraffic[], own: Iterable<SubLevelSettings>): readonly ClusterTraffic[] => {
  const withRow = new Set([...own].map(textOf))
  const sorted = [...traffic].sort((a, b) => b.paymentCount - a.paymentCount || compareText(textOf(a), textOf(b)))
  return sorted.filter((cluster, index) => index < CLUSTERS_PER_RUN_MAX || withRow.has(textOf(cluster)))
}

const withoutTraffic = (row: SubLevelSettings): ClusterCalibration => {
  const { paymentMethodType, paymentMethod, cardNetwork, currency, country, authType } = row
  const cluster = {
    paymentMethodType: paymentMethodType ?? '',
    paymentMethod: paymentMethod ?? '',
    cardNetwork,
    currency,
    country,
    authType,
  }
  return told({ ...cluster, paymentCount: 0, gatewayCount: 0 }, row, { outcome: 'WITHDRAWN', tuned: undefined })
}

const WRITING: readonly CalibrationOutcome[] = ['APPLIED', 'WITHDRAWN']

const observed = (cluster: ClusterCalibration): ClusterCalibration =>
  WRITING.includes(cluster.outcome) ? { ...cluster, outcome: 'OBSERVE_ONLY' } : cluster

/** What becomes of every group, and of every row. */
interface Judged {
  readonly clusters: readonly ClusterCalibration[]
  readonly rows: readonly SubLevelSettings[]
  readonly isChanged: boolean
}

const judged = (calibration: Calibration): Judged => {
  const stored = calibration.settings?.subLevelInputConfig ?? []
  const own = new Set(stored.filter((row) => !isByPeople(row)))
  const rows = stored.filter(isByPeople)
  const clusters: ClusterCalibration[] = []
  let isChanged = false
  for (const one of busiestFirst(calibration.traffic, own)) {
    const before = [...own].find((row) => isOf(row, one))
    if (before !== undefined) own.delete(before)
    const verdict = verdictOf(one, before, calibration, rows.length + own.size < SUB_LEVEL_COUNT_MAX)
    if (verdict.row !== undefined) rows.push(verdict.row)
    isChanged ||= verdict.row !== before
    clusters.push(told(one, before, verdict))
  }
  return { clusters: [...clusters, ...[...own].map(withoutTraffic)], rows, isChanged: isChanged || own.size > 0 }
}

/**
 * One run of the self-tuning (analytics.md 7): every group of payments with enough traffic gets a row with the window length
 * and the exploration of the formulas, when it differs enough. What people wrote stays as it is and is never overruled; rows of
 * its own go when their traffic or dimension is gone. Exploration is capped where it would cost more approvals than allowed.
 */
export const planCalibration = (calibration: Calibration): CalibrationPlan => {
  const { settings, mayWrite } = calibration
  const { clusters, rows, isChanged } = judged(calibration)
  if (!mayWrite) return { clusters: clusters.map(observed), settings: null }
  return { clusters, settings: isChanged ? { ...(settings ?? NO_SETTINGS), subLevelInputConfig: rows } : null }
}
