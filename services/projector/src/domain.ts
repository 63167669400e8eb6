import { apiKeys, merchants, sessions, users } from '@switchyard/access'
import {
  analyticsCollections,
  minuteRollups,
  paymentRequests,
  paymentTimelines,
  type RecordedPayment,
  scoreRollups,
} from '@switchyard/analytics'
import type { CollectionSpec } from '@switchyard/kernel'
import {
  debitRouting,
  debitRoutingDefaults,
  eliminationSettings,
  featureFlags,
  routingAlgorithms,
  scoringDimensions,
  successRateScoring,
} from '@switchyard/routing'
import type { FoldedSlice, ProjectionOf } from '@switchyard/runtime'
import { webhookCollections, webhookEndpoints } from '@switchyard/webhooks'
import { PROJECTOR_COLLECTIONS } from './projector-service.ts'

/** Every slice of the topic `config`. Whoever loads stored states folds this list, else they don't fit and the log is replayed. */
export const domainSlices: readonly FoldedSlice[] = [
  merchants,
  apiKeys,
  users,
  sessions,
  featureFlags,
  debitRouting,
  debitRoutingDefaults,
  successRateScoring,
  scoringDimensions,
  eliminationSettings,
  routingAlgorithms,
  webhookEndpoints,
]

/** Every read model of the topic `payments`. */
export const paymentProjections: readonly ProjectionOf<RecordedPayment>[] = [paymentTimelines, paymentRequests, minuteRollups, scoreRollups]

/** Every collection of the read store with its indexes, to open it with. */
export const domainCollections: readonly CollectionSpec[] = [...PROJECTOR_COLLECTIONS, ...analyticsCollections, ...webhookCollections]
