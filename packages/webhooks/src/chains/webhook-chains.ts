import type { WebhooksEvent } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedWebhook } from '../recorded-webhook.ts'
import { absentChain, type Chain, type ChainEvent, evolveChain } from './chain.ts'

const NAME = 'webhook-chains-v1'

/** Chains by (merchant, profile, time) of the retry, or the end, that is due next. */
export const DUE_INDEX = 'due'
/** Chains by (merchant, profile, time) whose initial attempt was not begun yet. */
export const FRESH_INDEX = 'fresh'
/** Chains by (merchant, creation). */
export const CREATED_INDEX = 'created'
/** Chains by (merchant, object, creation). */
export const OBJECT_INDEX = 'object'

/** The collection of {@link webhookChains}. */
export const webhookChainsCollection: CollectionSpec = {
  name: NAME,
  indexes: [
    { name: FRESH_INDEX, fields: ['merchantId', 'profileId', 'freshAt'] },
    { name: DUE_INDEX, fields: ['merchantId', 'profileId', 'dueAt'] },
    { name: CREATED_INDEX, fields: ['merchantId', 'listedAt'] },
    { name: OBJECT_INDEX, fields: ['merchantId', 'objectId', 'listedAt'] },
  ],
}

const isChainEvent = (event: WebhooksEvent): event is ChainEvent => event.type !== 'RecoveryStarted' && event.type !== 'RecoveryFinished'

/** What was decided on a chain that has moved on has no effect (law 5). */
const isOutdated = ({ version }: Chain, { effects: { expectedVersion } }: RecordedWebhook): boolean =>
  expectedVersion !== undefined && expectedVersion !== version

/** Every chain, key `[merchantId, chainId]`: the list, the attempts, and by its index what is due. */
export const webhookChains: DocumentProjection<Chain, RecordedWebhook> = {
  name: NAME,
  keysOf: ({ event }) => (isChainEvent(event) ? [[event.data.merchantId, event.data.chainId]] : []),
  initialView: ([merchantId, chainId]) => absentChain(String(merchantId), String(chainId)),
  project: (chain, recorded) => {
    const { event } = recorded
    return isChainEvent(event) && !isOutdated(chain, recorded) ? evolveChain(chain, event) : chain
  },
}
