import { type EventLog, isOperatingError, type NewRecord, type Position } from '@switchyard/kernel'
import type { AppendEntry, AppendQueue } from './append-queue.ts'
import type { AppenderLimits } from './limits.ts'
import { retry } from './retry.ts'
import type { Timers } from './timers.ts'

/** Sends the queue to the log, one batch on its way at a time: whatever arrives meanwhile goes with the next one. */
export interface AppendSender {
  /** Sends now, or as soon as the batch under way has arrived. */
  readonly sendNow: () => void
  /** Sends when the linger time is over, or earlier with others. */
  readonly sendSoon: () => void
  readonly inFlight: () => readonly AppendEntry[]
  /** Why the log does not take events at the moment, if so. */
  readonly failure: () => unknown
  /** Resolves when nothing is on its way. */
  readonly settled: () => Promise<void>
  /** Ends the attempts. */
  readonly abort: () => void
}

/** What {@link createAppendSender} needs. */
export interface AppendSenderDependencies {
  readonly log: EventLog
  readonly queue: AppendQueue
  readonly limits: AppenderLimits
  readonly timers: Timers
  /** Gets what will never stand in the log because of `error`. */
  readonly fail: (entry: AppendEntry, error: unknown) => void
}

const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable

/** Takes the next events off the queue. */
const takeBatch = ({ queue, limits }: AppendSenderDependencies): readonly AppendEntry[] => {
  const batch: AppendEntry[] = []
  let [count, bytes] = [0, 0]
  while (count < limits.batchCountMax && bytes < limits.batchBytesMax) {
    const entry = queue.shift()
    if (entry === undefined) break
    batch.push(entry)
    count += entry.records.length
    for (const { value } of entry.records) bytes += value.length
  }
  return batch
}

/** Tells those who wait where their events stand. */
const acknowledge = (batch: readonly AppendEntry[], positions: readonly Position[]): void => {
  let end = 0
  for (const { records, receipt } of batch) {
    const start = end
    end += records.length
    receipt?.resolve(positions.slice(start, end))
  }
}

/** Whoever was told that it failed sends it again, as a new event: it needs no further attempt. */
const isWanted = ({ awaited, receipt }: AppendEntry): boolean => !awaited || receipt !== undefined

/** An {@link AppendSender}; a failed batch is tried again with the same records, before anything that came later. */
export const createAppendSender = (dependencies: AppendSenderDependencies): AppendSender => {
  const { log, queue, limits, timers, fail } = dependencies
  const aborting = new AbortController()
  let batch: readonly AppendEntry[] = []
  let failure: unknown
  let running: Promise<void> | undefined
  let cancelLinger: (() => void) | undefined

  const attempt = async (): Promise<readonly Position[]> => {
    batch = batch.filter(isWanted)
    const records: NewRecord[] = []
    for (const entry of batch) records.push(...entry.records)
    return records.length === 0 ? [] : await log.append('payments', records)
  }

  const send = async (): Promise<void> => {
    try {
      const onAttempt = (error: unknown): void => {
        failure = error
      }
      const positions = await retry(attempt, { isTransient, timers, signal: aborting.signal, onAttempt })
      acknowledge(batch, positions)
    } catch (error) {
      for (const entry of batch) fail(entry, error)
    }
    batch = []
  }

  const run = async (): Promise<void> => {
    await Promise.resolve()
    do {
      batch = takeBatch(dependencies)
      if (batch.length > 0) await send()
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
    abort: () => aborting.abort(),
  }
}
