import type { ClusterCalibration } from '@switchyard/events'
import type { ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { CALIBRATION_RUNS_PAGE_DOCUMENTS, CALIBRATION_RUNS_SCANNED_MAX, CALIBRATIONS_READ_MAX } from '../limits.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { resolveWindow, type WindowQuery } from '../queries/window.ts'
import { type CalibrationRun, calibrationRuns } from './calibration-runs.ts'

/** Which calibrations are asked for; undefined asks for nothing. */
export interface CalibrationQuery {
  readonly window: WindowQuery
  readonly paymentMethodType: string | undefined
  readonly paymentMethod: string | undefined
  /** Everything that runs looked at, what they changed, or the rows alone that they wrote. */
  readonly include: 'all' | 'changed' | 'applied'
}

/** One group of one run. */
export interface ToldCalibration extends ClusterCalibration, Pick<CalibrationRun, 'at' | 'isObserveOnly'> {
  readonly runId: string
}

/** A run that looked at no group. */
export type IdleRun = Pick<ToldCalibration, 'runId' | 'at' | 'isObserveOnly'>

/** What the self-tuning did within a window, newest first. */
export interface Calibrations {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly runCount: number
  readonly calibrations: readonly ToldCalibration[]
  /** Runs that found no payments of any group; only where everything of all groups is asked for. */
  readonly idleRuns: readonly IdleRun[]
  /** Positions are those of the topic `config`. */
  readonly freshness: Freshness
}

/** Whether a run changed a row: what people wrote can take one with it. */
const isChanged = ({ outcome, previousBucketSize }: ClusterCalibration): boolean =>
  outcome === 'APPLIED' || outcome === 'WITHDRAWN' || (outcome === 'SKIPPED_HUMAN' && previousBucketSize !== null)

const isIncluded = (cluster: ClusterCalibration, { isObserveOnly }: CalibrationRun, include: CalibrationQuery['include']): boolean => {
  if (include === 'all') return true
  return include === 'applied' ? cluster.outcome === 'APPLIED' : !isObserveOnly && isChanged(cluster)
}

const isUnsetOr = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

const isAsked = (cluster: ClusterCalibration, run: CalibrationRun, query: CalibrationQuery): boolean =>
  isUnsetOr(query.paymentMethodType, cluster.paymentMethodType) &&
  isUnsetOr(query.paymentMethod, cluster.paymentMethod) &&
  isIncluded(cluster, run, query.include)

const isEverything = ({ include, paymentMethodType, paymentMethod }: CalibrationQuery): boolean =>
  include === 'all' && paymentMethodType === undefined && paymentMethod === undefined

/** What the runs of a window found and wrote (analytics.md 7.5). */
export const readCalibrations = async (
  store: ReadStore,
  now: number,
  merchantId: string,
  query: CalibrationQuery,
): Promise<Calibrations> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const calibrations: ToldCalibration[] = []
  const idleRuns: IdleRun[] = []
  let runCount = 0
  let isCut = false
  const end = await scan<CalibrationRun>(
    store,
    {
      collection: calibrationRuns.name,
      prefix: [keyPart(merchantId)],
      from: window.startMs,
      to: window.endMs,
      order: 'descending',
      documentsMax: CALIBRATION_RUNS_SCANNED_MAX,
      pageDocuments: CALIBRATION_RUNS_PAGE_DOCUMENTS,
    },
    ({ body }) => body.at,
    ({ body, position }) => {
      include(positions, position)
      runCount++
      const run = { at: body.at, runId: body.id, isObserveOnly: body.isObserveOnly }
      if (body.clusters.length === 0 && isEverything(query)) idleRuns.push(run)
      for (const cluster of body.clusters) {
        if (!isAsked(cluster, body, query)) continue
        if (calibrations.length < CALIBRATIONS_READ_MAX) calibrations.push({ ...cluster, ...run })
        else isCut = true
      }
    },
  )
  const freshness = freshnessOf(now, { positions, ends: [end, isCut ? 'truncated' : 'complete'] })
  return { merchantId, window: answeredWindow(window), runCount, calibrations, idleRuns, freshness }
}
