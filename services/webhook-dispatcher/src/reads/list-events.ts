import { merchants } from '@switchyard/access'
import type { DocumentKey, StoredDocument } from '@switchyard/kernel'
import {
  type Chain,
  CREATED_INDEX,
  isChainDelivered,
  isEventType,
  LIST_SCAN_COUNT_MAX,
  OBJECT_INDEX,
  webhookChains,
} from '@switchyard/webhooks'
import { SCAN_PAGE_COUNT } from '../limits.ts'
import type { Answer, EventFilter, EventPage } from '../operations.ts'
import { currentEndpoint, type Parts, refused } from '../parts.ts'
import { findChain, rowOf } from './event-details.ts'
import { scanTurn } from './scan-turns.ts'

/** The profile that events and endpoints have when none is named (webhooks.md 9.1). */
export const DEFAULT_PROFILE = 'default'

/**
 * Chains of a merchant by creation, newest first, page by page. The next page goes on from the creation that the one before ended with, behind
 * those of the same: what comes, or is taken back, at the head meanwhile moves none of the others.
 */
export async function* chainPages(
  { store }: Pick<Parts, 'store'>,
  { index, prefix, from, to }: { readonly index: string; readonly prefix: DocumentKey; readonly from: number; readonly to: number },
): AsyncGenerator<readonly Chain[]> {
  let end = to
  let offset = 0
  for (let seenCount = 0; seenCount < LIST_SCAN_COUNT_MAX; seenCount += SCAN_PAGE_COUNT) {
    await scanTurn(store)
    const page: readonly StoredDocument<Chain>[] = await store.range<Chain>({
      collection: webhookChains.name,
      index,
      prefix,
      from,
      to: end,
      order: 'descending',
      offset,
      limit: SCAN_PAGE_COUNT,
    })
    yield page.map(({ body }) => body)
    if (page.length < SCAN_PAGE_COUNT) return
    const last = page.at(-1)?.body.listedAt ?? end
    const sameCount = page.filter(({ body }) => body.listedAt === last).length
    offset = last === end ? offset + sameCount : sameCount
    end = last
  }
}

const isWanted = (chain: Chain, { profileId, types, isDelivered }: EventFilter): boolean => {
  if (profileId !== null && chain.profileId !== profileId) return false
  if (types !== null && !(isEventType(chain.eventType) && types.includes(chain.eventType))) return false
  return isDelivered === null || (isChainDelivered(chain) === true) === isDelivered
}

/** When this merchant began: what an earlier one of its id got is not its own. */
export const historySinceOf = ({ states }: Pick<Parts, 'states'>, merchantId: string): number =>
  states.stateOf(merchants, merchantId).historySince

const pageOf = async (parts: Parts, filter: EventFilter): Promise<EventPage> => {
  const { merchantId, objectId, createdAfter, createdBefore, offset, limit } = filter
  const since = Math.max(createdAfter, historySinceOf(parts, merchantId))
  const source =
    objectId === null ? { index: CREATED_INDEX, prefix: [merchantId] } : { index: OBJECT_INDEX, prefix: [merchantId, objectId] }
  const rows: Chain[] = []
  let totalCount = 0
  let seenCount = 0
  for await (const chains of chainPages(parts, { ...source, from: since, to: createdBefore })) {
    seenCount += chains.length
    for (const chain of chains) {
      if (!isWanted(chain, filter)) continue
      if (totalCount >= offset && rows.length < limit) rows.push(chain)
      totalCount += 1
    }
  }
  return { rows: rows.map(rowOf), totalCount, isComplete: seenCount < LIST_SCAN_COUNT_MAX }
}

const pageOfOne = async (parts: Parts, filter: EventFilter, eventId: string): Promise<EventPage> => {
  const chain = await findChain(parts, filter.merchantId, eventId)
  const rows = chain?.chainId === eventId && isWanted(chain, filter) ? [rowOf(chain)] : []
  return { rows, totalCount: rows.length, isComplete: true }
}

/** Whether a merchant has a profile: it has an endpoint, or an event, whatever became of its endpoint. */
const hasProfile = async (parts: Parts, merchantId: string, profileId: string): Promise<boolean> => {
  await parts.states.readIndex(merchantId)
  if (currentEndpoint(parts, merchantId, profileId) !== undefined) return true
  const all = { from: historySinceOf(parts, merchantId), to: Number.MAX_SAFE_INTEGER }
  for await (const chains of chainPages(parts, { index: CREATED_INDEX, prefix: [merchantId], ...all })) {
    if (chains.some((chain) => chain.profileId === profileId)) return true
  }
  return false
}

/** Whether what names this profile, or none, can be answered: an unknown one is told and not taken for an empty one (webhooks.md 3.1). */
export const mayNameProfile = async (
  parts: Parts,
  { merchantId, profileId }: Pick<EventFilter, 'merchantId' | 'profileId'>,
): Promise<boolean> => profileId === null || profileId === DEFAULT_PROFILE || (await hasProfile(parts, merchantId, profileId))

/** The initial attempts of a merchant (webhooks.md 3.3), newest first; everything that was recorded before the call is in it. */
export const listEvents = async (parts: Parts, filter: EventFilter): Promise<Answer<EventPage>> => {
  const { merchantId, eventId } = filter
  await parts.journal.storeIndexSoon(merchantId)
  const page = eventId === null ? await pageOf(parts, filter) : await pageOfOne(parts, filter, eventId)
  return page.totalCount > 0 || (await mayNameProfile(parts, filter)) ? { ok: true, value: page } : refused('PROFILE_NOT_FOUND')
}
