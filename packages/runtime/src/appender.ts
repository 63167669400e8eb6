import { EVENT_CATALOGUE, type EventCodec, type PaymentsEvent, paymentsPartOf } from '@switchyard/events'
import {
  assert,
  type EventLog,
  type NewId,
  type NewRecord,
  OperatingError,
  type OperatingErrorCode,
  type Position,
} from '@switchyard/kernel'
import { type AppendBatch, type AppendQueue, createAppendQueue } from './append-queue.ts'
import { type AppendSender, createAppendSender } from './append-sender.ts'
import { APPENDER_LIMITS, type AppenderLimits } from './limits.ts'
import type { RequestTraces } from './request-traces.ts'
import { systemTimers, type Timers, within } from './timers.ts'

/**
 * The ordered way of payment events into the log: decisions and outcomes share one queue, so that a decision stands before
 * its outcome. Bounded by count and by milliseconds.
 */
export interface PaymentAppender {
  /**
   * For what is acknowledged: resolves with the position when the event is durable. Rejects with `APPEND_BUFFER_FULL`,
   * `LOG_CLOSED`, or after the bound with `LOG_UNAVAILABLE`: then the event may nevertheless come to stand in the log.
   * `actor` is who caused it, for events that people ask for.
   */
  readonly append: (event: PaymentsEvent, actor?: string) => Promise<Position>
  /** As {@link append}, for events that are acknowledged together: all of them or none. Positions in the order of the events. */
  readonly appendAll: (events: readonly PaymentsEvent[]) => Promise<readonly Position[]>
  /** For decisions: returns at once. While the log is away events wait in the buffer; an overflow drops the oldest and counts it. */
  readonly enqueue: (event: PaymentsEvent) => void
  /** Sends what waits for company: somebody else's events are about to be written, and one write takes both. */
  readonly sendAlong: () => void
  readonly status: () => AppenderStatus
  /** Flushes what is buffered, within a bound, and refuses everything after that. */
  readonly close: () => Promise<void>
}

/** For metrics and diagnostics. */
export interface AppenderStatus {
  readonly bufferedCount: number
  readonly bufferedCountMax: number
  readonly droppedCount: number
}

/** What {@link createPaymentAppender} needs. */
export interface PaymentAppenderDependencies {
  readonly log: EventLog
  readonly codec: EventCodec
  readonly newId: NewId
  /** The trace that a request is part of. */
  readonly traceOf?: RequestTraces['of']
  /** Decisions that will never stand in the log: how many, and the failure when it was not an overflow. */
  readonly onDropped: (count: number, cause?: unknown) => void
  readonly limits?: AppenderLimits
  readonly timers?: Timers
}

/** Encoded one by one as they come: a batch at once would hold up the answers behind it. */
const recordOf = (event: PaymentsEvent, { codec, newId, traceOf }: PaymentAppenderDependencies): NewRecord => {
  const { merchantId: key, requestId: correlation } = event.data
  const value = codec.encode(event)
  const { subject: type } = EVENT_CATALOGUE[event.type]
  const trace = traceOf?.(correlation)
  const part = paymentsPartOf(event)
  if (trace === undefined) return { key, value, headers: { id: newId(), type, correlation }, event: part }
  return { key, value, headers: { id: newId(), type, correlation, ...trace }, event: part }
}

const causedBy = (record: NewRecord, actor: string | undefined): NewRecord =>
  actor === undefined ? record : { ...record, headers: { ...record.headers, actor } }

const refusal = (code: OperatingErrorCode, message: string, cause?: unknown): OperatingError =>
  new OperatingError(code, message, { retryable: true, cause })

const unavailable = (cause: unknown): OperatingError =>
  refusal('LOG_UNAVAILABLE', 'the event log does not take events at the moment', cause)

/** A decision was answered already: what can't be encoded of it is told and goes no further. */
const encoded = (
  event: PaymentsEvent,
  dependencies: PaymentAppenderDependencies,
): { readonly record?: NewRecord; readonly problem?: unknown } => {
  try {
    return { record: recordOf(event, dependencies) }
  } catch (problem) {
    return { problem }
  }
}

const EVERYTHING = { batchCountMax: Infinity, batchBytesMax: Infinity }

interface Expiry {
  readonly arm: () => void
  readonly cancel: () => void
}

/** Refuses acknowledged events whose bound has passed, also those on their way; one timer, armed for the oldest. */
const createExpiry = (timers: Timers, queue: AppendQueue, sender: AppendSender): Expiry => {
  let cancelTimer: (() => void) | undefined

  const expire = (): void => {
    cancelTimer = undefined
    const error = unavailable(sender.failure())
    for (const { events } of sender.inFlight().awaited) {
      if (events.receipt === undefined || events.receipt.deadlineMs > timers.now()) continue
      events.receipt.reject(error)
      events.receipt = undefined
    }
    queue.expire(timers.now(), error)
    arm()
  }

  const nextDeadlineMs = (): number | undefined =>
    sender.inFlight().awaited.find(({ events }) => events.receipt !== undefined)?.events.receipt?.deadlineMs ?? queue.nextDeadlineMs()

  const arm = (): void => {
    if (cancelTimer !== undefined) return
    const deadlineMs = nextDeadlineMs()
    if (deadlineMs !== undefined) cancelTimer = timers.after(Math.max(1, deadlineMs - timers.now()), expire)
  }

  return { arm, cancel: () => cancelTimer?.() }
}

/** What acknowledged events go through. */
interface AcknowledgedWay {
  readonly queue: AppendQueue
  readonly sender: AppendSender
  readonly expiry: Expiry
  readonly limits: AppenderLimits
  readonly timers: Timers
}

/** What is acknowledged: events of one call stay together. */
const createAcknowledged = (
  { queue, sender, expiry, limits, timers }: AcknowledgedWay,
  recordFor: (event: PaymentsEvent) => NewRecord,
): Pick<PaymentAppender, 'append' | 'appendAll'> => {
  const durable = (records: readonly NewRecord[]): Promise<readonly Position[]> =>
    new Promise((resolve, reject) => {
      const receipt = { resolve, reject, deadlineMs: timers.now() + limits.awaitedMaxMs }
      if (queue.pushAwaited(records, receipt) === 'full') return reject(refusal('APPEND_BUFFER_FULL', 'too many events wait for the log'))
      sender.sendNow()
      expiry.arm()
    })

  return {
    append: async (event, actor) => {
      const [position] = await durable([causedBy(recordFor(event), actor)])
      assert(position !== undefined, 'a log gives each record its position')
      return position
    },
    appendAll: async (events) => (events.length === 0 ? [] : await durable(events.map(recordFor))),
  }
}

/** Sends until nothing is left; never resolves while the log is away. */
const drain = async (queue: AppendQueue, sender: AppendSender): Promise<void> => {
  while (queue.count() > 0 || sender.inFlight().records.length > 0) {
    sender.sendNow()
    await sender.settled()
  }
}

/** The one {@link PaymentAppender} of a process. */
export const createPaymentAppender = (dependencies: PaymentAppenderDependencies): PaymentAppender => {
  const { onDropped, limits = APPENDER_LIMITS, timers = systemTimers } = dependencies
  const queue = createAppendQueue(limits)
  let droppedCount = 0
  let closing: Promise<void> | undefined

  const drop = (count: number, cause?: unknown): void => {
    if (count === 0) return
    droppedCount += count
    onDropped(count, cause)
  }

  const fail = ({ awaited, lossyCount }: AppendBatch, error: unknown): void => {
    for (const { events } of awaited) events.receipt?.reject(error)
    drop(lossyCount, error)
  }

  const sender = createAppendSender({ ...dependencies, queue, limits, timers, fail })
  const expiry = createExpiry(timers, queue, sender)

  const recordFor = (event: PaymentsEvent): NewRecord => {
    if (closing !== undefined) throw refusal('LOG_CLOSED', 'the process is stopping')
    return recordOf(event, dependencies)
  }

  const enqueue = (event: PaymentsEvent): void => {
    if (closing !== undefined) return drop(1)
    const { record, problem } = encoded(event, dependencies)
    drop(record === undefined ? 1 : queue.pushLossy(record), problem)
    if (queue.count() >= limits.batchCountMax) sender.sendNow()
    else sender.sendSoon()
  }

  const close = async (): Promise<void> => {
    const late = (): Error => unavailable(sender.failure())
    const error = await within(timers, drain(queue, sender), limits.closeMaxMs, late).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expiry.cancel()
    sender.abort(error)
    fail(queue.takeBatch(EVERYTHING), error)
  }

  return {
    ...createAcknowledged({ queue, sender, expiry, limits, timers }, recordFor),
    enqueue,
    sendAlong: () => {
      if (queue.count() > 0) sender.sendNow()
    },
    status: () => ({
      bufferedCount: queue.count() + sender.inFlight().records.length,
      bufferedCountMax: limits.lossyCountMax + limits.awaitedCountMax,
      droppedCount,
    }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
