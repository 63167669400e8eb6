import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { type Chain, DUE_INDEX, FRESH_INDEX, type Lane, unfinished, webhookChains } from '@switchyard/webhooks'
import { DUE_PAGE_COUNT } from '../limits.ts'

/** Whose chains. */
export interface EndpointId {
  readonly merchantId: string
  readonly profileId: string
}

/** A chain with something to do. */
interface DueChain {
  readonly chainId: string
  readonly lane: Lane
  /** Whether an attempt was begun and not finished. */
  readonly isBegun: boolean
}

/** What the due-time indexes say of one endpoint; times are epoch milliseconds. */
export interface DuePage {
  /** In the order of their times, lane by lane. */
  readonly due: readonly DueChain[]
  /** The lanes in which there is more that is due. */
  readonly full: readonly Lane[]
  /** When the next one is due; undefined when nothing more is to come. */
  readonly nextAt: number | undefined
}

type Index = Pick<ReadStore, 'range'>

const INDEXES: Readonly<Record<Lane, string>> = { new: FRESH_INDEX, retry: DUE_INDEX }
/** First attempts, and automatic retries. */
export const LANES: readonly Lane[] = ['new', 'retry']

const inIndex = (lane: Lane) => ({ collection: webhookChains.name, index: INDEXES[lane], order: 'ascending' }) as const

/** The chains of an endpoint that are due at `at`, a page of each lane. */
export const dueChains = async (store: Index, { merchantId, profileId }: EndpointId, at: number): Promise<DuePage> => {
  const prefix = [merchantId, profileId]
  const due: DueChain[] = []
  const later: number[] = []
  const full: Lane[] = []
  for (const lane of LANES) {
    const page = await store.range<Chain>({ ...inIndex(lane), prefix, to: at, limit: DUE_PAGE_COUNT })
    due.push(...page.map(({ body }) => ({ chainId: body.chainId, lane, isBegun: unfinished(body).length > 0 })))
    if (page.length === DUE_PAGE_COUNT) full.push(lane)
    // An event is due as soon as it is accepted, by a clock that may be ahead of this one, or was before it was set back.
    const [next] = await store.range<Chain>({ ...inIndex(lane), prefix, from: at + 1, limit: 1 })
    const nextAt = lane === 'new' ? next?.body.freshAt : next?.body.dueAt
    if (nextAt !== undefined) later.push(nextAt)
  }
  return { due, full, nextAt: later.length === 0 ? undefined : Math.min(...later) }
}

type Found = readonly Pick<StoredDocument<Chain>, 'body'>[]

/** The first chain behind all of this endpoint. */
const behind = async (store: Index, lane: Lane, after: EndpointId | undefined): Promise<Found> => {
  const first = { ...inIndex(lane), limit: 1 }
  if (after === undefined) return await store.range<Chain>({ ...first, prefix: [] })
  const { merchantId, profileId } = after
  const sameMerchant = await store.range<Chain>({ ...first, prefix: [merchantId], from: `${profileId}\0` })
  return sameMerchant.length > 0 ? sameMerchant : await store.range<Chain>({ ...first, prefix: [], from: `${merchantId}\0` })
}

/** Every endpoint that has something due, now or later, perhaps twice: a look or two at the indexes for each. */
export async function* endpointsWithWork(store: Index): AsyncGenerator<EndpointId> {
  for (const lane of LANES) {
    let last: EndpointId | undefined
    for (;;) {
      const [found] = await behind(store, lane, last)
      if (found === undefined) break
      const { merchantId, profileId } = found.body
      last = { merchantId, profileId }
      yield last
    }
  }
}
