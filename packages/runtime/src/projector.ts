import {
  type DocumentKey,
  type EventLog,
  includes,
  type LogRecord,
  type Now,
  OperatingError,
  type Position,
  type Positions,
  type ReadStore,
  type Subscription,
  type Topic,
} from '@switchyard/kernel'
import type { ProjectionOf } from './cached-document.ts'
import type { ViewedProjection } from './document-cache.ts'
import { lagBehind } from './lag.ts'
import { PROJECTOR_LIMITS, type ProjectorLimits } from './limits.ts'
import { createPartitionRun, type IsOwn, type PartitionRun } from './partition-run.ts'
import { systemTimers, type Timers } from './timers.ts'
import type { RecordedEvent, TopicFold } from './topic-fold.ts'

/** Folds one topic into the read store. */
export interface Projector {
  /** Restores the fold, then tails the log from its positions; in a group as soon as it is given partitions. */
  readonly start: () => Promise<void>
  /** Ends the tail and stores everything that was folded; rejects when the store is away (the log repeats it). */
  readonly stop: () => Promise<void>
  readonly status: () => Promise<ProjectorStatus>
  /** Whether everything that stands in the topic (in a group: in its own partitions) now is stored. */
  readonly isCaughtUp: () => Promise<boolean>
  /**
   * Waits until everything that stands in the topic (in a group: in its own partitions) now is stored; `POSITION_NOT_REACHED`
   * beyond `CAUGHT_UP_WAIT_MAX_MS`, or when the partitions change meanwhile. Waits too while the store is away at the last step.
   */
  readonly caughtUp: () => Promise<void>
  /** Waits until the documents include `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly projectedUpTo: (position: Position) => Promise<void>
  /** {@link projectedUpTo} for whoever can't wait for the next write to the store: it comes sooner. */
  readonly storedUpTo: (position: Position) => Promise<void>
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

/** Shares a topic with other processes: the records of the partitions that this one is given, for as long as it has them. */
export type ShareTopic = (options: {
  readonly topic: Topic
  /** Hears which partitions it has from now on, and says behind which positions they are read; none while they change hands. */
  readonly from: (partitions: readonly number[]) => Promise<Positions>
  readonly handle: (records: readonly LogRecord[]) => Promise<void>
  readonly onFailure: (error: unknown) => void
}) => Subscription

/** What {@link createProjector} needs. */
export interface ProjectorDependencies<Event, Effects> {
  readonly topic: Topic
  readonly log: EventLog
  readonly store: ReadStore
  /** An empty fold; one is made each time that the partitions change. */
  readonly createFold: () => TopicFold<Event, Effects>
  readonly projections: readonly ProjectionOf<RecordedEvent<Event, Effects>>[]
  readonly now: Now
  /** The projector can't go on (a bug, the log lost or truncated); a store that is away is waited for. */
  readonly onFailure: (error: unknown) => void
  /** How long to rest now, behind some work, in milliseconds; without it there is no rest. */
  readonly restMs?: () => number
  /** Other projectors have part of the topic; absent: this one has all of it. */
  readonly share?: ShareTopic
  /** Gets what was applied to the documents, in order, before it is stored. */
  readonly onProjected?: (inputs: readonly RecordedEvent<Event, Effects>[]) => void
  readonly limits?: ProjectorLimits
  readonly timers?: Timers
}

const NO_REST = (): number => 0

const ALL: IsOwn = () => true
const NONE: IsOwn = () => false

const unassigned = (topic: Topic): OperatingError =>
  new OperatingError('POSITION_NOT_REACHED', `no partitions of ${topic} were given to this process yet`, { retryable: true })

/** The partitions that a projector has now, and their run. */
interface Runs {
  readonly current: () => PartitionRun
  /** What was folded is stored before somebody else goes on from there. */
  readonly changeTo: (partitions: readonly number[]) => Promise<Positions>
  readonly deadLetterCount: () => number
}

const createRuns = (runOf: (isOwn: IsOwn) => PartitionRun, first: IsOwn): Runs => {
  let run = runOf(first)
  let deadLettersBefore = 0
  return {
    current: () => run,
    changeTo: async (partitions) => {
      await run.finish()
      run.abandon()
      deadLettersBefore += run.report().deadLetterCount
      const own = new Set(partitions)
      run = runOf((partition) => own.has(partition))
      return await run.restore()
    },
    deadLetterCount: () => deadLettersBefore + run.report().deadLetterCount,
  }
}

/** A {@link Projector}: one pass over the topic, documents first, then the fold with its positions. */
export const createProjector = <Event, Effects>(dependencies: ProjectorDependencies<Event, Effects>): Projector => {
  const { topic, log, createFold, share, restMs = NO_REST, limits = PROJECTOR_LIMITS, timers = systemTimers, onFailure } = dependencies
  const ending = new AbortController()
  let state: 'idle' | 'running' | 'failed' | 'stopped' = 'idle'
  let tail: Subscription | undefined

  const fail = (error: unknown): void => {
    if (state === 'failed' || state === 'stopped') return
    state = 'failed'
    runs.current().abandon(error)
    if (!ending.signal.aborted) onFailure(error)
  }
  const runOf = (isOwn: IsOwn): PartitionRun =>
    createPartitionRun({ ...dependencies, fold: createFold(), restMs, limits, timers, signal: ending.signal, isOwn, fail })
  const runs = createRuns(runOf, share === undefined ? ALL : NONE)

  const begin = async (restoring: Promise<Positions>): Promise<Positions> => {
    const from = await restoring
    if (state === 'idle') state = 'running'
    return from
  }

  const ownEnds = async (): Promise<Positions> => {
    if (share !== undefined && state === 'idle') throw unassigned(topic)
    return new Map([...(await log.endPositions(topic))].filter(([partition]) => runs.current().isOwn(partition)))
  }

  const start = async (): Promise<void> => {
    const handle = (records: readonly LogRecord[]): Promise<void> => runs.current().handle(records)
    tail =
      share === undefined
        ? log.subscribe({ topic, from: await begin(runs.current().restore()), handle, onFailure: fail })
        : share({ topic, from: (partitions) => begin(runs.changeTo(partitions)), handle, onFailure: fail })
  }

  const status = async (): Promise<ProjectorStatus> => {
    const { progress, report } = runs.current()
    const { lastFlushedAt, storeFailure } = report()
    const shown = state === 'running' && storeFailure !== undefined ? 'store-away' : state
    const positions = new Map(progress.positions())
    const lagCount = await lagBehind(positions, ownEnds)
    return { topic, state: shown, positions, lagCount, lastFlushedAt, deadLetterCount: runs.deadLetterCount() }
  }

  return {
    start,
    stop: async () => {
      ending.abort()
      await tail?.stop()
      if (state === 'running') await runs.current().finish()
      state = 'stopped'
      runs.current().abandon()
    },
    status,
    isCaughtUp: async () => {
      const { progress } = runs.current()
      return [...(await ownEnds())].every(([partition, offset]) => includes(progress.positions(), { partition, offset }))
    },
    caughtUp: async () => runs.current().caughtUp(await ownEnds()),
    projectedUpTo: (position) => runs.current().progress.waitFor(position),
    storedUpTo: (position) => runs.current().storedUpTo(position),
    processedUpTo: (position) => runs.current().processed.waitFor(position),
    view: (projection, key) => runs.current().view(projection, key),
  }
}
