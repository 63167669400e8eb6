import { includes, type LogRecord, type Position, type Positions } from '@switchyard/kernel'
import { CAUGHT_UP_WAIT_MAX_MS } from './limits.ts'
import { createProgress, type Progress } from './progress.ts'
import { createProjectionPipeline, type PipelineDependencies, type ProjectionPipeline } from './projection-pipeline.ts'
import type { Timers } from './timers.ts'

/** Whether a partition is among those that are worked on. */
export type IsOwn = (partition: number) => boolean

/** The projection of some partitions, for as long as they are the projector's. */
export interface PartitionRun {
  readonly isOwn: IsOwn
  readonly progress: Progress
  /** As {@link progress}, without waiting for the store. */
  readonly processed: Progress
  /** A document as of what was processed; one that has to be loaded waits for its turn. */
  readonly view: ProjectionPipeline['view']
  readonly report: ProjectionPipeline['report']
  /** The log is read from behind these positions. */
  readonly restore: () => Promise<Positions>
  /** Waits until everything up to `position` is stored, and has it stored soon. */
  readonly storedUpTo: (position: Position) => Promise<void>
  /** As `handle` of a subscription; several batches at once take turns. */
  readonly handle: (records: readonly LogRecord[]) => Promise<void>
  /** Waits until everything up to `ends` is stored, within a bound, and then what the fold put off until then. */
  readonly caughtUp: (ends: Positions) => Promise<void>
  /** Stores everything that was folded; rejects when the store is away and the attempts are over. */
  readonly finish: () => Promise<void>
  /** Nothing is stored any more, and nobody waits any longer. */
  readonly abandon: (cause?: unknown) => void
}

/** What a {@link PartitionRun} needs. */
export interface PartitionRunDependencies<Event, Effects> extends Omit<PipelineDependencies<Event, Effects>, 'progress' | 'processed'> {
  readonly isOwn: IsOwn
  /** How long to rest now, behind some work, milliseconds. */
  readonly restMs: () => number
  /** It can't go on. */
  readonly fail: (error: unknown) => void
}

type Lane = <Value>(task: () => Promise<Value>) => Promise<Value>

/** Runs tasks one after another; none after one has failed. */
const createLane = (fail: (error: unknown) => void): Lane => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    mine.catch(fail)
    last = mine
    return mine
  }
}

const elapsed = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve)
  })

/** Flushes that come when their time has come. */
interface DueFlushes {
  /** There is one in so many milliseconds, or sooner, if there is anything to flush. */
  readonly within: (delayMs: number) => void
  /** There is none any more. */
  readonly end: () => void
}

/** What the fold left to a later flush gets one too, also when nothing comes any more: the log does not keep its records for ever. */
const createDueFlushes = <Event, Effects>(
  { flush, isFlushed }: ProjectionPipeline,
  inTurn: Lane,
  { fold, timers, fail }: Pick<PartitionRunDependencies<Event, Effects>, 'fold' | 'timers' | 'fail'>,
): DueFlushes => {
  let next: { readonly atMs: number; readonly cancel: () => void } | undefined
  let isOver = false

  const within = (delayMs: number): void => {
    const dueInMs = isFlushed() ? fold.leftForMs?.() : delayMs
    if (dueInMs === undefined || isOver) return
    const atMs = timers.now() + dueInMs
    if (next !== undefined && next.atMs <= atMs) return
    next?.cancel()
    const cancel = timers.after(dueInMs, () => {
      next = undefined
      inTurn(async () => {
        await flush('if-due')
        within(delayMs)
      }).catch(fail)
    })
    next = { atMs, cancel }
  }

  return {
    within,
    end: () => {
      isOver = true
      next?.cancel()
    },
  }
}

/** A {@link PartitionRun} with a pipeline, and a fold, of its own. */
export const createPartitionRun = <Event, Effects>(dependencies: PartitionRunDependencies<Event, Effects>): PartitionRun => {
  const { topic, restMs, limits, timers, signal, isOwn, fail } = dependencies
  const progress = createProgress(topic, timers)
  const processed = createProgress(topic, timers)
  const pipeline = createProjectionPipeline({ ...dependencies, progress, processed })
  const inTurn = createLane(fail)
  let isAbandoned = false
  const flushes = createDueFlushes(pipeline, inTurn, dependencies)

  return {
    isOwn,
    progress,
    processed,
    view: async (projection, key) => pipeline.atHand(projection, key) ?? (await inTurn(() => pipeline.view(projection, key))),
    report: pipeline.report,
    restore: () => pipeline.restore(isOwn),
    storedUpTo: async (position) => {
      const hurry = (): void => flushes.within(limits.awaitedFlushDelayMs)
      // A wait that ends in vain is told by the other one.
      if (!includes(progress.positions(), position)) void processed.waitFor(position).then(hurry, () => {})
      await progress.waitFor(position)
    },
    handle: async (records) => {
      const gatherMs = records.length < limits.sliceCountMax ? limits.gatherMs : 0
      for (let first = 0; first < records.length; first += limits.sliceCountMax) {
        const slice = records.slice(first, first + limits.sliceCountMax)
        await inTurn(() => pipeline.process(slice))
        flushes.within(limits.flushDelayMs)
        // Behind each slice: behind all that came together a rest may have to be longer than the longest one is.
        const waitMs = Math.max(gatherMs, restMs())
        if (waitMs > 0 && !signal.aborted) await elapsed(timers, waitMs)
      }
    },
    caughtUp: async (ends) => {
      await progress.waitForAll(ends, CAUGHT_UP_WAIT_MAX_MS)
      await inTurn(async () => {
        if (!isAbandoned) await pipeline.flush('caught-up')
      })
    },
    finish: async () => {
      flushes.end()
      await inTurn(() => pipeline.flush('now'))
    },
    abandon: (cause) => {
      isAbandoned = true
      flushes.end()
      progress.end(cause)
      processed.end(cause)
    },
  }
}
