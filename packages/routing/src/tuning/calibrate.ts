import type { ScoringCalibrated, SuccessRateSettings } from '@switchyard/events'
import { createKnobResolver, SHIPPED_SCORING_DEFAULTS } from '../scoring/knobs.ts'
import { writtenByPeople } from '../scoring-settings/machine-written.ts'
import type { TuningRules } from './formulas.ts'
import { type ClusterTraffic, planCalibration, type TunedCluster } from './plan-calibration.ts'

/** A run of the self-tuning over what was decided lately; nothing happens when there was one for the interval already. */
export interface CalibrateScoring {
  readonly type: 'CalibrateScoring'
  readonly merchantId: string
  readonly intervalStartAt: number
  readonly traffic: readonly ClusterTraffic[]
  readonly rules: TuningRules
  readonly at: number
}

/** What the self-tuning may do for a merchant, and has done. */
export interface Tuning {
  /** The flag `auto-calibration`: it looks. */
  readonly isOn: boolean
  /** The flag `autopilot`: it writes what it finds. */
  readonly mayWrite: boolean
  /** Start of the interval of the newest run, epoch milliseconds; 0 before the first. */
  readonly intervalStartAt: number
}

/** A run for an interval so much later, milliseconds, was made by a clock that was wrong: longer than any interval, and than clocks differ. */
const RUN_AHEAD_MS_MAX = 172_800_000

/** Whether an interval had its run. */
export const hadRun = ({ intervalStartAt: newest }: Tuning, intervalStartAt: number): boolean =>
  newest >= intervalStartAt && newest - intervalStartAt < RUN_AHEAD_MS_MAX

const resolveKnobs = createKnobResolver(SHIPPED_SCORING_DEFAULTS)

/** The event of a run; none when the merchant does not want the self-tuning, or the interval had its run already. */
export const calibrate = (
  { merchantId, traffic, rules, intervalStartAt, at }: CalibrateScoring,
  { settings, tuning }: { readonly settings: SuccessRateSettings | null; readonly tuning: Tuning },
): readonly ScoringCalibrated[] => {
  const { isOn, mayWrite } = tuning
  if (!isOn || hadRun(tuning, intervalStartAt)) return []
  const people = settings === null ? null : writtenByPeople(settings)
  const baseHedgingPercent = (cluster: TunedCluster): number =>
    resolveKnobs({ settings: people, adaptive: false }, { ...cluster, paymentType: '', cardIsIn: null, currency: cluster.currency ?? '' })
      .hedgingPercent
  const plan = planCalibration({ settings, traffic, rules, mayWrite, baseHedgingPercent })
  const { lookbackMs } = rules
  const data = { merchantId, at, intervalStartAt, lookbackMs, isObserveOnly: !mayWrite, clusters: plan.clusters, settings: plan.settings }
  return [{ type: 'ScoringCalibrated', data }]
}
