import type { ReadStore } from '@switchyard/kernel'
import { type Chain, DUE_INDEX, webhookChains } from '@switchyard/webhooks'
import { DUE_PAGE_COUNT } from '../limits.ts'

/** Whose chains. */
export interface LaneId {
  readonly merchantId: string
  readonly profileId: string
}

/** What the due-time index says of one endpoint; times are epoch milliseconds. */
export interface DuePage {
  /** In the order of their times. */
  readonly chainIds: readonly string[]
  /** When to look again; undefined when nothing more is to come. */
  readonly nextAt: number | undefined
}

type Index = Pick<ReadStore, 'range'>

const IN_INDEX = { collection: webhookChains.name, index: DUE_INDEX, order: 'ascending' } as const

/** The chains of an endpoint that are due at `at`, a page of them. */
export const dueChains = async (store: Index, { merchantId, profileId }: LaneId, at: number): Promise<DuePage> => {
  const prefix = [merchantId, profileId]
  const due = await store.range<Chain>({ ...IN_INDEX, prefix, to: at, limit: DUE_PAGE_COUNT })
  const chainIds = due.map(({ body }) => body.chainId)
  if (due.length === DUE_PAGE_COUNT) return { chainIds, nextAt: at }
  const [later] = await store.range<Chain>({ ...IN_INDEX, prefix, from: at + 1, limit: 1 })
  return { chainIds, nextAt: later?.body.dueAt }
}

/** Every endpoint that has something due, now or later: one look at the index for each. */
export async function* lanesWithWork(store: Index): AsyncGenerator<LaneId> {
  let after: LaneId | undefined
  for (;;) {
    const next: readonly { readonly body: Chain }[] = await nextLane(store, after)
    const [found] = next
    if (found === undefined) return
    const { merchantId, profileId } = found.body
    after = { merchantId, profileId }
    yield after
  }
}

const nextLane = async (store: Index, after: LaneId | undefined): Promise<readonly { readonly body: Chain }[]> => {
  if (after === undefined) return await store.range<Chain>({ ...IN_INDEX, prefix: [], limit: 1 })
  const { merchantId, profileId } = after
  const sameMerchant = await store.range<Chain>({ ...IN_INDEX, prefix: [merchantId], from: `${profileId}\0`, limit: 1 })
  return sameMerchant.length > 0 ? sameMerchant : await store.range<Chain>({ ...IN_INDEX, prefix: [], from: `${merchantId}\0`, limit: 1 })
}
