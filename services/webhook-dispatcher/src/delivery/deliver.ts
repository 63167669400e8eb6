import { merchants } from '@switchyard/access'
import { type Chain, type Endpoint, isAttemptDue, isRepeatedBy, unfinished, webhookChains, webhookDedupe } from '@switchyard/webhooks'
import { SCHEDULE } from '../journal.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { makeAttempt, scheduleOfEndpoint } from './make-attempt.ts'

/** What became of a chain that was due: sent, or nothing was sent. */
export type Delivered = 'delivered' | 'failed' | 'not-sent'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** When the endpoint became active: no later than now, whatever the clock said then. */
const activeSinceOf = ({ now }: Parts, { activeSince }: Endpoint): number => Math.min(activeSince, now())

/** Whether its schedule ended while the endpoint was disabled (it is not taken up again, webhooks.md 7.1), or an earlier merchant of the id was to get it. */
const isOver = (parts: Parts, { merchantId, createdAt }: Chain, endpoint: Endpoint): boolean =>
  createdAt + sum(scheduleOfEndpoint(endpoint)) * 1_000 < activeSinceOf(parts, endpoint) ||
  createdAt < parts.states.stateOf(merchants, merchantId).historySince

/** The chain that was accepted first, when this one was accepted beside it elsewhere. */
const firstOf = async (
  { journal }: Parts,
  { merchantId, chainId, dedupeKey, createdAt, scheduledCount }: Chain,
): Promise<string | undefined> => {
  if (scheduledCount > 0) return undefined
  const first = await journal.view(webhookDedupe, [merchantId, dedupeKey])
  return first.chainId !== null && first.chainId !== chainId && isRepeatedBy(first, createdAt) ? first.chainId : undefined
}

/** It is not tried again. */
const abandon = async ({ journal, now, tally }: Parts, chain: Chain): Promise<void> => {
  const { merchantId, chainId } = chain
  const abandoned = await journal.decide({ type: 'AbandonDelivery', merchantId, chainId, at: now() }, SCHEDULE)
  if (abandoned.accepted) tally.settled(chain, abandoned.chain)
}

const attempt = async (parts: Parts, chain: Chain, endpoint: Endpoint): Promise<Delivered> => {
  const { merchantId, chainId } = chain
  const { journal, now } = parts
  const duplicateOf = await firstOf(parts, chain)
  if (duplicateOf !== undefined) {
    await journal.decide({ type: 'RetractEvent', merchantId, chainId, duplicateOf, at: now() }, SCHEDULE)
    return 'not-sent'
  }
  if (isOver(parts, chain, endpoint)) {
    await abandon(parts, chain)
    return 'not-sent'
  }
  const outcome = await makeAttempt(parts, chain, endpoint, { kind: 'scheduled' })
  if (outcome.kind === 'attempted') return outcome.delivered ? 'delivered' : 'failed'
  // Nothing is left to send: it can never be delivered any more.
  if (outcome.code === 'CONTENT_FORGOTTEN') await abandon(parts, chain)
  return 'not-sent'
}

/** The chain after what nobody will finish any more was given up. */
const givenUp = async ({ journal, now, tally }: Parts, chain: Chain, endpoint: Endpoint | undefined): Promise<Chain> => {
  const { merchantId, chainId } = chain
  const schedule = scheduleOfEndpoint(endpoint)
  const recovered = await journal.decide({ type: 'GiveUpUnfinished', merchantId, chainId, at: now(), schedule }, SCHEDULE)
  if (!recovered.accepted) return chain
  tally.settled(chain, recovered.chain)
  return recovered.chain
}

/** Does what is due for a chain: gives up what was begun and never finished, or makes the next attempt. */
export const deliver = async (parts: Parts, merchantId: string, chainId: string): Promise<Delivered> => {
  const { journal, now } = parts
  const found = await journal.view(webhookChains, [merchantId, chainId])
  const endpoint = currentEndpoint(parts, merchantId, found.profileId)
  const chain = unfinished(found).length === 0 ? found : await givenUp(parts, found, endpoint)
  if (endpoint?.status !== 'active' || !isAttemptDue(chain, now())) return 'not-sent'
  return await attempt(parts, chain, endpoint)
}
