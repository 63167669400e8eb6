import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createHttpClient } from '../demo/http-client.mjs'
import { borrowServers } from '../infra/servers/servers.mjs'
import { startDriver } from './kafka-driver.mjs'
import { startLoad } from './load.mjs'
import { cpuSecondsOf } from './machine.mjs'
import { startService } from './services.mjs'
import { quantile, summaryOf } from './statistics.mjs'
import { createBenchMerchant, decisionTemplate, outcomeTemplate } from './workload.mjs'

const ADMIN_SECRET = 'bench_admin_secret'
const CONNECTION_COUNT = 200
const DECIDE_CONNECTION_COUNT = 20
/** Decided payments that stand ready; a run goes round and uses each a few times. */
const POOL_PAYMENT_COUNT = 20_000
const PROBE_MAX_MS = 10_000
/** Between two probes: they must not be the load. */
const PROBE_PAUSE_MS = 20
const GATEWAYS = ['gate_a', 'gate_b', 'gate_c']

const environmentOf = ({ kafkaBrokers, schemaRegistryUrl, mongodbUri }, name) => ({
  SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET,
  SWITCHYARD_KAFKA_BROKERS: kafkaBrokers,
  SWITCHYARD_KAFKA_TOPIC_PREFIX: name,
  SWITCHYARD_KAFKA_REPLICATION: '1',
  SWITCHYARD_SCHEMA_REGISTRY_URL: schemaRegistryUrl,
  SWITCHYARD_MONGODB_URI: mongodbUri.replace(/\/?(\?|$)/, `/${name}$1`),
  SWITCHYARD_JWT_SECRET: randomUUID().repeat(2),
})

/** The services that take a report to its effect, the load, and a merchant. */
const openCluster = async (addresses) => {
  const environment = environmentOf(addresses, `bench-${randomUUID()}`)
  const started = []
  const start = async (name) => {
    const service = await startService(name, environment)
    started.push(service)
    return service
  }
  const load = startLoad()
  const close = async () => {
    load.stop()
    for (const { stop } of started) await stop()
  }
  try {
    const commands = await start('command-api')
    const decide = await start('decide')
    const merchant = await createBenchMerchant(createHttpClient({ url: commands.url, connectionCountMax: 1 }), ADMIN_SECRET)
    const client = createHttpClient({ url: decide.url, connectionCountMax: 1 })
    return { decide, load, merchant, client, startProjector: () => start('projector'), close }
  } catch (error) {
    await close()
    throw error
  }
}

const probeDecision = ({ merchantId }, { method, paymentId }) => ({
  merchantId,
  eligibleGatewayList: GATEWAYS,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  paymentInfo: { paymentId, amount: 1, currency: 'EUR', paymentType: 'ORDER_PAYMENT', paymentMethodType: 'UPI', paymentMethod: method },
})

/**
 * Reports a failure of a gateway that has none, in a dimension that nobody else uses, and asks for decisions until its score has
 * fallen. Gives the milliseconds from the report to the answer that shows it.
 */
const probeEffect = async ({ client, merchant }) => {
  const method = `probe_${randomUUID().slice(0, 8)}`
  const ask = async (paymentId) =>
    await client.post('/decide-gateway', { headers: merchant.headers, body: probeDecision(merchant, { method, paymentId }) })
  const first = await ask(`${method}_0`)
  const gateway = first.decided_gateway
  const startedAt = performance.now()
  await client.post('/update-gateway-score', {
    headers: merchant.headers,
    body: { merchantId: merchant.merchantId, paymentId: `${method}_0`, gateway, status: 'FAILURE' },
  })
  for (let asked = 1; performance.now() - startedAt < PROBE_MAX_MS; asked += 1) {
    const answer = await ask(`${method}_${asked}`)
    if (answer.gateway_priority_map[gateway] < 1) return performance.now() - startedAt
  }
  throw new Error(`a report had no effect within ${PROBE_MAX_MS} ms`)
}

const outcomesOf = ({ decide, merchant }) => ({
  port: decide.port,
  connectionCount: CONNECTION_COUNT,
  request: outcomeTemplate(merchant),
  numbers: { from: 0, poolCount: POOL_PAYMENT_COUNT },
})

const decisionsOf = (cluster) => ({
  ...outcomesOf(cluster),
  connectionCount: DECIDE_CONNECTION_COUNT,
  request: decisionTemplate(cluster.merchant),
  numbers: { from: 0, poolCount: null },
  shouldRemember: true,
})

/** Reports a second, from the first request until the last one is in its window, and what each takes of `decide`'s processor time. */
const measurePeak = async (cluster, durationMs) => {
  const startedAt = performance.now()
  const before = cpuSecondsOf(cluster.decide.pid)
  const { answeredCount, p99Ms } = await cluster.load.runFor(durationMs, outcomesOf(cluster))
  // The same merchant's events stand in one partition: when a later one has its effect, all of them have.
  await probeEffect(cluster)
  const seconds = (performance.now() - startedAt) / 1000
  const processorUs = (1e6 * ((cpuSecondsOf(cluster.decide.pid) ?? Number.NaN) - before)) / answeredCount
  return { perSecond: answeredCount / seconds, p99Ms, processorUs }
}

/** From a report to its effect on the next decision while so many others arrive, milliseconds. */
const measureLatency = async (cluster, durationMs, perSecondMax) => {
  const endsAt = performance.now() + durationMs
  const running = cluster.load.runFor(durationMs, { ...outcomesOf(cluster), perSecondMax })
  const latencies = []
  while (performance.now() < endsAt) {
    latencies.push(await probeEffect(cluster))
    await delay(PROBE_PAUSE_MS)
  }
  await running
  const sorted = Float64Array.from(latencies).sort()
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
}

/** Events a second of a projector that begins with so many events: payments, each decided and reported. */
const measureProjector = async (cluster, eventCount) => {
  await cluster.load.runCount(eventCount / 2, decisionsOf(cluster))
  await cluster.load.runCount(eventCount / 2, outcomesOf(cluster))
  const startedAt = performance.now()
  // Ready means: it has caught up with the log as it was when it began.
  const projector = await cluster.startProjector()
  const seconds = (performance.now() - startedAt) / 1000
  await projector.stop()
  return eventCount / seconds
}

/** Runs what was opened, and closes it whatever happens. */
const using = async (opened, run) => {
  try {
    return await run(opened)
  } finally {
    await opened.close()
  }
}

const measureTurns = async (cluster, driver, { broker, durationMs, repeatCount, recordCount }) => {
  await cluster.load.runCount(POOL_PAYMENT_COUNT, decisionsOf(cluster))
  const turns = []
  for (let turn = 0; turn <= repeatCount; turn += 1) {
    const bare = await driver.measure({ broker, recordCount })
    const peak = await measurePeak(cluster, durationMs)
    const latency = await measureLatency(cluster, durationMs, peak.perSecond / 2)
    // The first turn warms up.
    if (turn > 0) turns.push({ bare, peak, latency })
  }
  return turns
}

const figuresOf = (turns, projectedPerSecond) => ({
  ratio: summaryOf(turns.map(({ bare, peak }) => peak.perSecond / bare)),
  perSecond: summaryOf(turns.map(({ peak }) => peak.perSecond)),
  referencePerSecond: summaryOf(turns.map(({ bare }) => bare)),
  processorUs: summaryOf(turns.map(({ peak }) => peak.processorUs)),
  effectP50Ms: summaryOf(turns.map(({ latency }) => latency.p50Ms)),
  effectP99Ms: summaryOf(turns.map(({ latency }) => latency.p99Ms)),
  projectedPerSecond: summaryOf([projectedPerSecond]),
  projectedRatio: summaryOf(turns.map(({ bare }) => projectedPerSecond / bare)),
})

const openServers = async () => {
  const { file, release } = await borrowServers()
  return { addresses: JSON.parse(readFileSync(file, 'utf8')).addresses, close: release }
}

/**
 * Reports of outcomes over HTTP through Kafka into a window, on separate services, beside the driver by itself in the same run:
 * the rate at full load, the time from a report to its effect at half of it, and a projector that catches up.
 *
 * @param {{ readonly durationMs: number, readonly repeatCount: number, readonly recordCount: number,
 *   readonly mongoEventCount: number }} options
 */
export const measureCluster = async (options) =>
  await using(await openServers(), async ({ addresses }) => {
    const broker = addresses.kafkaBrokers.split(',')[0]
    return await using(await openCluster(addresses), async (cluster) => {
      const projectedPerSecond = await measureProjector(cluster, options.mongoEventCount)
      const driver = startDriver()
      return await using({ ...driver, close: driver.stop }, async () =>
        figuresOf(await measureTurns(cluster, driver, { ...options, broker }), projectedPerSecond),
      )
    })
  })
