import {
  BEFORE_FIRST,
  type DocumentKey,
  type EventLog,
  includes,
  isOperatingError,
  type LogRecord,
  type Now,
  type Position,
  type Positions,
  type ReadStore,
  type Subscription,
  type Topic,
} from '@switchyard/kernel'
import type { ProjectionOf, ViewedProjection } from './document-cache.ts'
import { CAUGHT_UP_WAIT_MAX_MS, PROJECTOR_LIMITS, type ProjectorLimits } from './limits.ts'
import { createProgress } from './progress.ts'
import { createProjectionPipeline } from './projection-pipeline.ts'
import { systemTimers, type Timers } from './timers.ts'
import type { RecordedEvent, TopicFold } from './topic-fold.ts'

/** Folds one topic into the read store. */
export interface Projector {
  /** Restores the fold, then tails the log from its positions. */
  readonly start: () => Promise<void>
  /** Ends the tail and stores everything that was folded; rejects when the store is away (the log repeats it). */
  readonly stop: () => Promise<void>
  readonly status: () => Promise<ProjectorStatus>
  /** Whether everything that stands in the topic now is stored. */
  readonly isCaughtUp: () => Promise<boolean>
  /** Waits until everything that stands in the topic now is stored; `POSITION_NOT_REACHED` beyond {@link CAUGHT_UP_WAIT_MAX_MS}. */
  readonly caughtUp: () => Promise<void>
  /** Waits until the documents include `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly projectedUpTo: (position: Position) => Promise<void>
  /** {@link projectedUpTo} without waiting for the store: what {@link view} shows includes `position`. */
  readonly processedUpTo: (position: Position) => Promise<void>
  /** A document as of what was processed, whether or not it is stored yet; its initial view when there is none. */
  readonly view: <View extends object>(projection: ViewedProjection<View>, key: DocumentKey) => Promise<View>
}

/** How a projector is doing. */
export interface ProjectorStatus {
  readonly topic: Topic
  readonly state: 'idle' | 'running' | 'store-away' | 'failed' | 'stopped'
  /** Stored up to here. */
  readonly positions: Positions
  /** Offsets between that and the end of the log; null when the log does not answer. */
  readonly lagCount: number | null
  /** Epoch milliseconds; null before the first flush. */
  readonly lastFlushedAt: number | null
  /** Unreadable records since the start. */
  readonly deadLetterCount: number
}

/** What {@link createProjector} needs. */
export interface ProjectorDependencies<Event, Effects> {
  readonly topic: Topic
  readonly log: EventLog
  readonly store: ReadStore
  readonly fold: TopicFold<Event, Effects>
  readonly projections: readonly ProjectionOf<RecordedEvent<Event, Effects>>[]
  readonly now: Now
  /** The projector can't go on (a bug, the log lost or truncated); a store that is away is waited for. */
  readonly onFailure: (error: unknown) => void
  /** How long to rest after so many milliseconds of work, in milliseconds; without it there is no rest. */
  readonly restAfter?: (workedMs: number) => number
  /** Gets what was applied to the documents, in order, before it is stored. */
  readonly onProjected?: (inputs: readonly RecordedEvent<Event, Effects>[]) => void
  readonly limits?: ProjectorLimits
  readonly timers?: Timers
}

const NO_REST = (): number => 0

const lagBetween = (positions: Positions, ends: Positions): number =>
  [...ends].reduce((sum, [partition, offset]) => sum + Math.max(0, offset - (positions.get(partition) ?? BEFORE_FIRST)), 0)

/** Null when the log does not answer. */
const lagOf = async (log: EventLog, topic: Topic, positions: Positions): Promise<number | null> => {
  try {
    return lagBetween(positions, await log.endPositions(topic))
  } catch (error) {
    if (isOperatingError(error)) return null
    throw error
  }
}

/** Runs tasks one after another; none after one has failed. */
const createLane = (fail: (error: unknown) => void): (<Value>(task: () => Promise<Value>) => Promise<Value>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    mine.catch(fail)
    last = mine
    return mine
  }
}

const elapse = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve)
  })

/** A {@link Projector}: one pass over the topic, documents first, then the fold with its positions. */
export const createProjector = <Event, Effects>(dependencies: ProjectorDependencies<Event, Effects>): Projector => {
  const { topic, log, restAfter = NO_REST, limits = PROJECTOR_LIMITS, timers = systemTimers, onFailure } = dependencies
  const ending = new AbortController()
  const progress = createProgress(topic, timers)
  const processed = createProgress(topic, timers)
  const pipeline = createProjectionPipeline({ ...dependencies, limits, timers, progress, processed, signal: ending.signal })
  let state: 'idle' | 'running' | 'failed' | 'stopped' = 'idle'
  let tail: Subscription | undefined
  let cancelFlush: (() => void) | undefined

  const fail = (error: unknown): void => {
    if (state !== 'running') return
    state = 'failed'
    cancelFlush?.()
    progress.end(error)
    processed.end(error)
    if (!ending.signal.aborted) onFailure(error)
  }
  const inTurn = createLane(fail)

  const flushSoon = (): void => {
    if (pipeline.isFlushed() || cancelFlush !== undefined) return
    cancelFlush = timers.after(limits.flushDelayMs, () => {
      cancelFlush = undefined
      inTurn(() => pipeline.flush('if-due')).catch(fail)
    })
  }

  const handle = async (records: readonly LogRecord[]): Promise<void> => {
    const startedMs = timers.now()
    await inTurn(() => pipeline.process(records))
    flushSoon()
    const gatherMs = records.length < limits.sliceCountMax ? limits.gatherMs : 0
    if (!ending.signal.aborted) await elapse(timers, Math.max(gatherMs, restAfter(timers.now() - startedMs)))
  }

  const stop = async (): Promise<void> => {
    ending.abort()
    cancelFlush?.()
    await tail?.stop()
    if (state === 'running') await inTurn(() => pipeline.flush('now'))
    state = 'stopped'
    progress.end()
    processed.end()
  }

  return {
    start: async () => {
      const from = await pipeline.restore()
      state = 'running'
      tail = log.subscribe({ topic, from, handle, onFailure: fail })
    },
    stop,
    status: async () => {
      const { lastFlushedAt, deadLetterCount, storeFailure } = pipeline.report()
      const shown = state === 'running' && storeFailure !== undefined ? 'store-away' : state
      const positions = new Map(progress.positions())
      return { topic, state: shown, positions, lagCount: await lagOf(log, topic, positions), lastFlushedAt, deadLetterCount }
    },
    isCaughtUp: async () =>
      [...(await log.endPositions(topic))].every(([partition, offset]) => includes(progress.positions(), { partition, offset })),
    caughtUp: async () => progress.waitForAll(await log.endPositions(topic), CAUGHT_UP_WAIT_MAX_MS),
    projectedUpTo: (position) => progress.waitFor(position),
    processedUpTo: (position) => processed.waitFor(position),
    view: (projection, key) => inTurn(() => pipeline.view(projection, key)),
  }
}
