import type { ClusterCalibration } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import type { RecordedConfiguration } from '../changes/recorded-configuration.ts'
import { keyPart } from '../keys.ts'

/** A run of the self-tuning as it was recorded; times in epoch milliseconds. */
export interface CalibrationRun {
  /** Id of the event. */
  readonly id: string
  readonly at: number
  readonly intervalStartAt: number
  readonly lookbackMs: number
  readonly isObserveOnly: boolean
  readonly clusters: readonly ClusterCalibration[]
}

/** Every run of the self-tuning, one document each, by merchant and time. */
export const calibrationRuns: DocumentProjection<CalibrationRun, RecordedConfiguration> = {
  name: 'calibration-runs-v1',
  keysOf: ({ event: { type, data }, eventId }) =>
    type === 'ScoringCalibrated' ? [[keyPart(data.merchantId), data.at, keyPart(eventId)]] : [],
  initialView: () => ({ id: '', at: 0, intervalStartAt: 0, lookbackMs: 0, isObserveOnly: false, clusters: [] }),
  project: (view, { event: { type, data }, eventId }) => {
    if (type !== 'ScoringCalibrated') return view
    const { at, intervalStartAt, lookbackMs, isObserveOnly, clusters } = data
    return { id: eventId, at, intervalStartAt, lookbackMs, isObserveOnly, clusters }
  },
}
