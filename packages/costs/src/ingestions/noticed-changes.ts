import type { PriceChange } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedCost } from '../fits/recorded-cost.ts'
import { PRICE_CHANGE_COUNT_MAX } from '../reads/price-changes.ts'

const NAME = 'cost-price-changes-v1'

/** The collection of {@link noticedChanges}. */
export const noticedChangesCollection: CollectionSpec = { name: NAME, indexes: [] }

/** A price that moved, and when it was noticed. */
export interface NoticedChange extends PriceChange {
  readonly connector: string
  readonly account: string
  /** `YYYY-MM-DD`. */
  readonly changedOn: string
}

/** The changes that were noticed last, newest first. */
export interface NoticedChanges {
  readonly changes: readonly NoticedChange[]
}

/** Changed prices of a merchant, key `[merchantId, registration]`; the newest ones are kept. */
export const noticedChanges: DocumentProjection<NoticedChanges, RecordedCost> = {
  name: NAME,
  keysOf: ({ event }) => (event.type === 'PriceChangesNoticed' ? [[event.data.merchantId, event.data.merchantRegistrationCount]] : []),
  initialView: () => ({ changes: [] }),
  project: (view, { event }) => {
    if (event.type !== 'PriceChangesNoticed') return view
    const { connector, account, reportDate: changedOn, changes } = event.data
    const noticed = changes.map((change) => ({ ...change, connector, account, changedOn }))
    return { changes: [...noticed, ...view.changes].slice(0, PRICE_CHANGE_COUNT_MAX) }
  },
}
