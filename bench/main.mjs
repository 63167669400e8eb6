// `npm run bench [name...]`: measures the system beside a reference in the same run, prints a table, keeps the figures.
import { parseArgs } from 'node:util'
import { tableLines } from '../demo/report.mjs'
import { buildWhenNeeded, installWhenNeeded, requireNode } from '../tools/setup.mjs'
import { measureCluster } from './cluster.mjs'
import { measureCosts } from './costs.mjs'
import { measureDecisions, measureOutcomes } from './http-benchmarks.mjs'
import { measureIngestion } from './ingestion.mjs'
import { measureKafkaLog } from './kafka-log.mjs'
import { machineFacts } from './machine.mjs'
import {
  clusterMetrics,
  costMetrics,
  httpMetrics,
  ingestionMetrics,
  kafkaLogMetrics,
  replayMetrics,
  ruleMetrics,
  storeMetrics,
  uploadMetrics,
  webhookMetrics,
} from './metrics.mjs'
import { measureReplay } from './replay.mjs'
import { writeResult } from './results.mjs'
import { measureRules } from './rules.mjs'
import { spreadOf } from './statistics.mjs'
import { measureStoreWrites } from './store-mongo.mjs'
import { measureUploads } from './upload-benchmark.mjs'
import { reachesTarget } from './verdict.mjs'
import { measureWebhooks } from './webhooks.mjs'

const REPLAY_REPEAT_COUNT_MAX = 3
const DECISION_TARGETS = { throughputTarget: 0.5, tailTarget: 3 }
const OUTCOME_TARGETS = { throughputTarget: 0.3, tailTarget: null }
const UPLOAD_TARGETS = { rateTarget: 100_000 }
const RULE_TARGETS = { timeTarget: 50, growthTarget: 8 }
const COST_TARGETS = { lookupTarget: 3, compileTarget: 2_000, throughputTarget: 0.75 }
const INGESTION_TARGETS = { rateTarget: 150_000, memoryTarget: 128, growthTarget: 1.25 }
const KAFKA_LOG_TARGETS = { throughputTarget: 0.6 }
const CLUSTER_TARGETS = { throughputTarget: 0.6, effectTarget: 50 }
const KAFKA_LOG_RECORD_COUNT = 100_000
const WEBHOOK_TARGETS = { tailTarget: 250, ratioTarget: 1.2, backlogTarget: 1_000 }
/** Long enough for receivers that never answer to tell: four times their timeout. */
const WEBHOOK_DURATION_MS = 60_000
const REPLAY_TARGETS = { rateTarget: 200_000, growthTarget: 1.1 }

const decisions = (connectionCount) => async (name, settings) => {
  const figures = await measureDecisions({ ...settings, connectionCount })
  return { figures, metrics: httpMetrics(name, DECISION_TARGETS, figures) }
}

const outcomes = (connectionCount) => async (name, settings) => {
  const figures = await measureOutcomes({ ...settings, connectionCount })
  return { figures, metrics: httpMetrics(name, OUTCOME_TARGETS, figures) }
}

const replay = async (name, { eventCount, repeatCount }) => {
  const figures = await measureReplay({ eventCount, repeatCount: Math.min(REPLAY_REPEAT_COUNT_MAX, repeatCount) })
  return { figures, metrics: replayMetrics(name, REPLAY_TARGETS, figures) }
}

const uploads = async (name, settings) => {
  const figures = await measureUploads(settings)
  return { figures, metrics: uploadMetrics(name, UPLOAD_TARGETS, figures) }
}

const rules = async (name, { repeatCount }) => {
  const figures = measureRules({ repeatCount })
  return { figures, metrics: ruleMetrics(name, RULE_TARGETS, figures) }
}

const costs = async (name, settings) => {
  const figures = await measureCosts(settings)
  return { figures, metrics: costMetrics(name, COST_TARGETS, figures) }
}

const ingestion = async (name, { rowCount, repeatCount }) => {
  const figures = await measureIngestion({ rowCount, repeatCount: Math.min(REPLAY_REPEAT_COUNT_MAX, repeatCount) })
  return { figures, metrics: ingestionMetrics(name, INGESTION_TARGETS, figures) }
}

const kafkaLog = async (name, { repeatCount }) => {
  const figures = await measureKafkaLog({ broker: KAFKA_BROKER, recordCount: KAFKA_LOG_RECORD_COUNT, repeatCount })
  return { figures, metrics: kafkaLogMetrics(name, KAFKA_LOG_TARGETS, figures) }
}

const webhooks = async (name) => {
  const figures = await measureWebhooks({ repeatCount: 1, durationMs: WEBHOOK_DURATION_MS })
  return { figures, metrics: webhookMetrics(name, WEBHOOK_TARGETS, figures) }
}

/** A broker on this machine; without one the log on Kafka is not measured. */
const KAFKA_BROKER = process.env.SWITCHYARD_TEST_KAFKA_BROKER ?? ''

const storeWrites = async (name, settings) => {
  const figures = await measureStoreWrites(settings)
  return { figures, metrics: storeMetrics(name, figures) }
}

const cluster = async (name, { durationMs, repeatCount }) => {
  const figures = await measureCluster({ durationMs, repeatCount, recordCount: KAFKA_LOG_RECORD_COUNT })
  return { figures, metrics: clusterMetrics(name, CLUSTER_TARGETS, figures) }
}

const BENCHMARKS = {
  'decide-20': decisions(20),
  'decide-50': decisions(50),
  'outcomes-50': outcomes(50),
  uploads,
  rules,
  costs,
  ingestion,
  replay,
  ...(KAFKA_BROKER === '' ? {} : { 'log-kafka': kafkaLog }),
  'store-mongo': storeWrites,
  cluster,
  webhooks,
}
/** The first two start servers of somebody else's (infra/servers), the last takes three minutes. */
const ONLY_WHEN_NAMED = ['store-mongo', 'cluster', 'webhooks']
const DEFAULT_NAMES = Object.keys(BENCHMARKS).filter((name) => !ONLY_WHEN_NAMED.includes(name))

const USAGE = `npm run bench -- [name...] [--seconds N] [--repeats N] [--events N] [--rows N]
  names: ${Object.keys(BENCHMARKS).join(', ')} (default: all but store-mongo and cluster, which start servers, and webhooks, which takes three minutes)
  --seconds N   length of one run over HTTP (default 4)
  --repeats N   measured runs of each side, after one that warms up (default 5; the replay at most ${REPLAY_REPEAT_COUNT_MAX})
  --events N    events of the replay (default 1000000)
  --rows N      rows of the settlement report that is read (default 2000000)
  log-kafka is measured where SWITCHYARD_TEST_KAFKA_BROKER names a broker`

const say = (line) => process.stdout.write(`${line}\n`)

const positive = (name, text) => {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a positive number, not ${text}`)
  return value
}

const parseOptions = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '4' },
      repeats: { type: 'string', default: '5' },
      events: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '2000000' },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a benchmark.\n${USAGE}`)
  return {
    isHelp: values.help,
    names: positionals.length === 0 ? DEFAULT_NAMES : positionals,
    durationMs: positive('seconds', values.seconds) * 1000,
    repeatCount: Math.round(positive('repeats', values.repeats)),
    eventCount: Math.round(positive('events', values.events)),
    rowCount: Math.round(positive('rows', values.rows)),
  }
}

const figure = (value) => (value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2))

const targetCell = (metric) => {
  if (metric.target === null) return ''
  const bound = `${metric.better === 'higher' ? '>=' : '<='} ${figure(metric.target)}`
  return `${bound} ${reachesTarget(metric) === true ? 'reached' : 'MISSED'}`
}

const printMetrics = (metrics) => {
  const rows = metrics.map((metric) => [
    metric.name,
    `${figure(metric.median)} ${metric.unit}`.trim(),
    `${figure(metric.min)} – ${figure(metric.max)}`,
    `${(spreadOf(metric) * 100).toFixed(0)} %`,
    targetCell(metric),
  ])
  for (const line of tableLines(['', 'median', 'lowest – highest', 'spread', 'target'], rows)) say(`  ${line}`)
}

const main = async () => {
  const options = parseOptions()
  if (options.isHelp) return say(USAGE)
  requireNode()
  installWhenNeeded()
  buildWhenNeeded()
  const machine = machineFacts()
  say(`${machine.cpu}, ${machine.coreCount} cores, ${machine.memoryGb} GB, Node ${machine.node}`)
  say(
    `Cores: ${machine.coreCount} for the server (one thread answers, others project and write the log) and the load (a process of its own) together.`,
  )
  const result = {
    at: new Date().toISOString(),
    machine,
    settings: { durationMs: options.durationMs, repeatCount: options.repeatCount, eventCount: options.eventCount },
    metrics: [],
    figures: {},
  }
  for (const name of options.names) {
    say(`\n${name}`)
    const { figures, metrics } = await BENCHMARKS[name](name, options)
    result.figures[name] = figures
    result.metrics.push(...metrics)
    printMetrics(metrics)
  }
  say(`\nWritten to ${writeResult(result)}`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
