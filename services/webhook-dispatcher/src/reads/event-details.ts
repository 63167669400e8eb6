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
import { ATTEMPTS_AT_ONCE, ATTEMPTS_BYTES_MAX } from '../limits.ts'
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

type Sources = Pick<Parts, 'journal' | 'sealed'>

/** The frozen body of a chain; empty when it is not kept any more. */
const bodyOf = async ({ journal, sealed }: Sources, { merchantId, chainId }: Chain): Promise<string> => {
  const { body } = await journal.view(webhookBodies, [merchantId, chainId])
  return (await sealed.open<string>(merchantId, body)) ?? ''
}

/** What was sent and answered, but for how it ended. */
type Content = Pick<EventDetail, 'request'> & { readonly answer: Pick<EventDetail['response'], 'body' | 'headers'> }

const contentOf = async (
  { journal, sealed }: Sources,
  { merchantId, attempts }: Chain,
  attempt: Attempt,
  body: string,
): Promise<Content> => {
  // Under the id of an initial attempt that is not made, what a replica that came too late would have sent may be kept.
  if (!attempts.includes(attempt)) return { request: { body, headers: [] }, answer: { body: null, headers: null } }
  const content = await journal.view(webhookAttempts, [merchantId, attempt.eventId])
  const [request, answer] = await Promise.all([
    sealed.open<KeptRequest>(merchantId, content.request),
    sealed.open<KeptAnswer>(merchantId, content.response),
  ])
  return {
    request: { body, headers: maskedHeaders(request?.headers ?? []) },
    answer: { body: answer?.body ?? null, headers: answer?.headers ?? null },
  }
}

const withContent = (chain: Chain, { eventId, statusCode, errorMessage, startedAt, kind }: Attempt, content: Content): EventDetail => ({
  ...rowOf(chain),
  eventId,
  createdAt: eventId === chain.chainId ? chain.createdAt : startedAt,
  kind: KINDS[kind],
  request: content.request,
  response: { ...content.answer, statusCode, errorMessage },
})

/** An attempt with what was sent and answered, as far as that is kept. */
export const detailOf = async (parts: Sources, chain: Chain, attempt: Attempt): Promise<EventDetail> =>
  withContent(chain, attempt, await contentOf(parts, chain, attempt, await bodyOf(parts, chain)))

/** As of an attempt of which nothing is kept any more. */
const LEFT_OUT: Content = { request: { body: '', headers: [] }, answer: { body: null, headers: null } }

/**
 * {@link detailOf} of many attempts: {@link ATTEMPTS_BYTES_MAX} of what was sent and answered, of the first ones whole. The others are told
 * without it, as those of which nothing is kept any more.
 */
export const detailsOf = async (parts: Sources, chain: Chain, attempts: readonly Attempt[]): Promise<readonly EventDetail[]> => {
  const body = await bodyOf(parts, chain)
  const details: EventDetail[] = []
  let bytesLeft = ATTEMPTS_BYTES_MAX
  const fitting = (content: Content): Content => {
    const bytes = Buffer.byteLength(JSON.stringify(content))
    // What does not fit ends it: a smaller one behind it would look as if only this one were not kept.
    bytesLeft = bytes > bytesLeft ? 0 : bytesLeft - bytes
    return bytesLeft === 0 ? LEFT_OUT : content
  }
  for (let start = 0; start < attempts.length; start += ATTEMPTS_AT_ONCE) {
    const group = attempts.slice(start, start + ATTEMPTS_AT_ONCE)
    const read = (attempt: Attempt): Promise<Content> => contentOf(parts, chain, attempt, body)
    const contents = bytesLeft === 0 ? [] : await Promise.all(group.map(read))
    for (const [index, attempt] of group.entries()) details.push(withContent(chain, attempt, fitting(contents[index] ?? LEFT_OUT)))
  }
  return details
}
