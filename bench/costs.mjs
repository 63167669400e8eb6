import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { domainCollections } from '@switchyard/composition'
import { createCostTable, LearnedIndex } from '@switchyard/costs'
import { createCostFollower } from '@switchyard/decide'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { compileFits, gatewayNames, sampleFitEvents, sampleFits, samplePayments } from './cost-model.mjs'
import { DECISION_KINDS } from './decision-kinds.mjs'
import { measureKind } from './http-benchmarks.mjs'
import { median, summaryOf } from './statistics.mjs'
import { measureWhileCompiling } from './while-compiling.mjs'

const SERVED_CLUSTER_COUNT = 20_000
const GATEWAY_COUNT = 10
/** Lookups that are timed together: one alone is shorter than the clock's steps. */
const BATCH = 100
const BATCHES_PER_RUN = 200
const NS_PER_US = 1_000
const NS_PER_MS = 1_000_000
const US_PER_MS = 1_000
const MERCHANT = 'bench_costs'
const STALL_POLL_MS = 20
/** The slowest hundredth differs more from turn to turn than anything else that is measured here. */
const TURNS_PER_REPEAT = 2
/** As many as a fit appends together. */
const APPENDED_TOGETHER = 10

const NOTHING_SET = { clusterOverrides: [], connectorOverrides: new Map(), contractRates: [] }

const assertPriced = (cost) => {
  if (cost === undefined) throw new Error('every payment has a cost')
}

/** Median time of one lookup, a payment's cost on one of ten gateways, in microseconds. */
const lookupUs = (table, payments, gateways) => {
  const samples = []
  let next = 0
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    const startedNs = process.hrtime.bigint()
    for (let turn = 0; turn < BATCH / GATEWAY_COUNT; turn += 1) {
      const costs = table.price(payments[next++ % payments.length])
      for (const gateway of gateways) assertPriced(costs.costOn(gateway))
    }
    samples.push(Number(process.hrtime.bigint() - startedNs) / BATCH / NS_PER_US)
  }
  return median(samples)
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / US_PER_MS
}

/** Processor time of the whole process: helpers of the engine that clear memory away and compile code count, too. */
const compileMs = (fits) => {
  const before = cpuMs()
  compileFits(fits)
  return cpuMs() - before
}

/**
 * How long a fit of many clusters takes from its first event to the new table, and the longest stall of this thread meanwhile. The
 * events are bytes already: another thread writes them.
 */
const swap = async (fitCount, clusterCount, { follower, log, codec }) => {
  const records = sampleFitEvents(clusterCount, { merchantId: MERCHANT, connector: 'gate_a', fitCount }).map((event, slot) => ({
    key: MERCHANT,
    value: codec.encode(event),
    headers: { id: `${fitCount}_${slot}`, type: EVENT_CATALOGUE[event.type].subject },
  }))
  const before = follower.modelOf(MERCHANT)
  globalThis.gc?.()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const startedNs = process.hrtime.bigint()
  const cpuBefore = cpuMs()
  for (let from = 0; from < records.length; from += APPENDED_TOGETHER)
    await log.append('costs', records.slice(from, from + APPENDED_TOGETHER))
  while (follower.modelOf(MERCHANT) === before) await pause(STALL_POLL_MS)
  const swapMs = Number(process.hrtime.bigint() - startedNs) / NS_PER_MS
  delays.disable()
  return { swapMs, swapCpuMs: cpuMs() - cpuBefore, stallMs: delays.max / NS_PER_MS }
}

const measureSwaps = async ({ repeatCount, clusterCount }) => {
  const schemaIds = publishedSchemaIds()
  const codec = createEventCodec(schemaIds, { strict: false })
  const log = createMemoryLog()
  const store = createMemoryStore({ collections: domainCollections })
  const fail = (error) => {
    throw error
  }
  const states = { stateOf: ({ initialState }) => initialState, onChange: () => {} }
  const follower = createCostFollower({ log, store, schemaIds, states, onFailure: fail })
  await follower.part.start()
  const runs = []
  for (let turn = 0; turn <= repeatCount; turn += 1) {
    const run = await swap(turn + 1, clusterCount, { follower, log, codec })
    if (turn > 0) runs.push(run)
  }
  await follower.part.stop()
  await log.close()
  const summary = (name) => summaryOf(runs.map((run) => run[name]))
  return { swapMs: summary('swapMs'), swapCpuMs: summary('swapCpuMs'), stallMs: summary('stallMs') }
}

/** Lookups, compiling, handing over, what decisions notice of it, and what weighing costs a decision over HTTP. */
export const measureCosts = async (sizes) => {
  const { repeatCount, clusterCount } = sizes
  const servedCount = Math.min(SERVED_CLUSTER_COUNT, clusterCount)
  const large = sampleFits(clusterCount, GATEWAY_COUNT)
  const compiled = Array.from({ length: repeatCount + 1 }, () => compileMs(large)).slice(1)
  const table = createCostTable(new LearnedIndex(compileFits(sampleFits(servedCount, GATEWAY_COUNT))), NOTHING_SET)
  const payments = samplePayments(1_000, servedCount / GATEWAY_COUNT)
  const gateways = gatewayNames(GATEWAY_COUNT)
  lookupUs(table, payments, gateways)
  const lookups = Array.from({ length: repeatCount }, () => lookupUs(table, payments, gateways))
  const http = { ...sizes, connectionCount: 20 }
  return {
    lookupUs: summaryOf(lookups),
    compileMs: summaryOf(compiled),
    ...(await measureSwaps(sizes)),
    weighing: await measureKind(DECISION_KINDS.weighing, http),
    compiling: await measureWhileCompiling({ ...http, repeatCount: TURNS_PER_REPEAT * repeatCount }),
  }
}
