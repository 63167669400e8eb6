import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
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
/**
 * Requests a second, four decisions and then an outcome: the same with and without everything else, so that tails can be compared. As many as
 * read models have to keep up with (`projector`).
 */
const PER_SECOND = 5_000
/** Told beside it: so few that a quiet machine has next to no tail. */
const FEW_PER_SECOND = 2_000
const OUTCOME_EVERY = 5
const WEBHOOKS_PER_SECOND = 100
const RECEIVERS = { healthyCount: 10, slowCount: 0, deadCount: 0, slowMs: 0 }
/** Share of a turn for each of what is told beside it. */
const TOLD_SHARE = 0.5
/** Share of the whole time for which all of it runs before, to warm up. */
const WARMING_SHARE = 0.5
const LOWEST_PRIORITY = 19

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

const loadOf = (bench, durationMs, perSecond = PER_SECOND) =>
  bench.runFresh((run) => bench.load.runFor(durationMs, run), {
    connectionCount: CONNECTION_COUNT,
    perSecondMax: perSecond,
    request: bench.template,
    shouldRemember: true,
    followUp: { request: outcomeTemplate(bench.merchant), every: OUTCOME_EVERY },
  })

/** The load beside everything else that a process may have to do. */
const beside = async (bench, { folder, endpoints, mixedMs, perSecond }) => {
  const rebuilding = startRebuilding(folder)
  let rebuiltCount = 0
  let result
  try {
    result = await withWebhooks({ port: bench.port, endpoints, durationMs: mixedMs }, () => loadOf(bench, mixedMs, perSecond))
  } finally {
    rebuiltCount = await rebuilding.stop()
  }
  await untilIdle(bench.server.pid)
  return { ...result, rebuiltCount }
}

const loadThenIdle = async (bench, durationMs, perSecond) => {
  const result = await loadOf(bench, durationMs, perSecond)
  await untilIdle(bench.server.pid)
  return result
}

/** The load beside a thread that touches no memory and no disk, and has the lowest priority: what the machine itself takes for a core that is not free. */
const besideCounting = async (bench, durationMs) => {
  const counting = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  setPriority(counting.pid, LOWEST_PRIORITY)
  try {
    return await loadThenIdle(bench, durationMs)
  } finally {
    counting.kill('SIGKILL')
  }
}

const measureIn = async (folder, receivers, { mixedMs, mixedTurnCount, ...sizes }) => {
  const environment = { ...WEBHOOK_ENVIRONMENT, SWITCHYARD_DATA_DIR: folder }
  const bench = await openBench({ ...sizes, templateOf: decisionTemplate, environment })
  const turnMs = mixedMs / mixedTurnCount
  const toldMs = turnMs * TOLD_SHARE
  try {
    const endpoints = await configureEndpoints(bench.server.url, receivers)
    // All of it: else the first half of what is measured would be compiling.
    await beside(bench, { folder, endpoints, mixedMs: mixedMs * WARMING_SHARE })
    const turns = []
    for (let turn = 0; turn < mixedTurnCount; turn++) {
      turns.push({
        alone: await loadThenIdle(bench, turnMs),
        mixed: await beside(bench, { folder, endpoints, mixedMs: turnMs }),
        counting: await besideCounting(bench, toldMs),
        fewAlone: await loadThenIdle(bench, toldMs, FEW_PER_SECOND),
        fewMixed: await beside(bench, { folder, endpoints, mixedMs: toldMs, perSecond: FEW_PER_SECOND }),
      })
    }
    const over = (valueOf) => summaryOf(turns.map(valueOf))
    return {
      tailRatio: over(({ mixed, alone }) => mixed.p99Ms / alone.p99Ms),
      p99Ms: over(({ mixed }) => mixed.p99Ms),
      quietP99Ms: over(({ alone }) => alone.p99Ms),
      countingP99Ms: over(({ counting }) => counting.p99Ms),
      fewTailRatio: over(({ fewMixed, fewAlone }) => fewMixed.p99Ms / fewAlone.p99Ms),
      fewP99Ms: over(({ fewMixed }) => fewMixed.p99Ms),
      fewQuietP99Ms: over(({ fewAlone }) => fewAlone.p99Ms),
      outcomeP99Ms: over(({ mixed }) => mixed.followUp.p99Ms),
      perSecond: over(({ mixed }) => mixed.perSecond),
      outcomesPerSecond: over(({ mixed }) => mixed.followUp.perSecond),
      webhooksPerSecond: over(({ mixed }) => mixed.webhookCount / mixed.seconds),
      rebuiltCount: turns.reduce((sum, { mixed, fewMixed }) => sum + mixed.rebuiltCount + fewMixed.rebuiltCount, 0),
    }
  } finally {
    await bench.stop()
  }
}

/**
 * Decisions and outcomes, four to one, at a given rate while projectors run, the read models of payments are rebuilt and webhooks go
 * out; beside the same load while nothing else runs, in turns. Any error breaks it off.
 *
 * @param {{ readonly mixedMs: number, readonly mixedTurnCount: number, readonly primedPaymentCount: number }} sizes
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
