import { accept, assertNever, type Decider, type Decision, reject } from '@switchyard/kernel'
import { ATTEMPTS_PER_CHAIN_MAX, RECOVERY_GRACE_MS } from '../limits.ts'
import { nextRetry } from '../schedule/next-retry.ts'
import type { RetrySchedule } from '../schedule/schedule-text.ts'
import {
  type Attempt,
  absentChain,
  type Chain,
  type ChainEvent,
  evolveChain,
  isRepeated,
  isScheduledUnderWay,
  isSuccess,
  unfinished,
} from './chain.ts'

/** What an attempt sends, and what it was asked for; encrypted parts are bytes, times epoch milliseconds. */
interface AttemptRequest {
  readonly eventId: string
  /** Unique to this command. */
  readonly claimId: string
  readonly request: Uint8Array
  readonly deadlineAt: number
}

/** How an attempt ended. */
export interface AttemptResult {
  readonly statusCode: number | null
  readonly errorMessage: string | null
  readonly response: Uint8Array | null
  /** Not before this moment, if the endpoint asked for it. */
  readonly retryAfterAt: number | null
}

/** What can happen to a chain; `at` is epoch milliseconds. */
export type DeliveryCommand = { readonly merchantId: string; readonly chainId: string; readonly at: number } & (
  | ({ readonly type: 'StartScheduledAttempt' } & AttemptRequest)
  | ({ readonly type: 'StartManualAttempt'; readonly idempotencyKey: string | null; readonly taskId: string | null } & AttemptRequest)
  | ({ readonly type: 'FinishAttempt'; readonly eventId: string; readonly schedule: RetrySchedule } & AttemptResult)
  | { readonly type: 'GiveUpUnfinished'; readonly schedule: RetrySchedule }
  | { readonly type: 'AbandonDelivery' }
  | { readonly type: 'RetractEvent'; readonly duplicateOf: string }
)

/** Why nothing happens to a chain. */
export type DeliveryRejection =
  | { readonly code: 'EVENT_NOT_FOUND' }
  | { readonly code: 'NOTHING_DUE' }
  | { readonly code: 'RETRY_REPEATED' }
  | { readonly code: 'TOO_MANY_ATTEMPTS'; readonly limit: number }

type Outcome = Decision<ChainEvent, DeliveryRejection>
type Command<Type extends DeliveryCommand['type']> = Extract<DeliveryCommand, { readonly type: Type }>

/** What an attempt is told that was begun and of which nothing was heard again (webhooks.md 12). */
const OUTCOME_UNKNOWN = 'outcome unknown'

/** Whether the chain has a scheduled attempt to make at `at`. */
export const isAttemptDue = (chain: Chain, at: number): boolean =>
  chain.status === 'PENDING' && chain.nextAt !== null && chain.nextAt <= at && !isScheduledUnderWay(chain)

/** Attempts that nobody will finish any more. */
const overdue = (chain: Chain, at: number): readonly Attempt[] =>
  unfinished(chain).filter(({ deadlineAt }) => deadlineAt + RECOVERY_GRACE_MS <= at)

const start = (command: Command<'StartScheduledAttempt' | 'StartManualAttempt'>, { profileId, scheduledCount }: Chain): Outcome => {
  const { merchantId, chainId, eventId, claimId, request, deadlineAt, at } = command
  const isManual = command.type === 'StartManualAttempt'
  const asked = isManual ? { idempotencyKey: command.idempotencyKey, taskId: command.taskId } : { idempotencyKey: null, taskId: null }
  const kind = isManual ? 'MANUAL' : scheduledCount === 0 ? 'INITIAL' : 'AUTOMATIC'
  return accept({
    type: 'DeliveryAttemptStarted',
    data: { merchantId, chainId, profileId, eventId, claimId, kind, request, deadlineAt, ...asked, at },
  })
}

const startByHand = (command: Command<'StartManualAttempt'>, chain: Chain): Outcome => {
  if (isRepeated(chain, command)) return reject({ code: 'RETRY_REPEATED' })
  return chain.attempts.length < ATTEMPTS_PER_CHAIN_MAX
    ? start(command, chain)
    : reject({ code: 'TOO_MANY_ATTEMPTS', limit: ATTEMPTS_PER_CHAIN_MAX })
}

/** When the next automatic retry is due after a failed attempt of this chain. */
const retryAtAfter = (chain: Chain, schedule: RetrySchedule, at: number, retryAfterAt: number | null): number | null =>
  nextRetry(schedule, {
    chainId: chain.chainId,
    acceptedAtMs: chain.createdAt,
    finishedAtMs: at,
    retryCount: chain.scheduledCount - 1,
    retryAfterMs: retryAfterAt ?? undefined,
  })?.dueAtMs ?? null

const endOf = (
  attempt: Attempt,
  chain: Chain,
  { statusCode, errorMessage, response, retryAfterAt }: AttemptResult,
  { schedule, at }: { readonly schedule: RetrySchedule; readonly at: number },
): ChainEvent => {
  const { merchantId, chainId, profileId } = chain
  const { eventId, taskId, startedAt, kind } = attempt
  const movesOn = kind !== 'MANUAL' && chain.status === 'PENDING' && !isSuccess(statusCode)
  return {
    type: 'DeliveryAttemptFinished',
    data: {
      merchantId,
      chainId,
      profileId,
      eventId,
      response,
      statusCode,
      errorMessage,
      durationMs: Math.max(0, at - startedAt),
      nextRetryAt: movesOn ? retryAtAfter(chain, schedule, at, retryAfterAt) : null,
      taskId,
      at,
    },
  }
}

const finish = (command: Command<'FinishAttempt'>, chain: Chain): Outcome => {
  const attempt = unfinished(chain).find(({ eventId }) => eventId === command.eventId)
  return attempt === undefined ? reject({ code: 'NOTHING_DUE' }) : accept(endOf(attempt, chain, command, command))
}

const giveUp = (command: Command<'GiveUpUnfinished'>, chain: Chain): Outcome => {
  const result = { statusCode: null, errorMessage: OUTCOME_UNKNOWN, response: null, retryAfterAt: null }
  return accept(...overdue(chain, command.at).map((attempt) => endOf(attempt, chain, result, command)))
}

const decideKnown = (command: DeliveryCommand, chain: Chain): Outcome => {
  const { merchantId, chainId, at } = command
  const { profileId } = chain
  switch (command.type) {
    case 'StartScheduledAttempt':
      return isAttemptDue(chain, at) ? start(command, chain) : reject({ code: 'NOTHING_DUE' })
    case 'StartManualAttempt':
      return startByHand(command, chain)
    case 'FinishAttempt':
      return finish(command, chain)
    case 'GiveUpUnfinished':
      return giveUp(command, chain)
    case 'AbandonDelivery':
      return isAttemptDue(chain, at)
        ? accept({ type: 'DeliveryAbandoned', data: { merchantId, chainId, profileId, at } })
        : reject({ code: 'NOTHING_DUE' })
    case 'RetractEvent':
      return accept({
        type: 'WebhookEventRetracted',
        data: { merchantId, chainId, profileId, duplicateOf: command.duplicateOf, at },
      })
    default:
      return assertNever(command)
  }
}

/** The rules of one chain (webhooks.md 7 and 8): what is due, what an attempt's end means, when it is over. */
export const delivery: Decider<DeliveryCommand, Chain, ChainEvent, DeliveryRejection> = {
  initialState: absentChain('', ''),
  decide: (command, chain) =>
    chain.status === 'ABSENT' || chain.status === 'RETRACTED' ? reject({ code: 'EVENT_NOT_FOUND' }) : decideKnown(command, chain),
  evolve: evolveChain,
}

/** Whether an event must have been decided on the chain as it is: two that start the same scheduled attempt must not both send. */
export const mustNotRace = (event: ChainEvent): boolean =>
  event.type === 'DeliveryAbandoned' || (event.type === 'DeliveryAttemptStarted' && event.data.kind !== 'MANUAL')
