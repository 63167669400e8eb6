import { type EventLog, isOperatingError, type Position } from '@switchyard/kernel'
import { type AppendBatch, type AppendQueue, type AwaitedPart, NO_BATCH } from './append-queue.ts'
import type { AppenderLimits } from './limits.ts'
import { retry } from './retry.ts'
import type { Timers } from './timers.ts'

/** Sends the queue to the log, one batch on its way at a time: whatever arrives meanwhile goes with the next one. */
export interface AppendSender {
  /** Sends now, or as soon as the batch under way has arrived. */
  readonly sendNow: () => void
  /** Sends when the linger time is over, or earlier with others. */
  readonly sendSoon: () => void
  readonly inFlight: () => AppendBatch
  /** Why the log does not take events at the moment, if so. */
  readonly failure: () => unknown
  /** Resolves when nothing is on its way. */
  readonly settled: () => Promise<void>
  /** Ends the attempts, and gives up what is on its way. */
  readonly abort: (error: unknown) => void
}

/** What {@link createAppendSender} needs. */
export interface AppendSenderDependencies {
  readonly log: EventLog
  readonly queue: AppendQueue
  readonly limits: AppenderLimits
  readonly timers: Timers
  /** Gets what will never stand in the log because of `error`. */
  readonly fail: (batch: AppendBatch, error: unknown) => void
}

const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable

/** Tells those who wait where their events stand. */
const acknowledge = ({ awaited }: AppendBatch, positions: readonly Position[]): void => {
  for (const { events, start } of awaited) events.receipt?.resolve(positions.slice(start, start + events.records.length))
}

/** Whoever was told that it failed sends it again, as a new event: it needs no further attempt. */
const withoutGivenUp = (batch: AppendBatch): AppendBatch => {
  if (batch.awaited.every(({ events }) => events.receipt !== undefined)) return batch
  const records = [...batch.records]
  const awaited: AwaitedPart[] = []
  let goneCount = 0
  for (const { events, start } of batch.awaited) {
    if (events.receipt !== undefined) awaited.push({ events, start: start - goneCount })
    else goneCount += records.splice(start - goneCount, events.records.length).length
  }
  return { records, awaited, lossyCount: batch.lossyCount }
}

/** An {@link AppendSender}; a failed batch is tried again with the same records, before anything that came later. */
export const createAppendSender = (dependencies: AppendSenderDependencies): AppendSender => {
  const { log, queue, limits, timers, fail } = dependencies
  const aborting = new AbortController()
  let batch = NO_BATCH
  let failure: unknown
  let running: Promise<void> | undefined
  let cancelLinger: (() => void) | undefined

  const attempt = async (): Promise<readonly Position[]> => {
    batch = withoutGivenUp(batch)
    return batch.records.length === 0 ? [] : await log.append('payments', batch.records)
  }

  /** What became of the batch is told once. */
  const takeBack = (): AppendBatch => {
    const told = batch
    batch = NO_BATCH
    return told
  }

  const send = async (): Promise<void> => {
    try {
      const onAttempt = (error: unknown): void => {
        failure = error
      }
      const positions = await retry(attempt, { isTransient, timers, signal: aborting.signal, onAttempt })
      acknowledge(takeBack(), positions)
    } catch (error) {
      fail(takeBack(), error)
    }
  }

  const run = async (): Promise<void> => {
    await Promise.resolve()
    do {
      batch = queue.takeBatch(limits)
      if (batch.records.length > 0) await send()
    } while (!aborting.signal.aborted && (queue.awaitedCount() > 0 || queue.count() >= limits.batchCountMax))
    running = undefined
    if (queue.count() > 0 && !aborting.signal.aborted) sendSoon()
  }

  const sendNow = (): void => {
    cancelLinger?.()
    cancelLinger = undefined
    running ??= run()
  }

  const sendSoon = (): void => {
    if (running === undefined) cancelLinger ??= timers.after(limits.lingerMs, sendNow)
  }

  return {
    sendNow,
    sendSoon,
    inFlight: () => batch,
    failure: () => failure,
    settled: async () => await running,
    abort: (error) => {
      aborting.abort()
      fail(takeBack(), error)
    },
  }
}
