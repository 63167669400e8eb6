import {
  type EventLog,
  includes,
  isOperatingError,
  type OperatingError,
  type Position,
  type Positions,
  type ReadStore,
  type Topic,
} from '@switchyard/kernel'
import { inGeneration } from './generations.ts'
import { lagBehind } from './lag.ts'
import { CAUGHT_UP_WAIT_MAX_MS, READ_MODEL_LOOK_PAUSE_MS } from './limits.ts'
import { createProgress } from './progress.ts'
import type { ProjectorStatus } from './projector.ts'
import { createReadingGeneration } from './reading-generation.ts'
import { pause, systemTimers, type Timers } from './timers.ts'

/** How far documents are stored, seen from a process that reads them while others project. */
export interface ReadModelProgress {
  /** The documents, in a generation that includes every position that was reached. */
  readonly readModels: ReadStore
  /** Waits until the documents include `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly projectedUpTo: (position: Position) => Promise<void>
  /** Waits until everything that stands in the topic now is stored; `POSITION_NOT_REACHED` beyond {@link CAUGHT_UP_WAIT_MAX_MS}. */
  readonly caughtUp: () => Promise<void>
  readonly status: () => Promise<Pick<ProjectorStatus, 'topic' | 'state' | 'lagCount'>>
  /** Nobody waits any longer. */
  readonly stop: () => void
}

/** What {@link createReadModelProgress} needs. */
export interface ReadModelProgressDependencies {
  readonly log: Pick<EventLog, 'endPositions'>
  readonly store: ReadStore
  readonly topic: Topic
  /** Names of the projections; the same as the projector's. */
  readonly projections: readonly string[]
  readonly timers?: Timers
}

/** What {@link createWatch} needs. */
interface WatchDependencies {
  readonly look: () => Promise<void>
  /** A look failed for a bug: the waiting ends with it. */
  readonly fail: (error: unknown) => void
  readonly timers: Timers
  readonly signal: AbortSignal
}

/** Looks again and again while somebody waits: one loop for all. Gives the promise that is waited for. */
const createWatch = ({ look, fail, timers, signal }: WatchDependencies): ((reached: Promise<void>) => Promise<void>) => {
  let waitingCount = 0
  let watching: Promise<void> | undefined

  const watch = async (): Promise<void> => {
    try {
      while (waitingCount > 0 && !signal.aborted) {
        await look()
        await pause(timers, READ_MODEL_LOOK_PAUSE_MS, signal)
      }
    } catch (error) {
      fail(error)
    }
    // At once: for who begins to wait a moment later nobody looks any more.
    watching = undefined
  }

  return async (reached) => {
    waitingCount += 1
    watching ??= watch()
    try {
      await reached
    } finally {
      waitingCount -= 1
    }
  }
}

/** A {@link ReadModelProgress} that looks at the checkpoints of the projectors, repeatedly only while somebody waits. */
export const createReadModelProgress = (dependencies: ReadModelProgressDependencies): ReadModelProgress => {
  const { log, store, topic, projections, timers = systemTimers } = dependencies
  const generation = createReadingGeneration({ store, topic, projections, timers })
  const progress = createProgress(topic, timers)
  const ending = new AbortController()
  let looking: Promise<void> | undefined
  let failure: OperatingError | undefined

  const includesPromises = (positions: Positions): boolean =>
    [...progress.positions()].every(([partition, offset]) => includes(positions, { partition, offset }))

  const lookAnew = async (): Promise<void> => {
    try {
      await generation.goOver(includesPromises)
      for (const [partition, offset] of await generation.checkpoints().restore()) progress.advance(partition, offset)
      failure = undefined
    } catch (error) {
      if (!isOperatingError(error)) throw error
      failure = error
    }
  }

  /** One at a time: positions of a generation that is left must not be taken for those of the next. */
  const look = (): Promise<void> => {
    looking ??= lookAnew().finally(() => {
      looking = undefined
    })
    return looking
  }

  const awaited = createWatch({ look, fail: progress.end, timers, signal: ending.signal })

  const reading = async (): Promise<number> => {
    if (generation.isDue()) {
      await look()
      // Which generation is current is not known: the one known last may have been dropped since, and would be read as if it were empty.
      if (failure !== undefined) throw failure
    }
    return generation.number()
  }

  return {
    readModels: inGeneration(store, reading),
    projectedUpTo: (position) => awaited(progress.waitFor(position)),
    caughtUp: async () => await awaited(progress.waitForAll(await log.endPositions(topic), CAUGHT_UP_WAIT_MAX_MS)),
    status: async () => {
      await look()
      const lagCount = await lagBehind(progress.positions(), () => log.endPositions(topic))
      return { topic, state: failure === undefined ? 'running' : 'store-away', lagCount }
    },
    stop: () => {
      ending.abort()
      progress.end()
    },
  }
}
