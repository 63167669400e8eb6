import { unitInterval } from '@switchyard/kernel'
import type { RetrySchedule } from './schedule-text.ts'

/** Delays up to this one are kept exactly. */
const EXACT_UP_TO_SECONDS = 60
const JITTER_SHARE = 0.1
const STRETCH_MAX = 2

/** An attempt that did not succeed, and the chain that it belongs to. */
export interface FailedAttempt {
  readonly chainId: string
  /** When the chain began. */
  readonly acceptedAtMs: number
  /** When the attempt was over. */
  readonly finishedAtMs: number
  /** Automatic retries that were made before the one to come: 0 after the initial attempt. */
  readonly retryCount: number
  /** Not before this moment, if the endpoint asked for it. */
  readonly retryAfterMs?: number | undefined
}

/** The automatic retry to come: its number from 1 on, and when it is due. */
export interface NextRetry {
  readonly retryNumber: number
  readonly dueAtMs: number
}

/** The delay before a retry, with the same jitter of up to 10 % whenever it is asked. */
const delayMsOf = (seconds: number, chainId: string, retryNumber: number): number => {
  if (seconds <= EXACT_UP_TO_SECONDS) return seconds * 1000
  const jitter = (unitInterval('retry-jitter', chainId, String(retryNumber)) * 2 - 1) * JITTER_SHARE
  return Math.round(seconds * 1000 * (1 + jitter))
}

/**
 * The first retry, written with the acceptance: the chain's creation and the first delay, exactly when that is up to a minute.
 */
export const firstRetry = (schedule: RetrySchedule, chainId: string, acceptedAtMs: number): NextRetry | undefined =>
  nextRetry(schedule, { chainId, acceptedAtMs, finishedAtMs: acceptedAtMs, retryCount: 0 })

/**
 * When a chain is tried again after a failure, or nothing at the end of its schedule. The first delay counts from the chain's
 * creation (from the end of the initial attempt, when that was later than the delay), later ones from the end of the attempt before.
 * The endpoint's wish stretches a delay to at most twice its length and never shortens it.
 */
export const nextRetry = (schedule: RetrySchedule, attempt: FailedAttempt): NextRetry | undefined => {
  const { chainId, acceptedAtMs, finishedAtMs, retryCount } = attempt
  const seconds = schedule[retryCount]
  if (seconds === undefined) return undefined
  const retryNumber = retryCount + 1
  const delayMs = delayMsOf(seconds, chainId, retryNumber)
  const isFromCreation = retryCount === 0 && finishedAtMs <= acceptedAtMs + delayMs
  const fromMs = isFromCreation ? acceptedAtMs : finishedAtMs
  const wishedMs = Math.min(attempt.retryAfterMs ?? 0, fromMs + STRETCH_MAX * delayMs)
  return { retryNumber, dueAtMs: Math.max(fromMs + delayMs, wishedMs) }
}
