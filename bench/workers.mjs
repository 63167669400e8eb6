import { readdirSync, readFileSync } from 'node:fs'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { startLoad } from './load.mjs'
import { alternate } from './measure.mjs'
import { quantile, summaryOf } from './statistics.mjs'
import { createBenchMerchant, decisionTemplate, outcomeTemplate } from './workload.mjs'

const ADMIN_SECRET = 'bench_admin_secret'
const PRIMED_PAYMENT_COUNT = 5_000
const CONNECTION_COUNT = 50
/** Changes that are followed until every worker shows them, of each kind. */
const CHANGE_COUNT = 200
/** Kept connections that are asked: neighbours are answered by different threads. */
const WATCHING_COUNT = 2
const SEEN_MAX_MS = 5_000
const TICKS_PER_SECOND = 100
/** Where they stand in `/proc/<pid>/task/<tid>/stat`, behind the name: user time, system time, nice value. */
const [USER_TICKS, SYSTEM_TICKS, NICE] = [11, 12, 16]

const startWith = async (workers) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET, SWITCHYARD_WORKERS: String(workers) } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const merchant = await createBenchMerchant(client, ADMIN_SECRET)
  return { server, client, merchant, port: Number(new URL(server.url).port) }
}

/** Seconds of processor time by thread, of those that answer: they have the nice value 0. Empty where it can't be read. */
const threadSeconds = (pid) => {
  try {
    const rows = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return [thread, Number(fields[NICE]), (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND]
    })
    return new Map(rows.flatMap(([thread, nice, seconds]) => (nice === 0 ? [[thread, seconds]] : [])))
  } catch {
    return new Map()
  }
}

/** Shares of a core that the busiest answering threads took meanwhile, the busiest first. */
const sharesOf = (before, after, seconds, count) =>
  [...after]
    .map(([thread, now]) => (now - (before.get(thread) ?? 0)) / seconds)
    .sort((one, other) => other - one)
    .slice(0, count)

/** Decisions per second with several workers, beside a server with one. */
const measureThroughput = async (workers, { durationMs, repeatCount }) => {
  const many = await startWith(workers)
  const one = await startWith(1)
  const load = startLoad()
  const shares = []
  const sideOf = ({ server, port, merchant }) => {
    let nextNumber = PRIMED_PAYMENT_COUNT
    return {
      pid: server.pid,
      run: async () => {
        const before = threadSeconds(server.pid)
        const result = await load.runFor(durationMs, {
          port,
          connectionCount: CONNECTION_COUNT,
          request: decisionTemplate(merchant),
          numbers: { from: nextNumber, poolCount: null },
        })
        nextNumber += result.sentCount
        if (server === many.server) shares.push(sharesOf(before, threadSeconds(server.pid), result.seconds, workers))
        return result
      },
    }
  }
  try {
    for (const { port, merchant } of [many, one]) {
      const primed = { port, connectionCount: CONNECTION_COUNT, numbers: { from: 0, poolCount: null } }
      await load.runCount(PRIMED_PAYMENT_COUNT, { ...primed, request: decisionTemplate(merchant), shouldRemember: true })
      await load.runCount(PRIMED_PAYMENT_COUNT, { ...primed, request: outcomeTemplate(merchant) })
    }
    const figures = await alternate({ repeatCount, system: sideOf(many), reference: sideOf(one) })
    // The first turn warms up.
    const measured = shares.slice(1)
    const share = (place) => summaryOf(measured.map((each) => each[place] ?? Number.NaN))
    return { ...figures, busiestShare: share(0), secondShare: share(1) }
  } finally {
    load.stop()
    for (const { client, server } of [many, one]) {
      client.close()
      await server.stop()
    }
  }
}

const paymentOf = (paymentId) => ({
  paymentId,
  amount: 49.9,
  currency: 'EUR',
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
})

/** Asks on a connection until its answer shows the change; gives the milliseconds since then. */
const untilSeen = async (since, ask, shows) => {
  while (performance.now() - since < SEEN_MAX_MS) if (shows(await ask())) return performance.now() - since
  throw new Error(`a worker did not show a change within ${SEEN_MAX_MS} ms`)
}

/** How long after its acknowledgement each change is shown on every connection, milliseconds: p50 and p99 of the latest of them. */
const followChanges = async (change, watchers) => {
  const latestMs = []
  for (let number = 0; number < CHANGE_COUNT; number += 1) {
    const shows = await change(number)
    const since = performance.now()
    const seenMs = await Promise.all(watchers.map((ask) => untilSeen(since, ask, shows)))
    latestMs.push(Math.max(...seenMs))
  }
  latestMs.sort((one, other) => one - other)
  return { p50Ms: quantile(latestMs, 0.5), p99Ms: quantile(latestMs, 0.99) }
}

/** Time until every worker shows an outcome, and a change of the configuration, on a server that is otherwise idle. */
const measureSeeing = async (workers) => {
  const { server, client, merchant } = await startWith(workers)
  const { merchantId, headers } = merchant
  const connections = Array.from({ length: workers * WATCHING_COUNT }, () => createHttpClient({ url: server.url, connectionCountMax: 1 }))
  const [reporter] = connections
  let paymentCount = 0
  const decide = (connection, rankingAlgorithm) => {
    paymentCount += 1
    const body = { merchantId, eligibleGatewayList: ['gate_a', 'gate_b'], rankingAlgorithm, paymentInfo: paymentOf(`seen_${paymentCount}`) }
    return connection.post('/decide-gateway', { headers, body })
  }
  const report = async () => {
    const { gateway_priority_map: before } = await decide(reporter, 'SR_BASED_ROUTING')
    const body = { merchantId, gateway: 'gate_a', paymentId: `seen_${paymentCount}`, status: 'FAILURE' }
    await reporter.post('/update-gateway-score', { headers, body })
    return ({ gateway_priority_map: after }) => after.gate_a !== before.gate_a
  }
  const createAlgorithm = async (gateway) => {
    const algorithm = { type: 'single', data: { gateway_name: gateway } }
    const created = await client.post('/routing/create', { headers, body: { name: gateway, created_by: merchantId, algorithm } })
    return created.rule_id
  }
  try {
    // So long that each failure lowers the score.
    const config = { type: 'successRate', data: { defaultBucketSize: 2 * CHANGE_COUNT, defaultHedgingPercent: 0 } }
    await client.post('/rule/create', { headers, body: { merchant_id: merchantId, config } })
    for (const connection of connections) await decide(connection, 'SR_BASED_ROUTING')
    const algorithms = [
      ['gate_a', await createAlgorithm('gate_a')],
      ['gate_b', await createAlgorithm('gate_b')],
    ]
    const activate = async (number) => {
      const [gateway, id] = algorithms[number % algorithms.length] ?? []
      await client.post('/routing/activate', { headers, body: { created_by: merchantId, routing_algorithm_id: id } })
      return ({ decided_gateway: decided }) => decided === gateway
    }
    const watchersOf = (algorithm) => connections.map((connection) => () => decide(connection, algorithm))
    const outcome = await followChanges(report, watchersOf('SR_BASED_ROUTING'))
    const configuration = await followChanges(activate, watchersOf('PL_BASED_ROUTING'))
    return { outcome, configuration }
  } finally {
    for (const connection of [client, ...connections]) connection.close()
    await server.stop()
  }
}

/** Several decision workers beside one: throughput, the load of their threads, and how soon each sees what happened. */
export const measureWorkers = async ({ workerCount, ...settings }) => ({
  throughput: await measureThroughput(workerCount, settings),
  seeing: await measureSeeing(workerCount),
})
