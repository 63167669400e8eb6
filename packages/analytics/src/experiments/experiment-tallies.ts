import type { ExperimentExclusion, PaymentsEvent } from '@switchyard/events'
import type { DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart, MINUTE_MS, merchantOf, minuteOf } from '../keys.ts'
import { CURRENCIES_PER_TALLY_MAX, SEGMENT_VALUES_MAX } from '../limits.ts'
import { type Arm, type ExperimentEffect, experimentsOf, type RecordedPayment } from '../recorded-payment.ts'
import { type ApprovedCosts, type ArmCosts, isPriced, NO_APPROVED_COSTS, NO_COSTS, withApprovedCosts, withCosts } from './arm-costs.ts'

/** Payments of an arm; each counts once. */
export interface ArmCounts {
  readonly assigned: number
  /** Those whose end is known; the others are pending. */
  readonly resolved: number
  readonly successes: number
}

/** An arm as a whole. */
export interface ArmTally extends ArmCounts {
  /** Payments whose first final outcome was a success. */
  readonly firstSuccesses: number
  readonly latencyCount: number
  readonly latencySumMs: number
  /** Absent as long as no cost is known. */
  readonly costs?: ArmCosts
}

/** What payments are told apart by. */
type SegmentDimension = 'paymentMethodType' | 'paymentMethod' | 'cardNetwork' | 'currency' | 'country'

/** Payments that share a value. */
export interface SegmentTally {
  readonly dimension: SegmentDimension
  /** Null: all values beyond the first {@link SEGMENT_VALUES_MAX}. */
  readonly value: string | null
  readonly control: ArmCounts
  readonly variant: ArmCounts
}

/** Approved payments of a currency in an arm; money in its major units. */
export interface ApprovedTally {
  readonly successes: number
  readonly amount: number
  /** Absent as long as no cost is known. */
  readonly costs?: ApprovedCosts
}

/** Approved payments of a currency. */
export interface CurrencyTally {
  readonly currency: string
  readonly control: ApprovedTally
  readonly variant: ApprovedTally
}

/** An experiment in figures: of the payments that fell into it in one minute, or in all of them together. */
export interface ExperimentTally {
  readonly merchantId: string
  readonly experimentId: string
  /** Start of the minute, epoch milliseconds; null of the whole. */
  readonly minuteMs: number | null
  /** When the first payment fell into an arm, epoch milliseconds; null before it. */
  readonly firstAssignedMs: number | null
  readonly control: ArmTally
  readonly variant: ArmTally
  readonly segments: readonly SegmentTally[]
  readonly currencies: readonly CurrencyTally[]
  /** Decisions that the experiment could not take part in. */
  readonly exclusions: Readonly<Partial<Record<ExperimentExclusion, number>>>
}

/** Key of the whole, behind its minutes. */
const WHOLE = 'whole'

const NO_COUNTS: ArmCounts = { assigned: 0, resolved: 0, successes: 0 }
const NO_TALLY: ArmTally = { ...NO_COUNTS, firstSuccesses: 0, latencyCount: 0, latencySumMs: 0 }

const SEGMENT_DIMENSIONS: readonly SegmentDimension[] = ['paymentMethodType', 'paymentMethod', 'cardNetwork', 'currency', 'country']

type ArmName = 'control' | 'variant'

const nameOf = (arm: Arm): ArmName => (arm === 'CONTROL' ? 'control' : 'variant')
const one = (isSo: boolean): number => (isSo ? 1 : 0)

const counted = (counts: ArmCounts, { before, standing }: ExperimentEffect): ArmCounts => ({
  assigned: counts.assigned + one(before === null),
  resolved: counts.resolved + one(before === 'open'),
  successes: counts.successes + one(standing === 'succeeded'),
})

const tallied = (tally: ArmTally, effect: ExperimentEffect): ArmTally => {
  const { before, standing, gatewayLatencyMs } = effect
  const costs = isPriced(effect) ? withCosts(tally.costs ?? NO_COSTS, effect) : tally.costs
  return {
    ...counted(tally, effect),
    firstSuccesses: tally.firstSuccesses + one(before === 'open' && standing === 'succeeded'),
    latencyCount: tally.latencyCount + one(gatewayLatencyMs !== null),
    latencySumMs: tally.latencySumMs + (gatewayLatencyMs ?? 0),
    ...(costs && { costs }),
  }
}

/** The group of a value; beyond the maximum, the one of all others. */
const groupOf = (segments: readonly SegmentTally[], dimension: SegmentDimension, value: string): string | null => {
  const known = segments.filter((segment) => segment.dimension === dimension && segment.value !== null)
  return known.length < SEGMENT_VALUES_MAX || known.some((segment) => segment.value === value) ? value : null
}

const withSegment = (segments: readonly SegmentTally[], dimension: SegmentDimension, effect: ExperimentEffect): readonly SegmentTally[] => {
  const sent = effect.segment[dimension]
  if (sent === null || sent === '') return segments
  const value = groupOf(segments, dimension, sent)
  const index = segments.findIndex((segment) => segment.dimension === dimension && segment.value === value)
  const known = segments[index] ?? { dimension, value, control: NO_COUNTS, variant: NO_COUNTS }
  const name = nameOf(effect.arm)
  const next = { ...known, [name]: counted(known[name], effect) }
  return index < 0 ? [...segments, next] : segments.with(index, next)
}

const NOTHING_APPROVED: ApprovedTally = { successes: 0, amount: 0 }
const withApproval = (known: ApprovedTally, effect: ExperimentEffect): ApprovedTally => ({
  ...known,
  successes: known.successes + 1,
  amount: known.amount + effect.amount,
  ...(isPriced(effect) && { costs: withApprovedCosts(known.costs ?? NO_APPROVED_COSTS, effect) }),
})

const withCurrency = (currencies: readonly CurrencyTally[], effect: ExperimentEffect): readonly CurrencyTally[] => {
  if (effect.standing !== 'succeeded') return currencies
  const { currency } = effect.segment
  const index = currencies.findIndex((known) => known.currency === currency)
  if (index < 0 && currencies.length >= CURRENCIES_PER_TALLY_MAX) return currencies
  const known = currencies[index] ?? { currency, control: NOTHING_APPROVED, variant: NOTHING_APPROVED }
  const name = nameOf(effect.arm)
  const next = { ...known, [name]: withApproval(known[name], effect) }
  return index < 0 ? [...currencies, next] : currencies.with(index, next)
}

const withEffect = (view: ExperimentTally, effect: ExperimentEffect): ExperimentTally => {
  const name = nameOf(effect.arm)
  return {
    ...view,
    firstAssignedMs: Math.min(view.firstAssignedMs ?? effect.assignedAt, effect.assignedAt),
    [name]: tallied(view[name], effect),
    segments: SEGMENT_DIMENSIONS.reduce((segments, dimension) => withSegment(segments, dimension, effect), view.segments),
    currencies: withCurrency(view.currencies, effect),
  }
}

interface Exclusion {
  readonly experimentId: string
  readonly reason: ExperimentExclusion
  readonly at: number
}

const exclusionOf = ({ type, data }: PaymentsEvent): Exclusion | undefined => {
  const experiment = type === 'GatewayDecided' ? data.experiment : null
  const reason = experiment?.exclusion ?? null
  return experiment === null || reason === null ? undefined : { experimentId: experiment.experimentId, reason, at: data.at }
}

/** Key of a minute, or of the whole (`null`). */
export const tallyKey = (merchantId: string, experimentId: string, at: number | null): DocumentKey => [
  keyPart(merchantId),
  keyPart(experimentId),
  at === null ? WHOLE : minuteOf(at),
]

const isIn = (key: DocumentKey, experimentId: string, at: number): boolean => {
  const minute = key[2]
  if (key[1] !== keyPart(experimentId)) return false
  return typeof minute !== 'number' || (at >= minute && at < minute + MINUTE_MS)
}

/** The whole and the minute of everything that an event changed, each once. */
const keysOf = (record: RecordedPayment): readonly DocumentKey[] => {
  const { event } = record
  const { merchantId } = event.data
  const changes = experimentsOf(record).map(({ experimentId, assignedAt }) => ({ experimentId, at: assignedAt }))
  const exclusion = exclusionOf(event)
  const keys = [...changes, ...(exclusion === undefined ? [] : [exclusion])].flatMap(({ experimentId, at }) => [
    tallyKey(merchantId, experimentId, null),
    tallyKey(merchantId, experimentId, at),
  ])
  return keys.length <= 2 ? keys : [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

/** Figures of experiments, by the minute in which payments fell into them (analytics.md 9.5). */
export const experimentTallies: DocumentProjection<ExperimentTally, RecordedPayment> = {
  name: 'experiment-tallies-v1',
  endedBy,

  keysOf,

  initialView: (key) => ({
    merchantId: merchantOf(key),
    experimentId: String(key[1]),
    minuteMs: typeof key[2] === 'number' ? key[2] : null,
    firstAssignedMs: null,
    control: NO_TALLY,
    variant: NO_TALLY,
    segments: [],
    currencies: [],
    exclusions: {},
  }),

  project: (view, record, key) => {
    let next = view
    for (const effect of experimentsOf(record)) if (isIn(key, effect.experimentId, effect.assignedAt)) next = withEffect(next, effect)
    const exclusion = exclusionOf(record.event)
    if (exclusion === undefined || !isIn(key, exclusion.experimentId, exclusion.at)) return next
    return { ...next, exclusions: { ...next.exclusions, [exclusion.reason]: (next.exclusions[exclusion.reason] ?? 0) + 1 } }
  },
}
