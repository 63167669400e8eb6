import { isOperatingError } from '@switchyard/kernel'
import { retry, systemTimers } from '@switchyard/runtime'
import { type DeliveryCommand, RECOVERY_GRACE_MS, webhookChains } from '@switchyard/webhooks'
import type { ChainOutcome } from '../journal.ts'
import type { Origin } from '../operations.ts'
import type { Parts } from '../parts.ts'

type FinishAttempt = Extract<DeliveryCommand, { readonly type: 'FinishAttempt' }>

/** The answer of the log may have been lost alone: then the end stands there. */
const asRecorded = async ({ journal }: Parts, command: FinishAttempt, outcome: ChainOutcome): Promise<ChainOutcome> => {
  if (outcome.accepted) return outcome
  const { merchantId, chainId, eventId, at, statusCode, errorMessage } = command
  const chain = await journal.view(webhookChains, [merchantId, chainId])
  const isThere = chain.attempts.some(
    (known) =>
      known.eventId === eventId && known.finishedAt === at && known.statusCode === statusCode && known.errorMessage === errorMessage,
  )
  return isThere ? { accepted: true, chain, position: undefined } : outcome
}

/** How long the end of an attempt that began at `beganMs` of the timers may be recorded: then others give it up. */
export const endsBy = (beganMs: number, timeoutMs: number): number => beganMs + timeoutMs + RECOVERY_GRACE_MS

/**
 * Records how an attempt ended. What was answered is known here alone, and without it the event is sent again: while the log is away it
 * is asked again, until `untilMs` of the timers.
 */
export const recordEnd = (parts: Parts, command: FinishAttempt, origin: Origin, untilMs: number): Promise<ChainOutcome> =>
  retry(async () => await asRecorded(parts, command, await parts.journal.decide(command, origin)), {
    isTransient: (error) => isOperatingError(error) && error.retryable && systemTimers.now() < untilMs,
    timers: systemTimers,
    signal: parts.ending,
  })
