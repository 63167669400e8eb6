import type { AnalyticsQueries, JournalQueries } from '@switchyard/analytics'
import type { DatastoreProbe, ProjectionFigures, Readiness } from '@switchyard/composition'
import type { Position } from '@switchyard/kernel'
import type { ProjectedTopic, ProjectorService } from '@switchyard/projector'
import type { LookAtBackTest, ReadSavings, SimulatePage } from '@switchyard/query-api'

/** Functions as they are called in another thread: with all their arguments in one. */
type Called<Functions extends { readonly [Name in keyof Functions]: (...argument: never[]) => unknown }> = {
  readonly [Name in keyof Functions]: (argument: Parameters<Functions[Name]>) => ReturnType<Functions[Name]>
}

/** What the background thread does for the main thread: reads, probes, and telling how far it has come. */
export type BackgroundMethods = Called<AnalyticsQueries & JournalQueries & { readonly readSavings: ReadSavings }> & {
  readonly simulatePage: SimulatePage
  readonly lookAtBackTest: LookAtBackTest
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

/** {@link BackgroundMethods} of these parts. */
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
