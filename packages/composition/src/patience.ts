import { isOperatingError } from '@switchyard/kernel'
import { type LifecycleReport, retry, systemTimers, type Timers } from '@switchyard/runtime'

/** How long a process that starts waits for a server that is away, milliseconds; then it ends, and may be started again. */
const SERVER_WAIT_MAX_MS = 300_000

/** How long an attempt may take until a person is told that the process waits, and how long until that is told again, milliseconds. */
const SILENCE_MAX_MS = 3_000
const REMINDER_EVERY_MS = 120_000

/** A start that may have to wait. */
export interface PatientStart<Value> {
  /** What is waited for, as a person knows it. */
  readonly what: string
  /** Where it should be, without credentials. */
  readonly at?: string | undefined
  /** Rejects with a retryable error while the server is away. */
  readonly start: () => Promise<Value>
  readonly report: Pick<LifecycleReport, 'info' | 'failed'>
  /** The process is told to stop: no further attempt. */
  readonly signal: AbortSignal
  readonly timers?: Timers
}

/** Says after a while, and then now and then, that the process waits, until it is ended. */
const remindOf = (text: string, { report, timers }: { readonly report: Pick<LifecycleReport, 'info'>; readonly timers: Timers }) => {
  let cancel = (): void => {}
  let isSaid = false
  const sayAfter = (delayMs: number): void => {
    cancel = timers.after(delayMs, () => {
      report.info(text)
      isSaid = true
      sayAfter(REMINDER_EVERY_MS)
    })
  }
  sayAfter(SILENCE_MAX_MS)
  return {
    isSaid: () => isSaid,
    /** It was said in other words. */
    said: () => {
      cancel()
      isSaid = true
      sayAfter(REMINDER_EVERY_MS)
    },
    end: () => cancel(),
  }
}

/**
 * Starts again and again while the server is away, {@link SERVER_WAIT_MAX_MS} at most. Says that it waits when the first attempt has failed or takes long,
 * and again now and then.
 */
export const startPatiently = async <Value>({
  what,
  at,
  start,
  report,
  signal,
  timers = systemTimers,
}: PatientStart<Value>): Promise<Value> => {
  const deadlineMs = timers.now() + SERVER_WAIT_MAX_MS
  const place = at === undefined ? '' : ` at ${at}`
  const reminder = remindOf(`the start waits for ${what}${place}`, { report, timers })
  let hasFailed = false
  const onAttempt = (failure: unknown): void => {
    if (failure !== undefined && !hasFailed) {
      report.failed(`${what} does not answer; the start waits for it${place}`, failure)
      reminder.said()
    }
    if (failure === undefined && reminder.isSaid()) report.info(`${what} answers`)
    hasFailed ||= failure !== undefined
  }
  const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable && timers.now() < deadlineMs
  try {
    return await retry(start, { isTransient, onAttempt, timers, signal })
  } finally {
    reminder.end()
  }
}
