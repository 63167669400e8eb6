import type { AnalyticsQueries, TunedDimension } from '@switchyard/analytics'
import type { NewId, Now } from '@switchyard/kernel'
import { hadRun, type ScoringDimensions, scoringDimensions, successRateScoring } from '@switchyard/routing'
import {
  createRounds,
  type HandleCommand,
  type LifecycleReport,
  type Part,
  type StreamStates,
  systemTimers,
  type Timers,
  type TuningSettings,
} from '@switchyard/runtime'

/** How long the tuner rests at most between two looks at its merchants, milliseconds: a run that failed is tried again then. */
const LOOK_INTERVAL_MS_MAX = 15_000

/** What the tuner works with. */
export interface TunerDependencies {
  readonly states: Pick<StreamStates, 'stateOf' | 'onChange'>
  readonly handle: HandleCommand
  readonly queries: Pick<AnalyticsQueries, 'clusterTraffic'>
  /** Waits until the queries know all that the log holds of the merchant's payments now; rejects when that takes too long. */
  readonly caughtUp: (merchantId: string) => Promise<void>
  /** How often a merchant of this id was registered: the figures of one are none of the next one's. */
  readonly lifeOf: (merchantId: string) => number
  /** When a merchant's history begins, epoch milliseconds. */
  readonly historySinceOf: (merchantId: string) => number
  readonly settings: TuningSettings
  readonly now: Now
  readonly newId: NewId
  readonly report: LifecycleReport
  readonly timers?: Timers
}

/** Sets scoring knobs from what was seen of the traffic (analytics.md 7). */
export interface Tuner {
  /** Gives every enrolled merchant the run of this interval, unless it had one. */
  readonly tune: () => Promise<void>
  readonly part: Part
}

const DIMENSIONS: ReadonlyMap<string, TunedDimension> = new Map([
  ['card_network', 'cardNetwork'],
  ['currency', 'currency'],
  ['country', 'country'],
  ['auth_type', 'authType'],
])

const dimensionsOf = ({ chosen }: ScoringDimensions): readonly TunedDimension[] =>
  (chosen?.fields ?? []).flatMap((field) => DIMENSIONS.get(field) ?? [])

/**
 * Several processes may tune at the same time: an interval has one run, by the version of the merchant's settings; whoever comes
 * second finds it made. Nothing is decided on figures that lag behind the log.
 */
export const createTuner = (dependencies: TunerDependencies): Tuner => {
  const { states, handle, queries, caughtUp, lifeOf, historySinceOf, now, newId, report, timers = systemTimers } = dependencies
  const { intervalMs, rules } = dependencies.settings
  const enrolled = new Set<string>()

  states.onChange((merchantId) => {
    const { registered, tuning } = states.stateOf(successRateScoring, merchantId)
    if (registered && tuning.isOn) enrolled.add(merchantId)
    else enrolled.delete(merchantId)
  })

  const tuneOne = async (merchantId: string): Promise<void> => {
    const at = now()
    const intervalStartAt = Math.floor(at / intervalMs) * intervalMs
    if (hadRun(states.stateOf(successRateScoring, merchantId).tuning, intervalStartAt)) return
    const life = lifeOf(merchantId)
    await caughtUp(merchantId)
    const traffic = await queries.clusterTraffic(merchantId, {
      startMs: Math.max(at - rules.lookbackMs, historySinceOf(merchantId)),
      endMs: at,
      dimensions: dimensionsOf(states.stateOf(scoringDimensions, merchantId)),
    })
    const command = { type: 'CalibrateScoring', merchantId, intervalStartAt, traffic, rules, at } as const
    await handle(successRateScoring, { key: merchantId, command, life, origin: { actor: 'system:tuner', requestId: newId() } })
  }

  const rounds = createRounds({
    name: 'tuner',
    items: () => enrolled,
    lookAt: tuneOne,
    onFailure: (merchantId, error) => report.failed(`the knobs of ${merchantId} could not be looked at; they will be again`, error),
    pauseMs: Math.min(intervalMs, LOOK_INTERVAL_MS_MAX),
    timers,
  })
  return { tune: rounds.round, part: rounds }
}
