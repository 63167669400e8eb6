import { type AnalyticsQueries, type ExperimentTally, guardrailBreach, MINUTE_MS } from '@switchyard/analytics'
import type { NewId, Now } from '@switchyard/kernel'
import { activePaymentAlgorithm, type Experiment, experimentOf, routingAlgorithms, startOf } from '@switchyard/routing'
import {
  createRounds,
  type HandleCommand,
  type LifecycleReport,
  type Part,
  type StreamStates,
  systemTimers,
  type Timers,
} from '@switchyard/runtime'

/** How long the guard rests between two looks at all experiments, milliseconds. */
const GUARD_INTERVAL_MS = 5_000

/** What the guard works with. */
export interface ExperimentGuardDependencies {
  readonly states: Pick<StreamStates, 'stateOf' | 'onChange'>
  readonly handle: HandleCommand
  readonly queries: Pick<AnalyticsQueries, 'experimentFigures'>
  /** When a merchant's history begins, epoch milliseconds. */
  readonly historySinceOf: (merchantId: string) => number
  readonly now: Now
  readonly newId: NewId
  readonly report: LifecycleReport
  readonly timers?: Timers
}

/** Ends live experiments that ask for it when their variant is certain to lose more than allowed (analytics.md 6.1 "Ours"). */
export interface ExperimentGuard {
  /** Looks at each of them once. */
  readonly check: () => Promise<void>
  readonly part: Part
}

/** A live experiment that ends itself. */
interface Guarded {
  readonly id: string
  readonly experiment: Experiment
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/**
 * Every process that answers commands has one. That several of them look at the same experiment does no harm: it is stopped
 * once, by the version of its aggregate. What was collected before its newest start is not held against it.
 */
export const createExperimentGuard = (dependencies: ExperimentGuardDependencies): ExperimentGuard => {
  const { states, handle, queries, historySinceOf, now, newId, report, timers = systemTimers } = dependencies
  const guarded = new Map<string, Guarded>()

  states.onChange((merchantId) => {
    const stored = activePaymentAlgorithm(states.stateOf(routingAlgorithms, merchantId))
    const experiment = stored && experimentOf(stored)
    if (stored === undefined || experiment === undefined || !experiment.autoStop) guarded.delete(merchantId)
    else guarded.set(merchantId, { id: stored.id, experiment, startedAt: startOf(stored) })
  })

  const tallySince = async (merchantId: string, experimentId: string, startMs: number): Promise<ExperimentTally> => {
    const query = { experimentId, startMs, endMs: undefined, historySince: historySinceOf(merchantId) }
    return (await queries.experimentFigures(merchantId, query)).tally
  }

  /** Figures of a part of an experiment are those of whole minutes, and the minute of the start may hold payments of the run before it: then it is left out. */
  const tallyOfRun = async (merchantId: string, { id, startedAt }: Guarded): Promise<ExperimentTally> => {
    const tally = await tallySince(merchantId, id, startedAt)
    const isOfRun = tally.firstAssignedMs === null || tally.firstAssignedMs >= startedAt
    return isOfRun ? tally : await tallySince(merchantId, id, (Math.floor(startedAt / MINUTE_MS) + 1) * MINUTE_MS)
  }

  const checkOne = async ([merchantId, guardedOne]: readonly [string, Guarded]): Promise<void> => {
    const { id, experiment, startedAt } = guardedOne
    const breach = guardrailBreach(await tallyOfRun(merchantId, guardedOne), experiment)
    if (breach === null) return
    const command = { type: 'StopExperiment', merchantId, algorithmId: id, startedAt, breach, at: now() } as const
    const origin = { actor: 'system:experiment-guard', requestId: newId() }
    await handle(routingAlgorithms, { key: merchantId, command, origin })
  }

  const rounds = createRounds({
    name: 'experiment guard',
    items: () => guarded,
    lookAt: checkOne,
    onFailure: ([, { id }], error) => report.failed(`experiment ${id} could not be looked at; it will be again`, error),
    pauseMs: GUARD_INTERVAL_MS,
    timers,
  })
  return { check: rounds.round, part: rounds }
}
