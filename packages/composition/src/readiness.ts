import { assertNever } from '@switchyard/kernel'
import { type Projector, type ProjectorStatus, pause, systemTimers, type Timers } from '@switchyard/runtime'

/** What a projector may be like, and for how long, before readers should go elsewhere. */
export interface ReadinessLimits {
  /** How long the store may be away, milliseconds. */
  readonly storeAwayMaxMs: number
  /** Records that the documents may be behind the log for good. */
  readonly lagCountMax: number
  /** How long they may be further behind than that, or the log be silent about it, milliseconds. */
  readonly lagMaxMs: number
  /** Pause between two attempts to catch up, milliseconds. */
  readonly catchUpPauseMs: number
}

/** {@link ReadinessLimits} of a process that was told nothing else. */
export const READINESS_LIMITS: ReadinessLimits = {
  storeAwayMaxMs: 10_000,
  lagCountMax: 5_000_000,
  lagMaxMs: 60_000,
  catchUpPauseMs: 1_000,
}

/** Whether the read models are fit to answer from. */
export interface Readiness {
  /** Begins to watch the first catching up, which `onCaughtUp` hears of; it ends with the signal. */
  readonly start: (onCaughtUp?: () => void) => void
  /**
   * False until the documents have caught up once with the log, and whenever a projector does not run, or is in trouble
   * longer than the limits allow. Durations count from the first question that saw the trouble: ask regularly.
   */
  readonly isReady: () => Promise<boolean>
}

/** What {@link createReadiness} needs. */
export interface ReadinessDependencies {
  /** Whose documents they are, or who sees how far they are stored. */
  readonly projector: { readonly status: () => Promise<readonly ReadModelStatus[]>; readonly caughtUp: Projector['caughtUp'] }
  readonly signal: AbortSignal
  readonly limits?: ReadinessLimits
  readonly timers?: Timers
}

/** What readiness looks at. */
export type ReadModelStatus = Pick<ProjectorStatus, 'topic' | 'state' | 'lagCount'>

/** A trouble by its name, and how long it may last, milliseconds. */
type Trouble = readonly [name: string, boundMs: number]

const isBehind = ({ lagCount }: ReadModelStatus, { lagCountMax }: ReadinessLimits): boolean => lagCount === null || lagCount > lagCountMax

const troublesOf = (status: ReadModelStatus, limits: ReadinessLimits): readonly Trouble[] => {
  const { topic, state } = status
  const lag: readonly Trouble[] = isBehind(status, limits) ? [[`lag of ${topic}`, limits.lagMaxMs]] : []
  switch (state) {
    case 'running':
      return lag
    case 'store-away':
      return [...lag, [`store away for ${topic}`, limits.storeAwayMaxMs]]
    case 'idle':
    case 'failed':
    case 'stopped':
      return [[`${topic} ${state}`, 0]]
    default:
      return assertNever(state)
  }
}

/** {@link Readiness} of a projector. */
export const createReadiness = (dependencies: ReadinessDependencies): Readiness => {
  const { projector, signal, limits = READINESS_LIMITS, timers = systemTimers } = dependencies
  let hasCaughtUp = false
  let sinceMs: ReadonlyMap<string, number> = new Map()

  const catchUp = async (onCaughtUp: () => void): Promise<void> => {
    while (!signal.aborted && !hasCaughtUp) {
      hasCaughtUp = await projector.caughtUp().then(
        () => true,
        () => false,
      )
      if (hasCaughtUp) onCaughtUp()
      else await pause(timers, limits.catchUpPauseMs, signal)
    }
  }

  return {
    start: (onCaughtUp = () => {}) => void catchUp(onCaughtUp),
    isReady: async () => {
      const troubles = (await projector.status()).flatMap((status) => troublesOf(status, limits))
      const nowMs = timers.now()
      sinceMs = new Map(troubles.map(([name]) => [name, sinceMs.get(name) ?? nowMs]))
      return hasCaughtUp && troubles.every(([name, boundMs]) => nowMs - (sinceMs.get(name) ?? nowMs) < boundMs)
    },
  }
}
