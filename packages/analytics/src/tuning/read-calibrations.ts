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
  /** How far around the window what runs did is told, too, milliseconds. */
  readonly aroundMs: number
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
  /** Those that are asked for around the window, behind its end and before its start; newest first. */
  readonly around: { readonly later: readonly ToldCalibration[]; readonly earlier: readonly ToldCalibration[] }
  /** Runs that found no payments of any group; only where everything of all groups is asked for. */
  readonly idleRuns: readonly IdleRun[]
  /** Positions are those of the topic `config`. */
  readonly freshness: Freshness
}

/** Whether a run changed a row: what people wrote can take one with it. */
const isChanged = ({ outcome, previousBucketSize }: ClusterCalibration): boolean =>
  outcome === 'APPLIED' || outcome === 'WITHDRAWN' || (outcome === 'SKIPPED_HUMAN' && previousBucketSize !== null)

const isIncluded = (cluster: ClusterCalibration, isObserveOnly: boolean, include: CalibrationQuery['include']): boolean => {
  if (include === 'all') return true
  return include === 'applied' ? cluster.outcome === 'APPLIED' : !isObserveOnly && isChanged(cluster)
}

const isUnsetOr = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

const isAsked = (cluster: ClusterCalibration, isObserveOnly: boolean, query: CalibrationQuery): boolean =>
  isUnsetOr(query.paymentMethodType, cluster.paymentMethodType) &&
  isUnsetOr(query.paymentMethod, cluster.paymentMethod) &&
  isIncluded(cluster, isObserveOnly, query.include)

const isEverything = ({ include, paymentMethodType, paymentMethod }: CalibrationQuery): boolean =>
  include === 'all' && paymentMethodType === undefined && paymentMethod === undefined

/** What a read tells of the runs it finds. */
interface Found {
  readonly take: (run: CalibrationRun) => void
  readonly told: () => Pick<Calibrations, 'runCount' | 'calibrations' | 'around' | 'idleRuns'>
  /** `truncated` when a run told of more than is kept. */
  readonly end: () => 'complete' | 'truncated'
}

const createFound = (query: CalibrationQuery, { startMs, endMs }: AnsweredWindow): Found => {
  const calibrations: ToldCalibration[] = []
  const later: ToldCalibration[] = []
  const earlier: ToldCalibration[] = []
  const idleRuns: IdleRun[] = []
  let runCount = 0
  let isCut = false

  const listOf = (at: number): ToldCalibration[] => {
    if (at > endMs) return later
    return at < startMs ? earlier : calibrations
  }

  return {
    take: ({ id: runId, at, isObserveOnly, ...run }) => {
      const list = listOf(at)
      const isInside = list === calibrations
      if (isInside) runCount++
      if (isInside && run.clusters.length === 0 && isEverything(query)) idleRuns.push({ at, runId, isObserveOnly })
      for (const cluster of run.clusters) {
        if (!isAsked(cluster, isObserveOnly, query)) continue
        if (list.length < CALIBRATIONS_READ_MAX) list.push({ ...cluster, at, runId, isObserveOnly })
        else isCut = true
      }
    },
    told: () => ({ runCount, calibrations, around: { later, earlier }, idleRuns }),
    end: () => (isCut ? 'truncated' : 'complete'),
  }
}

/** What the runs of a window found and wrote (analytics.md 7.5). */
export const readCalibrations = async (
  store: ReadStore,
  now: number,
  merchantId: string,
  query: CalibrationQuery,
): Promise<Calibrations> => {
  const window = answeredWindow(resolveWindow(query.window, now))
  const positions: IncludedPositions = new Map()
  const found = createFound(query, window)
  const end = await scan<CalibrationRun>(
    store,
    {
      collection: calibrationRuns.name,
      prefix: [keyPart(merchantId)],
      from: Math.max(window.startMs - query.aroundMs, query.window.historySince),
      to: window.endMs + query.aroundMs,
      order: 'descending',
      documentsMax: CALIBRATION_RUNS_SCANNED_MAX,
      pageDocuments: CALIBRATION_RUNS_PAGE_DOCUMENTS,
    },
    ({ body }) => body.at,
    ({ body, position }) => {
      include(positions, position)
      found.take(body)
    },
  )
  return { merchantId, window, ...found.told(), freshness: freshnessOf(now, { positions, ends: [end, found.end()] }) }
}
