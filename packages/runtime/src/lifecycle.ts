import { STOP_PART_MAX_MS } from './limits.ts'
import { systemTimers, type Timers, within } from './timers.ts'

/** A part of the process that starts and stops. */
export interface Part {
  readonly name: string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The parts of a process together. */
export interface Lifecycle {
  /** Starts the parts in order; when one fails, those before it are stopped and its error is thrown. */
  readonly start: () => Promise<void>
  /** Stops what was started, in reverse; a part that fails or takes too long is reported, the others go on. */
  readonly stop: () => Promise<void>
}

/** What happens to a process, told to its log. */
export interface LifecycleReport {
  readonly info: (text: string) => void
  readonly failed: (text: string, error: unknown) => void
}

/** {@link Lifecycle} of these parts. */
export const createLifecycle = (parts: readonly Part[], report: LifecycleReport, timers: Timers = systemTimers): Lifecycle => {
  let started: readonly Part[] = []

  const stopPart = async (part: Part): Promise<void> => {
    try {
      await within(timers, part.stop(), STOP_PART_MAX_MS, () => new Error(`${part.name} did not stop in ${STOP_PART_MAX_MS} ms`))
    } catch (error) {
      report.failed(`${part.name} did not stop cleanly`, error)
    }
  }

  const stop = async (): Promise<void> => {
    const running = started.toReversed()
    started = []
    for (const part of running) await stopPart(part)
  }

  const start = async (): Promise<void> => {
    for (const part of parts) {
      try {
        await part.start()
      } catch (error) {
        await stop()
        throw error
      }
      started = [...started, part]
    }
  }

  return { start, stop }
}

/** The events of the process that matter here; `process` itself, or a stand-in. */
export interface ProcessEvents {
  readonly on: (event: 'SIGTERM' | 'SIGINT' | 'uncaughtException' | 'unhandledRejection', listener: (cause: unknown) => void) => unknown
}

/** What {@link superviseProcess} needs. */
export interface SupervisorDependencies {
  readonly lifecycle: Lifecycle
  readonly events: ProcessEvents
  readonly exit: (code: number) => void
  readonly report: LifecycleReport
}

/**
 * The first SIGTERM or SIGINT stops gracefully, the second one at once. A bug (uncaught exception, unhandled rejection)
 * ends the process: the supervisor starts it again from the log.
 */
export const superviseProcess = ({ lifecycle, events, exit, report }: SupervisorDependencies): void => {
  let isStopping = false

  const end = async (signal: string): Promise<void> => {
    report.info(`${signal}: stopping`)
    await lifecycle.stop()
    exit(0)
  }

  const onSignal = (signal: string): void => {
    if (isStopping) return exit(1)
    isStopping = true
    void end(signal)
  }

  const onBug = (error: unknown): void => {
    report.failed('the process ends because of a bug', error)
    exit(1)
  }

  events.on('SIGTERM', () => onSignal('SIGTERM'))
  events.on('SIGINT', () => onSignal('SIGINT'))
  events.on('uncaughtException', onBug)
  events.on('unhandledRejection', onBug)
}
