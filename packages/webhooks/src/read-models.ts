import type { CollectionSpec } from '@switchyard/kernel'
import { webhookDedupeCollection } from './acceptance/webhook-dedupe.ts'
import { webhookChainsCollection } from './chains/webhook-chains.ts'
import { webhookContentCollections } from './contents/webhook-contents.ts'
import { endpointHealthCollection } from './health/endpoint-health.ts'
import { webhookRecoveriesCollection } from './recoveries/webhook-recoveries.ts'

/** The collections of all read models of the topic `webhooks`. */
export const webhookCollections: readonly CollectionSpec[] = [
  webhookChainsCollection,
  ...webhookContentCollections,
  webhookDedupeCollection,
  endpointHealthCollection,
  webhookRecoveriesCollection,
]
