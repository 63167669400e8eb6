import { type AlwaysValid, alwaysValid } from './always-valid.ts'
import type { ArmTally, ExperimentTally, SegmentTally } from './experiment-tallies.ts'
import { expectedValueBps, type FixedTest, fixedTest } from './fixed-test.ts'
import { guardrailBreach } from './guardrail.ts'
import { powerAt, requiredSampleSize } from './power.ts'
import { approvalsAlone, gainPp, rateOf, type Samples, sampleOf, samplesOf } from './sample.ts'
import { type SampleRatio, sampleRatio } from './sample-ratio.ts'
import { type ExperimentVerdict, fixedVerdict, sequentialVerdict, type VerdictRules } from './verdict.ts'

/** What an experiment is judged by. */
export interface ResultsRules extends VerdictRules {
  /** Share of the payments that the variant should get, 0 to 1; null of an experiment that is not known. */
  readonly variantShare: number | null
  /** Difference that the power is told for, percentage points. */
  readonly detectableEffectPp: number
}

/** What payments of an arm cost, as means over those of which it is known. */
interface ArmMoney {
  /** Payments with a known end whose cost is known. */
  readonly pricedCount: number
  /** Basis points of the amount; null while nothing is known. */
  readonly averageCostBps: number | null
  /** Beside the gateway with the best approval; null while nothing was weighed. */
  readonly averageSavedBps: number | null
  /** Saved by approved payments, major units; null while nothing was weighed, and when they are of several currencies. */
  readonly saved: number | null
}

/** The figures of an arm; rates are shares of the payments whose end is known. */
interface ArmResults {
  readonly tally: ArmTally
  readonly pendingCount: number
  readonly failureCount: number
  /** 0 to 1; 0 of an empty arm. */
  readonly authRate: number
  readonly firstAttemptAuthRate: number
  /** Null while no outcome said how long it took. */
  readonly averageLatencyMs: number | null
  /** Null of an empty arm. */
  readonly netExpectedValueBps: number | null
  readonly costs: ArmMoney
}

/** Payments that share a value; the interval is of one look, for orientation: there are many segments. */
interface SegmentResults extends SegmentTally {
  readonly deltaPp: number
  readonly intervalPp: FixedTest['interval'] | null
}

/** An experiment, judged (analytics.md 6.5). */
export interface ExperimentResults {
  readonly control: ArmResults
  readonly variant: ArmResults
  /** The variant's gain of approvals, percentage points. */
  readonly deltaPp: number
  /** The variant's gain of expected value, basis points; null unless an arm weighed cost. */
  readonly netDeltaBps: number | null
  /** For one look, at the planned sample. */
  readonly verdict: ExperimentVerdict
  readonly test: FixedTest | null
  /** Of the gain of approvals alone, percentage points; 95 %, for one look. */
  readonly authIntervalPp: FixedTest['interval'] | null
  /** For any number of looks; null while an arm is empty. */
  readonly sequential: AlwaysValid | null
  readonly sequentialVerdict: ExperimentVerdict
  readonly isGuardrailCertain: boolean
  readonly sampleRatio: SampleRatio
  /** Chance, 0 to 1, that the fixed test finds the detectable effect with the payments so far; null while nothing is known. */
  readonly power: number | null
  /** Payments of both arms for a power of 80 %. */
  readonly requiredSampleSize: number | null
  readonly segments: readonly SegmentResults[]
}

type ArmName = 'control' | 'variant'

/** Nothing was saved as long as nothing of what was weighed is approved. */
const savedOf = (tally: ExperimentTally, arm: ArmName): number | null => {
  const weighed = tally.currencies.map((currency) => currency[arm].costs).filter((own) => own !== undefined && own.weighedCount > 0)
  const [only] = weighed
  if (only === undefined) return (tally[arm].costs?.weighedCount ?? 0) > 0 ? 0 : null
  return weighed.length === 1 ? only.saving : null
}

const moneyOf = (tally: ExperimentTally, arm: ArmName): ArmMoney => {
  const { costs } = tally[arm]
  return {
    pricedCount: costs?.pricedCount ?? 0,
    averageCostBps: costs === undefined || costs.pricedCount === 0 ? null : costs.costBpsSum / costs.pricedCount,
    averageSavedBps: costs === undefined || costs.weighedCount === 0 ? null : costs.savedBpsSum / costs.weighedCount,
    saved: savedOf(tally, arm),
  }
}

const armResults = (figures: ExperimentTally, arm: ArmName, margin: number): ArmResults => {
  const tally: ArmTally = figures[arm]
  const { assigned, resolved, successes, firstSuccesses, latencyCount, latencySumMs } = tally
  const sample = sampleOf(tally)
  return {
    tally,
    pendingCount: assigned - resolved,
    failureCount: resolved - successes,
    authRate: rateOf(sample),
    firstAttemptAuthRate: resolved === 0 ? 0 : firstSuccesses / resolved,
    averageLatencyMs: latencyCount === 0 ? null : latencySumMs / latencyCount,
    netExpectedValueBps: resolved === 0 ? null : expectedValueBps(sample, margin),
    costs: moneyOf(figures, arm),
  }
}

const netDelta = ({ control, variant }: Samples, margin: number): number | null =>
  (control.saved === null && variant.saved === null) || control.resolved === 0 || variant.resolved === 0
    ? null
    : expectedValueBps(variant, margin) - expectedValueBps(control, margin)

/** Approvals alone: an approval is worth one unit. */
const segmentResults = (segment: SegmentTally): SegmentResults => {
  const samples = { control: sampleOf(segment.control), variant: sampleOf(segment.variant) }
  return { ...segment, deltaPp: gainPp(samples), intervalPp: fixedTest(samples, 1)?.interval ?? null }
}

const planOf = (
  samples: Samples,
  { variantShare, detectableEffectPp }: ResultsRules,
): Pick<ExperimentResults, 'power' | 'requiredSampleSize'> => {
  const { control, variant } = samples
  if (control.resolved === 0) return { power: null, requiredSampleSize: null }
  const question = { baseRate: rateOf(control), effectPp: detectableEffectPp }
  return {
    power: powerAt(question, { control: control.resolved, variant: variant.resolved }),
    requiredSampleSize: variantShare === null ? null : requiredSampleSize(question, variantShare),
  }
}

/** Judges the figures of an experiment. */
export const experimentResults = (tally: ExperimentTally, rules: ResultsRules): ExperimentResults => {
  const samples = samplesOf(tally)
  const { verdict, test } = fixedVerdict(samples, rules)
  const assigned = { control: tally.control.assigned, variant: tally.variant.assigned }
  return {
    control: armResults(tally, 'control', rules.evaluationMargin),
    variant: armResults(tally, 'variant', rules.evaluationMargin),
    deltaPp: gainPp(samples),
    netDeltaBps: netDelta(samples, rules.evaluationMargin),
    verdict,
    test,
    authIntervalPp: fixedTest(approvalsAlone(samples), 1)?.interval ?? null,
    sequential: alwaysValid(samples, rules.minSampleSize),
    sequentialVerdict: sequentialVerdict(samples, rules),
    isGuardrailCertain: guardrailBreach(tally, rules) !== null,
    sampleRatio: rules.variantShare === null ? { pValue: null, isAlarming: false } : sampleRatio(assigned, rules.variantShare),
    ...planOf(samples, rules),
    segments: tally.segments.map(segmentResults),
  }
}
