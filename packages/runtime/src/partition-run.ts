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

const elapsed = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve)
  })

/** A {@link PartitionRun} with a pipeline, and a fold, of its own. */
export const createPartitionRun = <Event, Effects>(dependencies: PartitionRunDependencies<Event, Effects>): PartitionRun => {
  const { topic, restMs, limits, timers, signal, isOwn, fail } = dependencies
  const progress = createProgress(topic, timers)
  const processed = createProgress(topic, timers)
  const pipeline = createProjectionPipeline({ ...dependencies, progress, processed })
  const inTurn = createLane(fail)
  let isAbandoned = false
  let nextFlush: { readonly atMs: number; readonly cancel: () => void } | undefined

  const flushWithin = (delayMs: number): void => {
    const atMs = timers.now() + delayMs
    if (pipeline.isFlushed() || (nextFlush !== undefined && nextFlush.atMs <= atMs)) return
    nextFlush?.cancel()
    const cancel = timers.after(delayMs, () => {
      nextFlush = undefined
      inTurn(() => pipeline.flush('if-due')).catch(fail)
    })
    nextFlush = { atMs, cancel }
  }

  return {
    isOwn,
    progress,
    processed,
    view: async (projection, key) => pipeline.atHand(projection, key) ?? (await inTurn(() => pipeline.view(projection, key))),
    report: pipeline.report,
    restore: () => pipeline.restore(isOwn),
    storedUpTo: async (position) => {
      const hurry = (): void => flushWithin(limits.awaitedFlushDelayMs)
      // A wait that ends in vain is told by the other one.
      if (!includes(progress.positions(), position)) void processed.waitFor(position).then(hurry, () => {})
      await progress.waitFor(position)
    },
    handle: async (records) => {
      const gatherMs = records.length < limits.sliceCountMax ? limits.gatherMs : 0
      for (let first = 0; first < records.length; first += limits.sliceCountMax) {
        const slice = records.slice(first, first + limits.sliceCountMax)
        await inTurn(() => pipeline.process(slice))
        flushWithin(limits.flushDelayMs)
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
      nextFlush?.cancel()
      await inTurn(() => pipeline.flush('now'))
    },
    abandon: (cause) => {
      isAbandoned = true
      nextFlush?.cancel()
      progress.end(cause)
      processed.end(cause)
    },
  }
}
