import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownEnvironment } from '../demo/standalone.mjs'
import { openBench } from './http-bench.mjs'
import { untilIdle } from './machine.mjs'
import { summaryOf } from './statistics.mjs'
import { configureEndpoints, messageOf, startEventLoad, startReceivers, WEBHOOK_ENVIRONMENT } from './webhook-traffic.mjs'
import { decisionTemplate, outcomeTemplate } from './workload.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What `npm run switchyard` runs, without npm. */
const [, ...OPERATOR] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.switchyard.split(' ')
const CONNECTION_COUNT = 20
/** Requests a second, four decisions and then an outcome: the same with and without everything else, so that tails can be compared. */
const PER_SECOND = 2_000
const OUTCOME_EVERY = 5
const WEBHOOKS_PER_SECOND = 100
const RECEIVERS = { healthyCount: 10, slowCount: 0, deadCount: 0, slowMs: 0 }
/** Share of the time that is measured with nothing else, before and again behind it. */
const QUIET_SHARE = 0.25
/** Share of it for which all of it runs before, to warm up. */
const WARMING_SHARE = 0.5

/** Rebuilds the read models of payments again and again until it is stopped; tells how often it came to its end. */
const startRebuilding = (folder) => {
  let isOver = false
  let rebuiltCount = 0
  let child
  const rebuild = async () => {
    while (!isOver) {
      child = spawn(process.execPath, [...OPERATOR, 'rebuild', 'payments', '--anew'], {
        cwd: ROOT,
        env: { ...ownEnvironment(), SWITCHYARD_DATA_DIR: folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let remarks = ''
      child.stderr.on('data', (chunk) => {
        remarks = `${remarks}${chunk}`.slice(-2_000)
      })
      const [code] = await once(child, 'exit')
      if (!isOver && code !== 0) throw new Error(`a rebuild ended with code ${code}: ${remarks}`)
      if (code === 0) rebuiltCount += 1
    }
  }
  const ended = rebuild()
  // Told when it is stopped; until then nobody waits for it.
  ended.catch(() => {})
  const stop = async () => {
    isOver = true
    child.kill('SIGTERM')
    await ended
    return rebuiltCount
  }
  return { stop }
}

/** Events for receivers while something else runs; what was refused or lost is an error. */
const withWebhooks = async ({ port, endpoints, durationMs }, run) => {
  const sending = startEventLoad({ port, endpoints, perSecond: WEBHOOKS_PER_SECOND, durationMs })
  try {
    const [{ counts, firstRefusal }, result] = await Promise.all([messageOf(sending), run()])
    if (counts.refused > 0) throw new Error(`${counts.refused} webhook events were refused; the first: ${firstRefusal}`)
    return { ...result, webhookCount: counts.accepted }
  } finally {
    sending.disconnect()
  }
}

const loadOf = (bench, durationMs) =>
  bench.runFresh((run) => bench.load.runFor(durationMs, run), {
    connectionCount: CONNECTION_COUNT,
    perSecondMax: PER_SECOND,
    request: bench.template,
    shouldRemember: true,
    followUp: { request: outcomeTemplate(bench.merchant), every: OUTCOME_EVERY },
  })

/** The load beside everything else that a process may have to do. */
const beside = async (bench, { folder, endpoints, mixedMs }) => {
  const rebuilding = startRebuilding(folder)
  let rebuiltCount = 0
  let result
  try {
    result = await withWebhooks({ port: bench.port, endpoints, durationMs: mixedMs }, () => loadOf(bench, mixedMs))
  } finally {
    rebuiltCount = await rebuilding.stop()
  }
  await untilIdle(bench.server.pid)
  return { ...result, rebuiltCount }
}

const quiet = async (bench, mixedMs) => {
  const result = await loadOf(bench, mixedMs * QUIET_SHARE)
  await untilIdle(bench.server.pid)
  return result
}

const measureIn = async (folder, receivers, { mixedMs, ...sizes }) => {
  const environment = { ...WEBHOOK_ENVIRONMENT, SWITCHYARD_DATA_DIR: folder }
  const bench = await openBench({ ...sizes, templateOf: decisionTemplate, environment })
  try {
    const endpoints = await configureEndpoints(bench.server.url, receivers)
    // All of it: else the first half of what is measured would be compiling.
    await beside(bench, { folder, endpoints, mixedMs: mixedMs * WARMING_SHARE })
    const before = await quiet(bench, mixedMs)
    const mixed = await beside(bench, { folder, endpoints, mixedMs })
    const after = await quiet(bench, mixedMs)
    return {
      mixed,
      quiet: [before, after],
      tailRatio: summaryOf([before, after].map(({ p99Ms }) => mixed.p99Ms / p99Ms)),
      quietP99Ms: summaryOf([before, after].map(({ p99Ms }) => p99Ms)),
    }
  } finally {
    await bench.stop()
  }
}

/**
 * Decisions and outcomes, four to one, at a given rate while projectors run, the read models of payments are rebuilt and webhooks go
 * out; beside the same load while nothing else runs. Any error breaks it off.
 *
 * @param {{ readonly mixedMs: number, readonly primedPaymentCount: number }} sizes
 */
export const measureMixed = async (sizes) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-mixed-'))
  const receiving = startReceivers(RECEIVERS)
  try {
    const { receivers } = await messageOf(receiving)
    return await measureIn(folder, receivers, sizes)
  } finally {
    receiving.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}
