import { apiKeys, handoffs, mails, merchants, sessions, users } from '@switchyard/access'
import {
  analyticsCollections,
  calibrationRuns,
  changeJournal,
  clusterTraffic,
  costChoices,
  dayRollups,
  decisionDays,
  decisionHours,
  decisionRollups,
  errorSamples,
  experimentPayments,
  experimentTallies,
  hourRollups,
  keyUses,
  minuteRollups,
  paymentTimelines,
  type RecordedConfiguration,
  type RecordedPayment,
  type RecordedReport,
  reportChanges,
  routingEvents,
  scoreDays,
  scoreHours,
  scoreResets,
  scoreRollups,
} from '@switchyard/analytics'
import {
  connectorAccounts,
  contractRates,
  costCollections,
  costIngestions,
  costOverrides,
  datedFitHeads,
  datedFits,
  fitHeads,
  invoiceAddOns,
  latestFits,
  noticedChanges,
  type RecordedCost,
  reportColumns,
  reportContributions,
} from '@switchyard/costs'
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
import {
  CHECKPOINTS_COLLECTION,
  DEAD_LETTERS_COLLECTION,
  type FoldedSlice,
  GENERATIONS_COLLECTION,
  type ProjectionOf,
  SNAPSHOTS_COLLECTION,
  STREAM_STATES_COLLECTION,
} from '@switchyard/runtime'
import {
  endpointHealth,
  type RecordedWebhook,
  webhookAttempts,
  webhookBodies,
  webhookChains,
  webhookCollections,
  webhookDedupe,
  webhookEndpoints,
  webhookRecoveries,
} from '@switchyard/webhooks'
import { healthProbesCollection } from './health/datastore-probe.ts'

/**
 * Every slice of the topic `config`. Whoever loads stored states folds this list, else they don't fit and the log is replayed. Its order is part of a
 * read model: the journal of changes tells what changed in this order, up to a bound.
 */
export const domainSlices: readonly FoldedSlice[] = [
  merchants,
  apiKeys,
  users,
  mails,
  sessions,
  handoffs,
  featureFlags,
  debitRouting,
  debitRoutingDefaults,
  successRateScoring,
  scoringDimensions,
  eliminationSettings,
  routingAlgorithms,
  webhookEndpoints,
  costOverrides,
  contractRates,
  reportColumns,
  connectorAccounts,
  invoiceAddOns,
]

/** Slices that every decision reads. */
export const slicesOfDecisions: ReadonlySet<string> = new Set(
  [merchants, featureFlags, debitRouting, successRateScoring, scoringDimensions, eliminationSettings, routingAlgorithms].map(
    ({ name }) => name,
  ),
)

/** Every read model of the topic `config` beside the states. */
export const configProjections: readonly ProjectionOf<RecordedConfiguration>[] = [changeJournal, calibrationRuns]

/** Every read model of the topic `payments`. */
export const paymentProjections: readonly ProjectionOf<RecordedPayment>[] = [
  paymentTimelines,
  minuteRollups,
  scoreRollups,
  keyUses,
  experimentTallies,
  experimentPayments,
  decisionRollups,
  errorSamples,
  routingEvents,
  scoreResets,
  clusterTraffic,
  hourRollups,
  dayRollups,
  scoreHours,
  scoreDays,
  decisionHours,
  decisionDays,
  costChoices,
]

/** Every read model of the topic `webhooks`. */
export const webhookProjections: readonly ProjectionOf<RecordedWebhook>[] = [
  webhookChains,
  webhookBodies,
  webhookAttempts,
  webhookDedupe,
  endpointHealth,
  webhookRecoveries,
]

/** Every read model of the topic `costs`. */
export const costProjections: readonly ProjectionOf<RecordedCost & RecordedReport>[] = [
  latestFits,
  fitHeads,
  datedFits,
  datedFitHeads,
  costIngestions,
  reportContributions,
  noticedChanges,
  reportChanges,
]

/** Collections of the runtime itself: states, snapshots, checkpoints, dead letters, generations. */
export const runtimeCollections: readonly CollectionSpec[] = [
  { name: STREAM_STATES_COLLECTION, indexes: [] },
  { name: SNAPSHOTS_COLLECTION, indexes: [] },
  { name: CHECKPOINTS_COLLECTION, indexes: [] },
  { name: DEAD_LETTERS_COLLECTION, indexes: [] },
  { name: GENERATIONS_COLLECTION, indexes: [] },
]

/** Every collection of the read store with its indexes, to open it with. */
export const domainCollections: readonly CollectionSpec[] = [
  ...runtimeCollections,
  ...analyticsCollections,
  ...webhookCollections,
  ...costCollections,
  healthProbesCollection,
]
