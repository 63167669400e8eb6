import { pause, systemTimers, type Timers, within } from '@switchyard/runtime'

/** Pause between two questions while the answer is no, milliseconds. */
export const UNREADY_PAUSE_MS = 50
/** Pause between two questions while the answer is yes, milliseconds. */
export const READY_PAUSE_MS = 1_000

/** What {@link watchReadiness} needs. */
export interface ReadinessQuestion {
  /** May reject: that counts as no. */
  readonly ask: () => Promise<boolean>
  /**
   * Without an answer for so long, milliseconds, it counts as no. Absent: the last answer stands as long as it takes, as where a log
   * that is away is asked: how long that may last is for who answers.
   */
  readonly answerMaxMs?: number
  /** Nobody is left to be asked. */
  readonly signal: AbortSignal
  readonly timers?: Timers
}

/** Asks again and again, with pauses, until the signal; the function gives the last answer, and false from the signal on. */
export const watchReadiness = ({ ask, answerMaxMs, signal, timers = systemTimers }: ReadinessQuestion): (() => boolean) => {
  let isReady = false
  const silent = (): Error => new Error(`no answer in ${answerMaxMs} ms`)
  const answer = (): Promise<boolean> => (answerMaxMs === undefined ? ask() : within(timers, ask(), answerMaxMs, silent))

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      isReady = await answer().catch(() => false)
      await pause(timers, isReady ? READY_PAUSE_MS : UNREADY_PAUSE_MS, signal)
    }
  }
  void watch()
  return () => isReady && !signal.aborted
}
