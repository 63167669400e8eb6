import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { startLoad } from './load.mjs'
import { ratesAside } from './load-aside.mjs'
import { untilIdle } from './machine.mjs'
import { alternate } from './measure.mjs'
import { quantile, summaryOf } from './statistics.mjs'
import { createBenchMerchant, decisionTemplate, outcomeTemplate } from './workload.mjs'

const ADMIN_SECRET = 'bench_admin_secret'
const CONNECTION_COUNT = 50
/** Shorter turns, and as many more. */
const ASIDE_TURNS = 3
/** Of payments, beyond all others; each turn has numbers of its own. */
const ASIDE_NUMBERS_FROM = 1_000_000_000
const ASIDE_NUMBERS_PER_TURN = 10_000_000
/** Kept connections that are asked: neighbours are answered by different threads. */
const WATCHING_COUNT = 2
const SEEN_MAX_MS = 5_000

const startWith = async (workers) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET, SWITCHYARD_WORKERS: String(workers) } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const merchant = await createBenchMerchant(client, ADMIN_SECRET)
  return { server, client, merchant, port: Number(new URL(server.url).port) }
}

/** Decisions per second of each side, of one or more servers, while the load stands aside; the first turn warms up. */
const measureAside = async (sides, { durationMs, repeatCount }) => {
  const turns = []
  for (let turn = 0; turn <= repeatCount * ASIDE_TURNS; turn += 1) {
    const from = ASIDE_NUMBERS_FROM + turn * ASIDE_NUMBERS_PER_TURN
    const loads = sides.map((side) => ({
      from,
      servers: side.map(({ server, port, merchant }) => ({ port, pid: server.pid, request: decisionTemplate(merchant) })),
    }))
    turns.push(await ratesAside(loads, durationMs / ASIDE_TURNS))
    await Promise.all(sides.flat().map(({ server }) => untilIdle(server.pid)))
  }
  const measured = turns.slice(1)
  const [many, one, apart] = sides.map((_, index) => summaryOf(measured.map((rates) => rates[index])))
  return {
    many,
    one,
    apart,
    ratio: summaryOf(measured.map(([ofMany, ofOne]) => ofMany / ofOne)),
    apartRatio: summaryOf(measured.map(([, ofOne, ofApart]) => ofApart / ofOne)),
    againstApart: summaryOf(measured.map(([ofMany, , ofApart]) => ofMany / ofApart)),
  }
}

/**
 * Decisions per second with several workers, beside a server with one, and beside as many servers with one each: those know nothing of each
 * other, what they do together is what the cores give.
 */
const measureThroughput = async (workers, { durationMs, warmingCount, repeatCount, primedPaymentCount }) => {
  const workersOfEach = [workers, 1, ...Array.from({ length: workers }, () => 1)]
  const all = await Promise.all(workersOfEach.map(startWith))
  const [many, one, ...apart] = all
  const load = startLoad()
  const sideOf = ({ server, port, merchant }) => {
    let nextNumber = primedPaymentCount
    return {
      pid: server.pid,
      run: async () => {
        const result = await load.runFor(durationMs, {
          port,
          connectionCount: CONNECTION_COUNT,
          request: decisionTemplate(merchant),
          numbers: { from: nextNumber, poolCount: null },
        })
        nextNumber += result.sentCount
        return result
      },
    }
  }
  try {
    for (const { port, merchant } of all) {
      const primed = { port, connectionCount: CONNECTION_COUNT, numbers: { from: 0, poolCount: null } }
      await load.runCount(primedPaymentCount, { ...primed, request: decisionTemplate(merchant), shouldRemember: true })
      await load.runCount(primedPaymentCount, { ...primed, request: outcomeTemplate(merchant) })
    }
    const beside = await alternate({ repeatCount, warmingCount, system: sideOf(many), reference: sideOf(one) })
    return { ...beside, aside: await measureAside([[many], [one], apart], { durationMs, repeatCount }) }
  } finally {
    load.stop()
    for (const { client, server } of all) {
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
const followChanges = async (changeCount, change, watchers) => {
  const latestMs = []
  for (let number = 0; number < changeCount; number += 1) {
    const shows = await change(number)
    const since = performance.now()
    const seenMs = await Promise.all(watchers.map((ask) => untilSeen(since, ask, shows)))
    latestMs.push(Math.max(...seenMs))
  }
  latestMs.sort((one, other) => one - other)
  return { p50Ms: quantile(latestMs, 0.5), p99Ms: quantile(latestMs, 0.99) }
}

/** Time until every worker shows an outcome, and a change of the configuration, on a server that is otherwise idle. */
const measureSeeing = async (workers, { changeCount }) => {
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
    const config = { type: 'successRate', data: { defaultBucketSize: 2 * changeCount, defaultHedgingPercent: 0 } }
    await client.post('/rule/create', { headers, body: { merchant_id: merchantId, config } })
    for (const connection of connections) await decide(connection, 'SR_BASED_ROUTING')
    const algorithms = [
      ['gate_a', await createAlgorithm('gate_a')],
      ['gate_b', await createAlgorithm('gate_b')],
    ]
    const activate = async (number) => {
      const [gateway, id] = algorithms[number % algorithms.length] ?? []
      // Answered without a body.
      const response = await fetch(new URL('/routing/activate', server.url), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ created_by: merchantId, routing_algorithm_id: id }),
      })
      if (response.status !== 200) throw new Error(`the activation was answered ${response.status}`)
      return ({ decided_gateway: decided }) => decided === gateway
    }
    const watchersOf = (algorithm) => connections.map((connection) => () => decide(connection, algorithm))
    const outcome = await followChanges(changeCount, report, watchersOf('SR_BASED_ROUTING'))
    const configuration = await followChanges(changeCount, activate, watchersOf('PL_BASED_ROUTING'))
    return { outcome, configuration }
  } finally {
    for (const connection of [client, ...connections]) connection.close()
    await server.stop()
  }
}

/** Several decision workers beside one: how soon each sees what happened, and throughput. Full load last: the disk is busy for a while behind it. */
export const measureWorkers = async ({ workerCount, ...settings }) => {
  const seeing = await measureSeeing(workerCount, settings)
  return { throughput: await measureThroughput(workerCount, settings), seeing }
}
