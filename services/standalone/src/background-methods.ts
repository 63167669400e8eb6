import type { AnalyticsQueries, JournalQueries } from '@switchyard/analytics'
import type { DatastoreProbe, ProjectionFigures, Readiness } from '@switchyard/composition'
import type { Position } from '@switchyard/kernel'
import type { ProjectedTopic, ProjectorService } from '@switchyard/projector'
import type { LookAtBackTest, ReadSavings, SimulatePage } from '@switchyard/query-api'

type Arguments<Query extends keyof AnalyticsQueries> = Parameters<AnalyticsQueries[Query]>
type Answer<Query extends keyof AnalyticsQueries> = ReturnType<AnalyticsQueries[Query]>

/** What the background thread does for the main thread: reads, probes, and telling how far it has come. */
export type BackgroundMethods = {
  readonly overview: (argument: Arguments<'overview'>) => Answer<'overview'>
  readonly gatewayScores: (argument: Arguments<'gatewayScores'>) => Answer<'gatewayScores'>
  readonly decisions: (argument: Arguments<'decisions'>) => Answer<'decisions'>
  readonly routingStats: (argument: Arguments<'routingStats'>) => Answer<'routingStats'>
  readonly logSummaries: (argument: Arguments<'logSummaries'>) => Answer<'logSummaries'>
  readonly paymentAudit: (argument: Arguments<'paymentAudit'>) => Answer<'paymentAudit'>
  readonly routingEvents: (argument: Arguments<'routingEvents'>) => Answer<'routingEvents'>
  readonly keyUses: (argument: Arguments<'keyUses'>) => Answer<'keyUses'>
  readonly experimentFigures: (argument: Arguments<'experimentFigures'>) => Answer<'experimentFigures'>
  readonly experimentPayments: (argument: Arguments<'experimentPayments'>) => Answer<'experimentPayments'>
  readonly clusterTraffic: (argument: Arguments<'clusterTraffic'>) => Answer<'clusterTraffic'>
  readonly comparisons: (argument: Arguments<'comparisons'>) => Answer<'comparisons'>
  readonly changes: (argument: Parameters<JournalQueries['changes']>) => ReturnType<JournalQueries['changes']>
  readonly calibrations: (argument: Parameters<JournalQueries['calibrations']>) => ReturnType<JournalQueries['calibrations']>
  readonly simulatePage: SimulatePage
  readonly lookAtBackTest: LookAtBackTest
  readonly readSavings: (argument: Parameters<ReadSavings>) => ReturnType<ReadSavings>
  readonly probe: (step: keyof DatastoreProbe) => Promise<void>
  readonly isReady: (nothing: null) => Promise<boolean>
  readonly projections: (nothing: null) => Promise<readonly ProjectionFigures[]>
  readonly projectedUpTo: (argument: readonly [topic: ProjectedTopic, position: Position]) => Promise<void>
  readonly stop: (nothing: null) => Promise<void>
}

/** What stands behind {@link BackgroundMethods}. */
export interface BackgroundParts {
  readonly queries: AnalyticsQueries
  readonly journal: JournalQueries
  readonly simulatePage: SimulatePage
  readonly lookAtBackTest: LookAtBackTest
  readonly readSavings: ReadSavings
  readonly probe: DatastoreProbe
  readonly projector: Pick<ProjectorService, 'projectedUpTo' | 'status'>
  readonly readiness: Pick<Readiness, 'isReady'>
  readonly stop: () => Promise<void>
}

export const backgroundMethods = ({
  queries,
  journal,
  simulatePage,
  lookAtBackTest,
  readSavings,
  probe,
  projector,
  readiness,
  stop,
}: BackgroundParts): BackgroundMethods => ({
  overview: (argument) => queries.overview(...argument),
  gatewayScores: (argument) => queries.gatewayScores(...argument),
  decisions: (argument) => queries.decisions(...argument),
  routingStats: (argument) => queries.routingStats(...argument),
  logSummaries: (argument) => queries.logSummaries(...argument),
  paymentAudit: (argument) => queries.paymentAudit(...argument),
  routingEvents: (argument) => queries.routingEvents(...argument),
  keyUses: (argument) => queries.keyUses(...argument),
  experimentFigures: (argument) => queries.experimentFigures(...argument),
  experimentPayments: (argument) => queries.experimentPayments(...argument),
  clusterTraffic: (argument) => queries.clusterTraffic(...argument),
  comparisons: (argument) => queries.comparisons(...argument),
  calibrations: (argument) => journal.calibrations(...argument),
  changes: (argument) => journal.changes(...argument),
  simulatePage,
  lookAtBackTest,
  readSavings: (argument) => readSavings(...argument),
  probe: (step) => probe[step](),
  isReady: () => readiness.isReady(),
  projections: async () =>
    (await projector.status()).map(({ topic, state, lagCount, deadLetterCount }) => ({ topic, state, lagCount, deadLetterCount })),
  projectedUpTo: (argument) => projector.projectedUpTo(...argument),
  stop,
})
