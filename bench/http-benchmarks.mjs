import { setTimeout as pause } from 'node:timers/promises'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { learnClusters, uploadInvoice } from './learned-merchant.mjs'
import { startLoad } from './load.mjs'
import { untilIdle } from './machine.mjs'
import { alternate } from './measure.mjs'
import { startReference } from './reference.mjs'
import { answerBytesOf, createBenchMerchant, decisionTemplate, outcomeTemplate, setFees, weighingTemplate } from './workload.mjs'

/** Payments decided before anything is measured, with an outcome each, so that windows are not empty. */
const PRIMED_PAYMENT_COUNT = 5_000
const PRIME_CONNECTION_COUNT = 20
/** Decided payments that stand ready for one run of outcomes; a longer run goes round and uses each a few times. */
const POOL_PAYMENT_COUNT_MIN = 20_000
const POOL_PAYMENT_COUNT_MAX = 200_000
const ADMIN_SECRET = 'bench_admin_secret'

/** Everything one benchmark over HTTP needs: a fresh server, its reference, the load. `stop` ends all three. */
const openBench = async (templateOf) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const load = startLoad()
  try {
    const merchant = await createBenchMerchant(client, ADMIN_SECRET)
    const port = Number(new URL(server.url).port)
    const shared = { port, connectionCount: PRIME_CONNECTION_COUNT, numbers: { from: 0, poolCount: null } }
    await load.runCount(PRIMED_PAYMENT_COUNT, { ...shared, request: decisionTemplate(merchant), shouldRemember: true })
    await load.runCount(PRIMED_PAYMENT_COUNT, { ...shared, request: outcomeTemplate(merchant) })
    const template = templateOf(merchant)
    const reference = await startReference(await answerBytesOf(server.url, template))
    const stop = async () => {
      load.stop()
      client.close()
      await reference.stop()
      await server.stop()
    }
    return { server, port, merchant, template, reference, load, stop }
  } catch (error) {
    load.stop()
    await server.stop()
    throw error
  }
}

const referenceSide = ({ reference, load, template }, { connectionCount, durationMs }) => ({
  pid: reference.pid,
  run: () => load.runFor(durationMs, { port: reference.port, connectionCount, request: template, numbers: { from: 0, poolCount: null } }),
})

/** Decisions per second against the whole server, every payment a new one, beside the bare server. */
export const measureDecisions = async ({ connectionCount, durationMs, repeatCount }) => {
  const bench = await openBench(decisionTemplate)
  let nextNumber = PRIMED_PAYMENT_COUNT
  const run = async () => {
    const numbers = { from: nextNumber, poolCount: null }
    const result = await bench.load.runFor(durationMs, { port: bench.port, connectionCount, request: bench.template, numbers })
    nextNumber += result.sentCount
    return result
  }
  try {
    return await alternate({
      repeatCount,
      system: { pid: bench.server.pid, run },
      reference: referenceSide(bench, { connectionCount, durationMs }),
    })
  } finally {
    await bench.stop()
  }
}

/** Decisions that weigh approval against cost, beside those of the same merchant that do not. */
export const measureWeighing = async ({ connectionCount, durationMs, repeatCount }) => {
  const bench = await openBench(decisionTemplate)
  let nextNumber = PRIMED_PAYMENT_COUNT
  const runOf = (request) => async () => {
    const result = await bench.load.runFor(durationMs, {
      port: bench.port,
      connectionCount,
      request,
      numbers: { from: nextNumber, poolCount: null },
    })
    nextNumber += result.sentCount
    return result
  }
  try {
    await setFees(bench.server.url, bench.merchant)
    return await alternate({
      repeatCount,
      system: { pid: bench.server.pid, run: runOf(weighingTemplate(bench.merchant)) },
      reference: { pid: bench.server.pid, run: runOf(bench.template) },
    })
  } finally {
    await bench.stop()
  }
}

/** Decisions that are sent in a second while models are compiled: what is left of two cores has room for both. */
const COMPILING_RATE = 3_000
const COMPILE_EVERY_MS = 1_500

/** Decisions at a steady rate while a model of so many clusters is compiled again and again, beside those without that. */
export const measureWhileCompiling = async ({ clusterCount, connectionCount, durationMs, repeatCount }) => {
  const bench = await openBench(decisionTemplate)
  let nextNumber = PRIMED_PAYMENT_COUNT
  let invoiceCount = 0
  const run = async () => {
    const result = await bench.load.runFor(durationMs, {
      port: bench.port,
      connectionCount,
      perSecondMax: COMPILING_RATE,
      request: bench.template,
      numbers: { from: nextNumber, poolCount: null },
    })
    nextNumber += result.sentCount
    return result
  }
  /** What an invoice adds is compiled into every cluster. */
  const compileAgain = async (signal) => {
    while (!signal.aborted) {
      invoiceCount += 1
      await uploadInvoice(bench.server.url, bench.merchant, invoiceCount)
      await pause(COMPILE_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }
  try {
    await learnClusters(bench.server.url, bench.merchant, clusterCount)
    return await alternate({
      repeatCount,
      system: {
        pid: bench.server.pid,
        run: async () => {
          const ending = new AbortController()
          const compiling = compileAgain(ending.signal)
          const result = await run().finally(() => ending.abort())
          await compiling
          return result
        },
      },
      reference: { pid: bench.server.pid, run },
    })
  } finally {
    await bench.stop()
  }
}

/** Outcomes per second, each answered only when it is durable, for payments decided just before. */
export const measureOutcomes = async ({ connectionCount, durationMs, repeatCount }) => {
  const bench = await openBench(outcomeTemplate)
  const uses = []
  let nextNumber = PRIMED_PAYMENT_COUNT
  let poolCount = POOL_PAYMENT_COUNT_MIN

  const run = async () => {
    const shared = { port: bench.port, connectionCount }
    const decided = {
      ...shared,
      request: decisionTemplate(bench.merchant),
      numbers: { from: nextNumber, poolCount: null },
      shouldRemember: true,
    }
    const { sentCount } = await bench.load.runCount(poolCount, decided)
    await untilIdle(bench.server.pid)
    const result = await bench.load.runFor(durationMs, {
      ...shared,
      request: bench.template,
      numbers: { from: nextNumber, poolCount: sentCount },
    })
    nextNumber += sentCount
    uses.push(result.sentCount / sentCount)
    poolCount = Math.min(POOL_PAYMENT_COUNT_MAX, Math.max(POOL_PAYMENT_COUNT_MIN, result.sentCount))
    return result
  }
  try {
    const figures = await alternate({
      repeatCount,
      system: { pid: bench.server.pid, run },
      reference: referenceSide(bench, { connectionCount, durationMs }),
    })
    return { ...figures, usesPerPaymentMax: Math.max(...uses.slice(1)) }
  } finally {
    await bench.stop()
  }
}
