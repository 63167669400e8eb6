import { measureCluster } from './cluster.mjs'
import { measureCosts } from './costs.mjs'
import { DECISION_KINDS } from './decision-kinds.mjs'
import { measureGrowth } from './growth/growth.mjs'
import { measureDecisions, measureEvaluations, measureKind, measureOutcomes } from './http-benchmarks.mjs'
import { measureIngestion } from './ingestion.mjs'
import { measureKafkaLog } from './kafka-log.mjs'
import { measureMemory } from './memory.mjs'
import {
  clusterMetrics,
  costMetrics,
  httpMetrics,
  ingestionMetrics,
  kafkaLogMetrics,
  kindMetrics,
  replayMetrics,
  reportUploadMetrics,
  ruleMetrics,
  storeMetrics,
  uploadMetrics,
  webhookMetrics,
  workerMetrics,
} from './metrics.mjs'
import { measureMixed } from './mixed.mjs'
import { measureMongoProjector, measureProjector } from './projector.mjs'
import { measureReplay } from './replay.mjs'
import { measureReportUpload } from './report-upload.mjs'
import { measureRules } from './rules.mjs'
import { measureStart } from './start.mjs'
import { growthMetrics, memoryMetrics, mixedMetrics, projectorMetrics, startMetrics } from './state-metrics.mjs'
import { measureStoreWrites } from './store-mongo.mjs'
import { TARGETS } from './targets.mjs'
import { measureUploads } from './upload-benchmark.mjs'
import { measureWebhooks } from './webhooks.mjs'
import { measureWorkers } from './workers.mjs'

/** Decisions by rules, networks and the like have as many connections as they need to keep the server busy. */
const KIND_CONNECTION_COUNT = 20
const EVALUATION_CONNECTION_COUNT = 20
const WORKER_COUNT = 2

/** A broker on this machine; without one what needs it is not measured. */
const KAFKA_BROKER = process.env.SWITCHYARD_TEST_KAFKA_BROKER ?? ''

/** Puts a measurement together with what its figures say. */
const benchmark = (measure, metricsOf, targets) => async (name, sizes) => {
  const figures = await measure(sizes)
  return { figures, metrics: metricsOf(name, targets, figures) }
}

const at = (connectionCount, measure) => (sizes) => measure({ ...sizes, connectionCount })
const decisions = (connectionCount) => benchmark(at(connectionCount, measureDecisions), httpMetrics, TARGETS.decisions)
const outcomes = (connectionCount, targets) => benchmark(at(connectionCount, measureOutcomes), httpMetrics, targets)
const kind = (decisionKind) =>
  benchmark(
    at(KIND_CONNECTION_COUNT, (sizes) => measureKind(decisionKind, sizes)),
    kindMetrics,
    TARGETS.kindsOfDecisions,
  )
/** With as many repetitions as long runs have. */
const replayOf = (more) => (sizes) => measureReplay({ eventCount: sizes.eventCount, repeatCount: sizes.longRepeatCount, ...more })
const webhooks = ({ webhookMs, webhooks: load }) => measureWebhooks({ repeatCount: 1, durationMs: webhookMs, ...load })

/** All benchmarks by their names. */
export const BENCHMARKS = {
  'decide-20': decisions(20),
  'decide-50': decisions(50),
  'decide-200': decisions(200),
  'decide-rules': kind(DECISION_KINDS.rules),
  'decide-network': kind(DECISION_KINDS.network),
  'decide-hybrid': kind(DECISION_KINDS.hybrid),
  'outcomes-50': outcomes(50, TARGETS.outcomesAt50),
  'outcomes-200': outcomes(200, TARGETS.outcomesAt200),
  evaluate: benchmark(at(EVALUATION_CONNECTION_COUNT, measureEvaluations), httpMetrics, TARGETS.evaluations),
  workers: benchmark((sizes) => measureWorkers({ ...sizes, workerCount: WORKER_COUNT }), workerMetrics, TARGETS.workers),
  uploads: benchmark(measureUploads, uploadMetrics, TARGETS.uploads),
  rules: benchmark(async (sizes) => measureRules(sizes), ruleMetrics, TARGETS.rules),
  costs: benchmark(measureCosts, costMetrics, TARGETS.costs),
  ingestion: benchmark((sizes) => measureIngestion({ ...sizes, repeatCount: sizes.longRepeatCount }), ingestionMetrics, TARGETS.ingestion),
  'report-upload': benchmark(measureReportUpload, reportUploadMetrics, TARGETS.reportUpload),
  replay: benchmark(replayOf({}), replayMetrics, TARGETS.replay),
  projector: benchmark(measureProjector, projectorMetrics, TARGETS.projector),
  memory: benchmark(measureMemory, memoryMetrics, TARGETS.memory),
  mixed: benchmark(measureMixed, mixedMetrics, TARGETS.mixed),
  start: benchmark(measureStart, startMetrics, TARGETS.start),
  growth: benchmark(measureGrowth, growthMetrics, TARGETS.growth),
  webhooks: benchmark(webhooks, webhookMetrics, TARGETS.webhooks),
  'log-kafka': benchmark(
    ({ repeatCount, kafkaRecordCount }) => measureKafkaLog({ broker: KAFKA_BROKER, recordCount: kafkaRecordCount, repeatCount }),
    kafkaLogMetrics,
    TARGETS.kafkaLog,
  ),
  'replay-kafka': benchmark(replayOf({ broker: KAFKA_BROKER }), replayMetrics, TARGETS.kafkaReplay),
  'store-mongo': benchmark(measureStoreWrites, (name, _targets, figures) => storeMetrics(name, figures)),
  'projector-mongo': benchmark(measureMongoProjector, projectorMetrics, TARGETS.projector),
  cluster: benchmark((sizes) => measureCluster({ ...sizes, recordCount: sizes.kafkaRecordCount }), clusterMetrics, TARGETS.cluster),
}

/** These take minutes each. */
export const LONG_NAMES = ['mixed', 'start', 'growth', 'webhooks']
/** These need the broker that `SWITCHYARD_TEST_KAFKA_BROKER` names. */
export const BROKER_NAMES = ['log-kafka', 'replay-kafka']
/** These start servers of somebody else's (infra/servers). */
export const SERVER_NAMES = ['store-mongo', 'projector-mongo', 'cluster']

const NAMES = Object.keys(BENCHMARKS)
const hasBroker = KAFKA_BROKER !== ''

/** What is measured without a name: nothing that takes minutes or starts servers. */
export const defaultNames = () =>
  NAMES.filter((name) => !LONG_NAMES.includes(name) && !SERVER_NAMES.includes(name) && (hasBroker || !BROKER_NAMES.includes(name)))

/** Everything that can be measured on this machine: with servers where `SWITCHYARD_TEST_REAL=1` says that they may be started. */
export const allNames = () =>
  NAMES.filter(
    (name) => (hasBroker || !BROKER_NAMES.includes(name)) && (process.env.SWITCHYARD_TEST_REAL === '1' || !SERVER_NAMES.includes(name)),
  )

/** Why a benchmark can't be run here; undefined when it can. */
export const hindranceOf = (name) =>
  BROKER_NAMES.includes(name) && !hasBroker ? `${name} needs a broker: SWITCHYARD_TEST_KAFKA_BROKER names it` : undefined
