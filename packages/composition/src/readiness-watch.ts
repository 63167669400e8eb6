import { pause, systemTimers, type Timers, within } from '@switchyard/runtime'

/** Pause between two questions while the answer is no, milliseconds. */
export const UNREADY_PAUSE_MS = 50
/** Pause between two questions while the answer is yes, milliseconds. */
export const READY_PAUSE_MS = 1_000
/** Longest wait for an answer, milliseconds: whoever is silent for longer is not ready. */
export const READINESS_ANSWER_MAX_MS = 10_000

/** What {@link watchReadiness} needs. */
export interface ReadinessQuestion {
  /** No answer within {@link READINESS_ANSWER_MAX_MS}, or a rejection, counts as no. */
  readonly ask: () => Promise<boolean>
  /** Nobody is left to be asked. */
  readonly signal: AbortSignal
  readonly timers?: Timers
}

/** Asks again and again, with pauses, until the signal; the function gives the last answer, and false from the signal on. */
export const watchReadiness = ({ ask, signal, timers = systemTimers }: ReadinessQuestion): (() => boolean) => {
  let isReady = false
  const silent = (): Error => new Error(`no answer in ${READINESS_ANSWER_MAX_MS} ms`)

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      isReady = await within(timers, ask(), READINESS_ANSWER_MAX_MS, silent).catch(() => false)
      await pause(timers, isReady ? READY_PAUSE_MS : UNREADY_PAUSE_MS, signal)
    }
  }
  void watch()
  return () => isReady && !signal.aborted
}
