import type { CollectionSpec } from '@switchyard/kernel'
import { changeJournal } from './changes/change-journal.ts'
import { reportChangesCollection } from './changes/report-changes.ts'
import { scoreResets } from './changes/score-resets.ts'
import { costChoicesCollection } from './cost-choices/cost-choices.ts'
import { experimentPaymentsCollection } from './experiments/experiment-payments.ts'
import { experimentTallies } from './experiments/experiment-tallies.ts'
import { keyUses } from './key-uses/key-uses.ts'
import { MINUTES_KEPT_MS } from './limits.ts'
import { decisionDays, decisionHours, decisionRollups } from './rollups/decision-rollups.ts'
import { errorSamples } from './rollups/error-samples.ts'
import { dayRollups, hourRollups, minuteRollups } from './rollups/minute-rollups.ts'
import { scoreDays, scoreHours, scoreRollups } from './rollups/score-rollups.ts'
import { routingEventsCollection } from './routing-events/routing-events.ts'
import { paymentTimelinesCollection } from './timelines/payment-timelines.ts'
import { calibrationRuns } from './tuning/calibration-runs.ts'
import { clusterTraffic } from './tuning/cluster-traffic.ts'

/** Declared order of figures by the minute: by their minute. */
const MINUTES_BY_AGE = 'by-minute'

/** Figures by the minute, the hour and the day. */
const MINUTES: readonly string[] = [
  minuteRollups,
  hourRollups,
  dayRollups,
  scoreRollups,
  scoreHours,
  scoreDays,
  decisionRollups,
  decisionHours,
  decisionDays,
  errorSamples,
  clusterTraffic,
].map(({ name }) => name)

/** What is forgotten of the read models of the topic `payments`, by which declared order, and when. */
export const minutesKept: { readonly collections: readonly string[]; readonly index: string; readonly ageMsMax: number } = {
  collections: MINUTES,
  index: MINUTES_BY_AGE,
  ageMsMax: MINUTES_KEPT_MS,
}

/** Collections that the reads of this package need, with their indexes. */
export const analyticsCollections: readonly CollectionSpec[] = [
  ...MINUTES.map((name) => ({ name, indexes: [{ name: MINUTES_BY_AGE, fields: ['minuteMs'] }] })),
  paymentTimelinesCollection,
  { name: keyUses.name, indexes: [] },
  { name: experimentTallies.name, indexes: [] },
  experimentPaymentsCollection,
  routingEventsCollection,
  costChoicesCollection,
  { name: changeJournal.name, indexes: [] },
  { name: scoreResets.name, indexes: [] },
  { name: calibrationRuns.name, indexes: [] },
  reportChangesCollection,
]
