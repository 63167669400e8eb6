import type { CollectionSpec } from '@switchyard/kernel'
import { changeJournal } from './changes/change-journal.ts'
import { scoreResets } from './changes/score-resets.ts'
import { costChoicesCollection } from './cost-choices/cost-choices.ts'
import { experimentPaymentsCollection } from './experiments/experiment-payments.ts'
import { experimentTallies } from './experiments/experiment-tallies.ts'
import { keyUses } from './key-uses/key-uses.ts'
import { decisionRollups } from './rollups/decision-rollups.ts'
import { errorSamples } from './rollups/error-samples.ts'
import { minuteRollups } from './rollups/minute-rollups.ts'
import { scoreRollups } from './rollups/score-rollups.ts'
import { routingEventsCollection } from './routing-events/routing-events.ts'
import { paymentRequests } from './timelines/payment-requests.ts'
import { paymentTimelinesCollection } from './timelines/payment-timelines.ts'

/** Collections that the reads of this package need, with their indexes. */
export const analyticsCollections: readonly CollectionSpec[] = [
  paymentTimelinesCollection,
  { name: paymentRequests.name, indexes: [] },
  { name: minuteRollups.name, indexes: [] },
  { name: scoreRollups.name, indexes: [] },
  { name: keyUses.name, indexes: [] },
  { name: experimentTallies.name, indexes: [] },
  experimentPaymentsCollection,
  { name: decisionRollups.name, indexes: [] },
  { name: errorSamples.name, indexes: [] },
  routingEventsCollection,
  costChoicesCollection,
  { name: changeJournal.name, indexes: [] },
  { name: scoreResets.name, indexes: [] },
]
