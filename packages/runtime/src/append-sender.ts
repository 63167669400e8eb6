import { EVENT_CATALOGUE, type EventCodec, type PaymentsEvent } from '@switchyard/events'
import { type EventLog, isOperatingError, type NewId, type NewRecord, type Position } from '@switchyard/kernel'
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
  readonly codec: EventCodec
  readonly newId: NewId
  readonly queue: AppendQueue
  readonly limits: AppenderLimits
  readonly timers: Timers
  /** Gets what will never stand in the log because of `error`. */
  readonly fail: (entry: AppendEntry, error: unknown) => void
}

interface Sending {
  readonly entry: AppendEntry
  readonly record: NewRecord
}

const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable

const recordOf = (event: PaymentsEvent, { codec, newId }: AppendSenderDependencies): NewRecord => ({
  key: event.data.merchantId,
  value: codec.encode(event),
  headers: { id: newId(), type: EVENT_CATALOGUE[event.type].subject, correlation: event.data.requestId },
  event,
})

/** Takes the next events off the queue and encodes them; what can't be encoded fails alone. */
const takeBatch = (dependencies: AppendSenderDependencies): readonly Sending[] => {
  const { queue, limits, fail } = dependencies
  const batch: Sending[] = []
  let bytes = 0
  while (batch.length < limits.batchCountMax && bytes < limits.batchBytesMax) {
    const entry = queue.shift()
    if (entry === undefined) break
    try {
      const record = recordOf(entry.event, dependencies)
      batch.push({ entry, record })
      bytes += record.value.length
    } catch (error) {
      fail(entry, error)
    }
  }
  return batch
}

/** Whoever was told that it failed sends it again, as a new event: it needs no further attempt. */
const isWanted = ({ entry }: Sending): boolean => !entry.awaited || entry.receipt !== undefined

/** An {@link AppendSender}; a failed batch is tried again with the same records, before anything that came later. */
export const createAppendSender = (dependencies: AppendSenderDependencies): AppendSender => {
  const { log, queue, limits, timers, fail } = dependencies
  const aborting = new AbortController()
  let batch: readonly Sending[] = []
  let failure: unknown
  let running: Promise<void> | undefined
  let cancelLinger: (() => void) | undefined

  const attempt = async (): Promise<readonly Position[]> => {
    batch = batch.filter(isWanted)
    return batch.length === 0
      ? []
      : await log.append(
          'payments',
          batch.map(({ record }) => record),
        )
  }

  const send = async (): Promise<void> => {
    try {
      const onAttempt = (error: unknown): void => {
        failure = error
      }
      const positions = await retry(attempt, { isTransient, timers, signal: aborting.signal, onAttempt })
      for (const [index, position] of positions.entries()) batch[index]?.entry.receipt?.resolve(position)
    } catch (error) {
      for (const { entry } of batch) fail(entry, error)
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
    inFlight: () => batch.map(({ entry }) => entry),
    failure: () => failure,
    settled: async () => await running,
    abort: () => aborting.abort(),
  }
}
