import { merchants } from '@switchyard/access'
import { assert } from '@switchyard/kernel'
import {
  type Attempt,
  type Chain,
  type ChainStatus,
  classOf,
  isChainDelivered,
  isEventType,
  maskedHeaders,
  webhookAttempts,
  webhookBodies,
  webhookChains,
} from '@switchyard/webhooks'
import type { KeptAnswer } from '../delivery/make-attempt.ts'
import type { KeptRequest } from '../delivery/prepare-request.ts'
import type { EventDetail, EventRow } from '../operations.ts'
import type { Parts } from '../parts.ts'

const KINDS: Readonly<Record<Attempt['kind'], EventDetail['kind']>> = {
  UNKNOWN: 'automatic_retry',
  INITIAL: 'initial_attempt',
  AUTOMATIC: 'automatic_retry',
  MANUAL: 'manual_retry',
}

/** A chain as a row of the list: its initial attempt. */
export const rowOf = (chain: Chain): EventRow => {
  const { chainId, merchantId, profileId, objectId, eventType, processorMerchantId, createdAt } = chain
  assert(isEventType(eventType), `${eventType} is a type of event`)
  return {
    eventId: chainId,
    merchantId,
    profileId,
    objectId,
    eventType,
    eventClass: classOf(eventType),
    isDelivered: isChainDelivered(chain),
    initialAttemptId: chainId,
    processorMerchantId,
    createdAt,
  }
}

/** The chain that an attempt belongs to, by any of its ids; undefined when the merchant has none. */
export const findChain = async (
  { journal, states }: Pick<Parts, 'journal' | 'states'>,
  merchantId: string,
  eventId: string,
): Promise<Chain | undefined> => {
  const { chainId } = await journal.view(webhookAttempts, [merchantId, eventId])
  const chain = await journal.view(webhookChains, [merchantId, chainId ?? eventId])
  const isShown = chain.listedAt !== undefined && chain.listedAt >= states.stateOf(merchants, merchantId).historySince
  const isKnown = chain.chainId === eventId || chain.attempts.some((attempt) => attempt.eventId === eventId)
  return isShown && isKnown ? chain : undefined
}

/** What an initial attempt is told that is not made any more: its event came to its end before. */
const NEVER_SENT: Partial<Readonly<Record<ChainStatus, string>>> = {
  DELIVERED: 'not sent: a manual retry was taken before its turn',
  EXHAUSTED: 'not sent: given up before its turn',
}

const unsentInitial = ({ chainId, createdAt, status }: Chain): Attempt => ({
  eventId: chainId,
  claimId: '',
  kind: 'INITIAL',
  startedAt: createdAt,
  deadlineAt: createdAt,
  finishedAt: null,
  statusCode: null,
  errorMessage: NEVER_SENT[status] ?? null,
  idempotencyKey: null,
  taskId: null,
})

/** The attempts of a chain, oldest first. The initial one is as old as its event, whatever was made before it, and stands there while it is to come. */
export const attemptsOf = (chain: Chain): readonly Attempt[] => {
  const isInitial = ({ eventId }: Attempt): boolean => eventId === chain.chainId
  return [chain.attempts.find(isInitial) ?? unsentInitial(chain), ...chain.attempts.filter((attempt) => !isInitial(attempt))]
}

/** An attempt with what was sent and answered, as far as that is kept. */
export const detailOf = async (
  { journal, sealed }: Pick<Parts, 'journal' | 'sealed'>,
  chain: Chain,
  attempt: Attempt,
): Promise<EventDetail> => {
  const { merchantId, chainId } = chain
  const { eventId, statusCode, errorMessage, startedAt } = attempt
  const [{ body }, content] = await Promise.all([
    journal.view(webhookBodies, [merchantId, chainId]),
    journal.view(webhookAttempts, [merchantId, eventId]),
  ])
  const [text, request, answer] = await Promise.all([
    sealed.open<string>(merchantId, body),
    sealed.open<KeptRequest>(merchantId, content.request),
    sealed.open<KeptAnswer>(merchantId, content.response),
  ])
  return {
    ...rowOf(chain),
    eventId,
    createdAt: eventId === chainId ? chain.createdAt : startedAt,
    kind: KINDS[attempt.kind],
    request: { body: text ?? '', headers: maskedHeaders(request?.headers ?? []) },
    response: { body: answer?.body ?? null, headers: answer?.headers ?? null, statusCode, errorMessage },
  }
}
