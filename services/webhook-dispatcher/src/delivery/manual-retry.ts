import { assert, createPlaces } from '@switchyard/kernel'
import { systemTimers } from '@switchyard/runtime'
import { type Chain, RETRY_KEY_WINDOW_MS, webhookChains } from '@switchyard/webhooks'
import { MANUAL_RETRIES_PER_MERCHANT_MAX, MANUAL_RETRIES_PER_SECOND_MAX, MANUAL_RETRIES_UNDER_WAY_MAX } from '../limits.ts'
import type { Answer, EventDetail, WebhookOperations } from '../operations.ts'
import { currentEndpoint, type Parts, refused } from '../parts.ts'
import { attemptsOf, detailOf, findChain } from '../reads/event-details.ts'
import { drained } from './drained.ts'
import { type AttemptOutcome, makeAttempt } from './make-attempt.ts'

type RetryRequest = Parameters<WebhookOperations['retry']>[0]

/** Counts the retries of each merchant in the second that is running. */
const createRate = (now: () => number): ((merchantId: string) => boolean) => {
  let second = 0
  const counts = new Map<string, number>()
  return (merchantId) => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) counts.clear()
    second = current
    const count = (counts.get(merchantId) ?? 0) + 1
    counts.set(merchantId, count)
    return count <= MANUAL_RETRIES_PER_SECOND_MAX
  }
}

const shown = async (parts: Parts, chain: Chain, eventId: string): Promise<Answer<EventDetail>> => {
  const attempt = attemptsOf(chain).find((known) => known.eventId === eventId)
  assert(attempt !== undefined, 'an attempt that was recorded stands in its chain')
  return { ok: true, value: await detailOf(parts, chain, attempt) }
}

/** What an earlier retry under the same key came to; one that is under way is another process's. Undefined when there was none. */
const repeated = async (parts: Parts, chain: Chain, { idempotencyKey }: RetryRequest): Promise<Answer<EventDetail> | undefined> => {
  if (idempotencyKey === null) return undefined
  const since = parts.now() - RETRY_KEY_WINDOW_MS
  const earlier = chain.attempts.find((attempt) => attempt.idempotencyKey === idempotencyKey && attempt.startedAt > since)
  if (earlier === undefined) return undefined
  return earlier.finishedAt === null ? refused('RETRY_UNDER_WAY') : await shown(parts, chain, earlier.eventId)
}

/** By what a retry that is repeated is recognised; undefined when it is to be made anew each time. */
const keyOf = ({ merchantId, chainId }: Chain, { idempotencyKey }: RetryRequest): string | undefined =>
  idempotencyKey === null ? undefined : JSON.stringify([merchantId, chainId, idempotencyKey])

type Refused = Extract<AttemptOutcome, { readonly kind: 'refused' }>

/** What is answered to who asked for an attempt that was not made. */
const unsent = async (
  parts: Parts,
  { merchantId, chainId }: Chain,
  request: RetryRequest,
  { code }: Refused,
): Promise<Answer<EventDetail>> => {
  switch (code) {
    case 'EVENT_NOT_FOUND':
    case 'CONTENT_FORGOTTEN':
    case 'TOO_MANY_ATTEMPTS':
    case 'CONFLICT':
      return refused(code)
    // It came to another process at the same time.
    case 'RETRY_REPEATED':
      return (await repeated(parts, await parts.journal.view(webhookChains, [merchantId, chainId]), request)) ?? refused('CONFLICT')
    default:
      return refused('CONFLICT')
  }
}

const attemptByHand = async (parts: Parts, chain: Chain, request: RetryRequest): Promise<Answer<EventDetail>> => {
  const { merchantId, chainId, profileId } = chain
  const endpoint = currentEndpoint(parts, merchantId, profileId)
  if (endpoint === undefined) return refused('ENDPOINT_MISSING')
  if (endpoint.status === 'disabled_by_merchant') return refused('ENDPOINT_DISABLED')
  const { idempotencyKey, origin } = request
  const outcome = await makeAttempt(parts, chain, endpoint, { kind: 'manual', idempotencyKey, taskId: null, origin })
  if (outcome.kind === 'refused') return await unsent(parts, chain, request, outcome)
  const answer = await shown(parts, await parts.journal.view(webhookChains, [merchantId, chainId]), outcome.eventId)
  return answer.ok ? { ...answer, position: outcome.position } : answer
}

/** One attempt now, whatever the schedule says, with its result as the answer (webhooks.md 8). */
export interface ManualRetries extends Pick<WebhookOperations, 'retry'> {
  /** Waits for what is under way, within a bound: who asked for it may be gone, and its end is recorded all the same. */
  readonly stop: () => Promise<void>
}

/** No retry is under way. */
export const createManualRetries = (parts: Parts): ManualRetries => {
  const isWithinRate = createRate(parts.now)
  const byKey = new Map<string, Promise<Answer<EventDetail>>>()
  const places = createPlaces({ countMax: MANUAL_RETRIES_UNDER_WAY_MAX, perOwnerMax: MANUAL_RETRIES_PER_MERCHANT_MAX })
  const underWay = new Set<Promise<unknown>>()
  const attempt = (chain: Chain, request: RetryRequest): Promise<Answer<EventDetail>> => {
    const made = places.within(chain.merchantId, () => attemptByHand(parts, chain, request)).finally(() => underWay.delete(made))
    underWay.add(made)
    return made
  }
  /** Who asks under the same key meanwhile waits for the same result, as long as the endpoint may take at most. */
  const attemptOnce = (chain: Chain, request: RetryRequest, key: string | undefined): Promise<Answer<EventDetail>> => {
    if (key === undefined) return attempt(chain, request)
    const running = byKey.get(key) ?? attempt(chain, request).finally(() => byKey.delete(key))
    byKey.set(key, running)
    return running
  }
  const retry: WebhookOperations['retry'] = async (request) => {
    const { merchantId, eventId } = request
    await Promise.all([parts.states.readIndex(merchantId), parts.journal.readIndex(merchantId)])
    const chain = await findChain(parts, merchantId, eventId)
    if (chain === undefined) return refused('EVENT_NOT_FOUND')
    const key = keyOf(chain, request)
    const isUnderWay = key !== undefined && byKey.has(key)
    const earlier = isUnderWay ? undefined : await repeated(parts, chain, request)
    if (earlier !== undefined) return earlier
    if (!(isUnderWay || places.isFree(merchantId)) || !isWithinRate(merchantId)) return refused('TOO_MANY_RETRIES')
    return await attemptOnce(chain, request, key)
  }
  return { retry, stop: () => drained(systemTimers, underWay) }
}
