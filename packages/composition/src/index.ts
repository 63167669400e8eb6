export type { PositionReaders } from './await-position.ts'
export { createAwaitPosition } from './await-position.ts'
export type { ClusterAdapters, ClusterEngines, LogOptions, ServiceRole, SharedLog, StoreOptions } from './cluster.ts'
export type { Configuration } from './configuration.ts'
export { createConfiguration } from './configuration.ts'
export {
  configProjections,
  costProjections,
  domainCollections,
  domainSlices,
  paymentProjections,
  runtimeCollections,
  webhookProjections,
} from './domain.ts'
export type { EdgeDependencies, HelpingThreads } from './edge.ts'
export { createEdge, createHotEdge, createTokens } from './edge.ts'
export type { DatastoreProbe, DatastoreProbeDeps } from './health/datastore-probe.ts'
export { createDatastoreProbe, healthProbesCollection } from './health/datastore-probe.ts'
export type { HealthDeps } from './health/health-routes.ts'
export { healthRoutes } from './health/health-routes.ts'
export type { InboxReceiverDependencies } from './inbox-receiver.ts'
export { createInboxReceiver } from './inbox-receiver.ts'
export type { Tally } from './log-limits.ts'
export { createTally } from './log-limits.ts'
export type { DeliveryFigures } from './metrics/delivery-metrics.ts'
export { createDeliveryLatency } from './metrics/delivery-metrics.ts'
export type { Metrics, ThreadFigures } from './metrics/metrics.ts'
export { createMetrics } from './metrics/metrics.ts'
export type { ProjectionFigures } from './metrics/projection-metrics.ts'
export { nobody, noTokens } from './nobody.ts'
export type { PatientStart } from './patience.ts'
export { startPatiently } from './patience.ts'
export type { Payments, Recorder } from './payments.ts'
export { createPayments, createRecorder } from './payments.ts'
export { endWhenItFails, runProcess } from './process.ts'
export { readStorePart } from './read-store-part.ts'
export type { Readiness, ReadinessDependencies, ReadinessLimits, ReadModelStatus } from './readiness.ts'
export { createReadiness, READINESS_LIMITS } from './readiness.ts'
export type { ReadinessQuestion } from './readiness-watch.ts'
export { watchReadiness } from './readiness-watch.ts'
export type { Service, ServiceSurroundings } from './service.ts'
export { runService } from './service.ts'
export type { Engines, Voices } from './surroundings.ts'
export { newId, now } from './surroundings.ts'
