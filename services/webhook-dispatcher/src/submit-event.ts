import { createHash } from 'node:crypto'
import { merchants } from '@switchyard/access'
import { isExactNumber, parseExactly } from '@switchyard/http'
import type { Position } from '@switchyard/kernel'
import { envelopeOf, isRecent, webhookChains, webhookDedupe } from '@switchyard/webhooks'
import type { Answer, Submission, Submitted } from './operations.ts'
import { currentEndpoint, newEventId, type Parts, readLife, refused } from './parts.ts'
import { rowOf } from './reads/event-details.ts'

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Whether a list looks like the members of an object. */
const isLikeMembers = (list: readonly unknown[]): boolean =>
  list.length > 0 && list.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string')

/**
 * The same for the same members in any order, else another one: objects are lists of their members; a list that looks like one, and a number
 * that JavaScript would round, stand in an object. Hashes of it are recorded, so what it gives never changes.
 */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list = value.map(canonical)
    return isLikeMembers(list) ? { list } : list
  }
  if (typeof value !== 'object' || value === null) return value
  if (isExactNumber(value)) return { number: value.toString() }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return members.length === 0 ? {} : members.map(([name, member]) => [name, canonical(member)])
}

/** By what a submission is recognised, and what it says (webhooks.md 9.3); what an earlier merchant of the id was sent is another's. */
const hashesOf = (submission: Submission, registrationCount: number): { readonly dedupeKey: string; readonly contentHash: string } => {
  const { idempotencyKey, profileId, objectId, eventType, content, processorMerchantId } = submission
  const contentHash = sha256([profileId, objectId, eventType, processorMerchantId, canonical(parseExactly(content))])
  const life = registrationCount > 1 ? [registrationCount] : []
  const dedupeKey = idempotencyKey === null ? sha256(['content', contentHash, ...life]) : sha256(['key', idempotencyKey, ...life])
  return { dedupeKey, contentHash }
}

/** Takes back what was accepted beside the first one, by a process that ended, or lost the log, before it could do so itself. */
const takeBackRepeats = async (
  { journal, now }: Parts,
  { merchantId, origin }: Submission,
  { dedupeKey }: ReturnType<typeof hashesOf>,
): Promise<void> => {
  // A process that has just been started may have seen the first one and not yet the others.
  await journal.readIndex(merchantId)
  const { chainId: duplicateOf, repeats = [] } = await journal.view(webhookDedupe, [merchantId, dedupeKey])
  if (duplicateOf === null) return
  for (const chainId of repeats) {
    const { status, attempts } = await journal.view(webhookChains, [merchantId, chainId])
    const isSent = attempts.some(({ claimId }) => claimId !== '')
    if (status !== 'RETRACTED' && !isSent)
      await journal.decide({ type: 'RetractEvent', merchantId, chainId, duplicateOf, at: now() }, origin)
  }
}

/** What was accepted first under the same key, if that was recent. */
const findFirst = async (
  parts: Parts,
  submission: Submission,
  hashes: ReturnType<typeof hashesOf>,
): Promise<Answer<Submitted> | undefined> => {
  const { merchantId } = submission
  const { dedupeKey, contentHash } = hashes
  const first = await parts.journal.view(webhookDedupe, [merchantId, dedupeKey])
  if (first.chainId === null || !isRecent(first, parts.now())) return undefined
  if (first.contentHash !== contentHash) return refused('CONTENT_DIFFERS')
  await takeBackRepeats(parts, submission, hashes)
  const chain = await parts.journal.view(webhookChains, [merchantId, first.chainId])
  return { ok: true, value: { kind: 'duplicate', row: rowOf(chain) } }
}

const accept = async (parts: Parts, submission: Submission, hashes: ReturnType<typeof hashesOf>): Promise<Answer<Submitted>> => {
  const { merchantId, profileId, objectId, eventType, content, processorMerchantId, occurredAt, origin } = submission
  const { journal, sealed, now } = parts
  const at = now()
  const chainId = newEventId(parts)
  const timestamp = occurredAt ?? at
  const body = envelopeOf({ merchantId, eventId: chainId, eventType, content, timestamp, processorMerchantId })
  const isDeliverable = currentEndpoint(parts, merchantId, profileId)?.status === 'active'
  const data = {
    merchantId,
    chainId,
    profileId,
    objectId,
    eventType,
    processorMerchantId,
    body: await sealed.seal(merchantId, body),
    isDeliverable,
    ...hashes,
    at,
  }
  const position: Position = await journal.record([{ type: 'WebhookEventAccepted', data }], origin)
  const first = await journal.view(webhookDedupe, [merchantId, hashes.dedupeKey])
  if (first.chainId !== null && first.chainId !== chainId && isRecent(first, at)) {
    // Another replica took the same event at the same time, and was first.
    await journal.decide({ type: 'RetractEvent', merchantId, chainId, duplicateOf: first.chainId, at: now() }, origin)
    return (await findFirst(parts, submission, hashes)) ?? refused('CONFLICT')
  }
  const chain = await journal.view(webhookChains, [merchantId, chainId])
  return { ok: true, value: { kind: 'accepted', row: rowOf(chain) }, position }
}

/** Takes an event: it is durable when this resolves, and delivered after that (webhooks.md 9.2 and 9.3). Calls of one key must not overlap. */
const submitAlone = async (parts: Parts, submission: Submission, hashes: ReturnType<typeof hashesOf>): Promise<Answer<Submitted>> =>
  (await findFirst(parts, submission, hashes)) ?? (await accept(parts, submission, hashes))

/** {@link WebhookOperations.submit}: submissions under one key are taken one after another. */
export const createSubmit = (parts: Parts): ((submission: Submission) => Promise<Answer<Submitted>>) => {
  const lines = new Map<string, Promise<unknown>>()
  return async (submission) => {
    const { merchantId, profileId, eventType } = submission
    const life = await readLife(parts, submission)
    const { registered, registrationCount } = parts.states.stateOf(merchants, merchantId)
    if (!registered || registrationCount !== life) return refused('MERCHANT_NOT_FOUND')
    const types = currentEndpoint(parts, merchantId, profileId)?.eventTypes ?? null
    if (types !== null && !types.includes(eventType)) return { ok: true, value: { kind: 'filtered' } }
    const hashes = hashesOf(submission, life)
    const line = JSON.stringify([merchantId, hashes.dedupeKey])
    const run = (): Promise<Answer<Submitted>> => submitAlone(parts, submission, hashes)
    const mine = (lines.get(line) ?? Promise.resolve()).then(run, run)
    lines.set(line, mine)
    try {
      return await mine
    } finally {
      if (lines.get(line) === mine) lines.delete(line)
    }
  }
}
