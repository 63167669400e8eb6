import { STOP_PART_MAX_MS } from './limits.ts'
import { systemTimers, type Timers, within } from './timers.ts'

/** A part of the process that starts and stops. */
export interface Part {
  readonly name: string
  /** `stopping` is aborted when the process is told to stop meanwhile: a start that waits for something gives up. */
  readonly start: (stopping: AbortSignal) => Promise<void>
  readonly stop: () => Promise<void>
  /** How long its stop may take, milliseconds; default {@link STOP_PART_MAX_MS}. */
  readonly stopMaxMs?: number
}

/** The parts of a process together. */
export interface Lifecycle {
  /**
   * Starts the parts in order; when one fails, those before it are stopped and its error is thrown. Resolves early when
   * {@link stop} is called meanwhile: no further part is started then.
   */
  readonly start: () => Promise<void>
  /**
   * Stops what was started, in reverse, a part that is starting too; a part that fails or takes too long is reported, the
   * others go on.
   */
  readonly stop: () => Promise<void>
}

/** What happens to a process, told to its log. */
export interface LifecycleReport {
  readonly info: (text: string) => void
  readonly failed: (text: string, error: unknown) => void
}

/** {@link Lifecycle} of these parts. */
export const createLifecycle = (parts: readonly Part[], report: LifecycleReport, timers: Timers = systemTimers): Lifecycle => {
  const halt = new AbortController()
  let started: readonly Part[] = []
  let starting: Promise<void> = Promise.resolve()
  let stopping: Promise<void> | undefined

  const startPart = async (part: Part): Promise<void> => {
    await part.start(halt.signal)
    started = [...started, part]
  }

  const stopPart = async (part: Part): Promise<void> => {
    const { stopMaxMs = STOP_PART_MAX_MS } = part
    try {
      await within(timers, part.stop(), stopMaxMs, () => new Error(`${part.name} did not stop in ${stopMaxMs} ms`))
    } catch (error) {
      report.failed(`${part.name} did not stop cleanly`, error)
    }
  }

  /** A part in the middle of its start can't be stopped: waits for it. */
  const stopAll = async (): Promise<void> => {
    const late = (): Error => new Error(`a part did not start in ${STOP_PART_MAX_MS} ms`)
    await within(timers, starting, STOP_PART_MAX_MS, late).catch((error: unknown) => report.failed('stopped during the start', error))
    for (const part of started.toReversed()) await stopPart(part)
  }

  const stop = (): Promise<void> => {
    halt.abort()
    stopping ??= stopAll()
    return stopping
  }

  return {
    stop,
    start: async () => {
      for (const part of parts) {
        if (stopping !== undefined) return
        starting = startPart(part)
        try {
          await starting
        } catch (error) {
          // Whoever stopped meanwhile gets the failure reported, and an end in good order.
          if (stopping !== undefined) return
          starting = Promise.resolve()
          await stop()
          throw error
        }
      }
    },
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]
type Listener = Parameters<NodeJS.Process['removeListener']>[1]

/** The events of the process that matter here; `process` itself, or a stand-in. */
export interface ProcessEvents {
  readonly on: (event: Signal | 'uncaughtException' | 'unhandledRejection', listener: (cause: unknown) => void) => unknown
  readonly listeners: (event: Signal) => readonly unknown[]
  readonly removeListener: (event: Signal, listener: Listener) => unknown
}

const isListener = (value: unknown): value is Listener => typeof value === 'function'

/** Takes a signal over from whoever listened to it. At no moment nobody does: Node would forget one that has come, but was not told yet. */
const takeOver = (events: ProcessEvents, signal: Signal, listener: () => void): void => {
  const earlier = events.listeners(signal).filter(isListener)
  events.on(signal, listener)
  for (const each of earlier) events.removeListener(signal, each)
}

/** What {@link superviseProcess} needs. */
export interface SupervisorDependencies {
  readonly lifecycle: Lifecycle
  readonly events: ProcessEvents
  readonly exit: (code: number) => void
  readonly report: LifecycleReport
}

/**
 * The first SIGTERM or SIGINT stops gracefully, the second one at once; whoever listened to them before no longer does. A bug (uncaught exception, unhandled rejection)
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

  for (const signal of SIGNALS) takeOver(events, signal, () => onSignal(signal))
  events.on('uncaughtException', onBug)
  events.on('unhandledRejection', onBug)
}
