import { assertNever } from '@switchyard/kernel'
import { createCallWindow } from './call-window.ts'

/** When an endpoint is left alone, and for how long. */
export interface BreakerSettings {
  readonly windowMs: number
  /** With fewer calls in the window nothing is concluded. */
  readonly callCountMin: number
  /** Share of failures from which on it opens, 0 to 1. */
  readonly failureShare: number
  /** For how long it opens first; twice as long after each probe that fails. */
  readonly openMsMin: number
  readonly openMsMax: number
}

/** 5 minutes, at least 10 calls, 70 % failed; 30 s, doubling to 10 minutes. */
export const DEFAULT_BREAKER: BreakerSettings = {
  windowMs: 300_000,
  callCountMin: 10,
  failureShare: 0.7,
  openMsMin: 30_000,
  openMsMax: 600_000,
}

/** Whether an endpoint may be asked: freely; not before a moment; once; not until that one call is over. */
export type BreakerState = 'closed' | 'open' | 'half_open' | 'probing'

/** How a call ended; `unsent` tells nothing about the endpoint. */
export type CallResult = 'succeeded' | 'failed' | 'unsent'

/** Keeps calls away from an endpoint that fails, and finds out with one call when it is well again. */
export interface CircuitBreaker {
  readonly state: (nowMs: number) => BreakerState
  /** While it is open: when the one call may go. */
  readonly probeAtMs: () => number
  /** A call begins. The result belongs to {@link CircuitBreaker.ended}: calls from before a change of state tell nothing after it. */
  readonly began: (nowMs: number) => number
  readonly ended: (call: number, result: CallResult, nowMs: number) => void
  /** Closes it and forgets what was counted. */
  readonly reset: () => void
  /** Nothing of the past matters any more. */
  readonly isPristine: (nowMs: number) => boolean
}

export const createCircuitBreaker = (settings: BreakerSettings): CircuitBreaker => {
  let mode: 'closed' | 'open' | 'probing' = 'closed'
  let window = createCallWindow(settings.windowMs)
  /** Raised with every change of state. */
  let life = 0
  let openMs = 0
  let probeAtMs = 0

  const open = (durationMs: number, nowMs: number): void => {
    mode = 'open'
    life += 1
    openMs = durationMs
    probeAtMs = nowMs + durationMs
  }
  const close = (): void => {
    mode = 'closed'
    life += 1
    window = createCallWindow(settings.windowMs)
  }
  const count = (result: 'succeeded' | 'failed', nowMs: number): void => {
    window.add(result, nowMs)
    const { calls, failures } = window.totals(nowMs)
    if (calls >= settings.callCountMin && failures >= settings.failureShare * calls) open(settings.openMsMin, nowMs)
  }
  const probed = (result: CallResult, nowMs: number): void => {
    if (result === 'succeeded') close()
    else if (result === 'failed') open(Math.min(openMs * 2, settings.openMsMax), nowMs)
    else {
      mode = 'open'
      probeAtMs = nowMs
    }
  }

  return {
    state: (nowMs) => (mode === 'open' && nowMs >= probeAtMs ? 'half_open' : mode),
    probeAtMs: () => probeAtMs,
    began: (nowMs) => {
      if (mode === 'open' && nowMs >= probeAtMs) {
        mode = 'probing'
        life += 1
      }
      return life
    },
    ended: (call, result, nowMs) => {
      if (call !== life) return
      switch (mode) {
        case 'closed':
          return result === 'unsent' ? undefined : count(result, nowMs)
        case 'probing':
          return probed(result, nowMs)
        case 'open':
          return undefined
        default:
          return assertNever(mode)
      }
    },
    reset: close,
    isPristine: (nowMs) => mode === 'closed' && window.totals(nowMs).failures === 0,
  }
}
