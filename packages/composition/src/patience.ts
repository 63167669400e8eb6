import { isOperatingError } from '@switchyard/kernel'
import { type LifecycleReport, retry, systemTimers, type Timers } from '@switchyard/runtime'

/** How long a process that starts waits for a server that is away, milliseconds; then it ends, and may be started again. */
const SERVER_WAIT_MAX_MS = 300_000

/** A start that may have to wait. */
export interface PatientStart<Value> {
  /** What is waited for, as a person knows it. */
  readonly what: string
  /** Rejects with a retryable error while the server is away. */
  readonly start: () => Promise<Value>
  readonly report: Pick<LifecycleReport, 'info' | 'failed'>
  /** The process is told to stop: no further attempt. */
  readonly signal: AbortSignal
  readonly timers?: Timers
}

/** Starts again and again while the server is away, {@link SERVER_WAIT_MAX_MS} at most, and says once that it waits. */
export const startPatiently = async <Value>({
  what,
  start,
  report,
  signal,
  timers = systemTimers,
}: PatientStart<Value>): Promise<Value> => {
  const deadlineMs = timers.now() + SERVER_WAIT_MAX_MS
  let isWaiting = false
  const onAttempt = (failure: unknown): void => {
    if (failure !== undefined && !isWaiting) report.failed(`${what} does not answer; the start waits for it`, failure)
    if (failure === undefined && isWaiting) report.info(`${what} answers`)
    isWaiting = failure !== undefined
  }
  const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable && timers.now() < deadlineMs
  return await retry(start, { isTransient, onAttempt, timers, signal })
}
