import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { cpuSecondsOf, residentBytesOf } from './machine.mjs'
import { quantile, summaryOf } from './statistics.mjs'
import { writeOverdue } from './webhook-overdue.mjs'
import { createBenchMerchant } from './workload.mjs'

const RECEIVERS = fileURLToPath(new URL('./webhook-receivers.mjs', import.meta.url))
const LOAD = fileURLToPath(new URL('./webhook-load.mjs', import.meta.url))
const ADMIN_SECRET = 'bench_admin_secret'
const ENVIRONMENT = {
  SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET,
  SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
}
const SLOW_MS = 10_000
/** Longest wait after the last event, for those that are on their way. */
const SETTLE_MAX_MS = 30_000
const SETTLE_POLL_MS = 100
const MEGABYTE = 1024 * 1024

const inOwnProcess = (file, task) => fork(file, [JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

const messageOf = async (child) => {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`a process of the benchmark ended with code ${code} and without a result`)
      }),
    ])
  } finally {
    ended.abort()
  }
}

const tailOf = (values) => {
  const sorted = [...values].sort((one, other) => one - other)
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), maxMs: sorted.at(-1) ?? Number.NaN, count: sorted.length }
}

const configure = async (url, { merchantId, headers }, receiver) => {
  const response = await fetch(`${url}/merchant-account/${merchantId}/webhook-endpoint`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_url: receiver.url }),
  })
  if (!response.ok) throw new Error(`an endpoint could not be configured: ${response.status} ${await response.text()}`)
  return { merchantId, headers, kind: receiver.kind }
}

/** A merchant with one endpoint for each receiver. */
const configureAll = async (url, receivers) => {
  const client = createHttpClient({ url, connectionCountMax: 1 })
  const endpoints = []
  for (const receiver of receivers) endpoints.push(await configure(url, await createBenchMerchant(client, ADMIN_SECRET), receiver))
  return endpoints
}

/** What the receivers saw, when everything for healthy ones has arrived or nothing comes any more. */
const settled = async (receiving, expected) => {
  const ask = async () => {
    const reported = messageOf(receiving)
    receiving.send('report')
    return await reported
  }
  const deadline = performance.now() + SETTLE_MAX_MS
  for (;;) {
    const report = await ask()
    if (report.latencies.length >= expected || performance.now() > deadline) return report
    await delay(SETTLE_POLL_MS)
  }
}

/** Offers the load to a server, and tells what arrived and what it took. */
const driven = async (server, receiving, { endpoints, perSecond, durationMs }) => {
  const cpuBefore = cpuSecondsOf(server.pid)
  const sending = inOwnProcess(LOAD, { port: Number(new URL(server.url).port), endpoints, perSecond, durationMs })
  try {
    const { counts, firstRefusal, seconds } = await messageOf(sending)
    if (counts.refused > 0) throw new Error(`${counts.refused} events were refused; the first: ${firstRefusal}`)
    const { latencies, counts: seen } = await settled(receiving, counts.healthy)
    const cpuMs = ((cpuSecondsOf(server.pid) - cpuBefore) * 1_000) / counts.accepted
    const lost = counts.healthy - latencies.length
    return { ...tailOf(latencies), ...counts, ...seen, lost, seconds, cpuMs, residentMb: residentBytesOf(server.pid) / MEGABYTE }
  } finally {
    sending.disconnect()
  }
}

/** One run: how long new events took from acceptance to healthy receivers. */
const runOf = async ({ receiverCount, sickCount, overdueCount, ...load }) => {
  const kinds = { healthyCount: receiverCount - 2 * sickCount, slowCount: sickCount, deadCount: sickCount, slowMs: SLOW_MS }
  const receiving = inOwnProcess(RECEIVERS, kinds)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-webhooks-'))
  const environment = { ...ENVIRONMENT, SWITCHYARD_DATA_DIR: folder }
  let server
  try {
    const { receivers } = await messageOf(receiving)
    server = await startStandalone({ environment })
    const endpoints = await configureAll(server.url, receivers)
    if (overdueCount > 0) {
      await server.stop()
      await writeOverdue({ folder, endpoints, overdueCount })
      server = await startStandalone({ environment })
    }
    return await driven(server, receiving, { endpoints, ...load })
  } finally {
    receiving.disconnect()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The whole server: from the acceptance of an event by HTTP to its arrival, with all receivers well, with dead and slow ones among
 * them, and with overdue retries for all of them.
 *
 * @param {{ readonly repeatCount: number, readonly durationMs: number, readonly receiverCount?: number, readonly sickCount?: number,
 *   readonly perSecond?: number, readonly overdueCount?: number }} options
 */
export const measureWebhooks = async ({
  repeatCount,
  durationMs,
  receiverCount = 200,
  sickCount = 10,
  perSecond = 1_000,
  overdueCount = 100_000,
}) => {
  const load = { receiverCount, perSecond, durationMs }
  const runs = []
  for (let turn = 0; turn < repeatCount; turn += 1) {
    const well = await runOf({ ...load, sickCount: 0, overdueCount: 0 })
    const sick = await runOf({ ...load, sickCount, overdueCount: 0 })
    const backlog = await runOf({ ...load, sickCount: 0, overdueCount })
    runs.push({ well, sick, backlog })
  }
  return {
    runs,
    wellP99Ms: summaryOf(runs.map(({ well }) => well.p99Ms)),
    sickP99Ms: summaryOf(runs.map(({ sick }) => sick.p99Ms)),
    tailRatio: summaryOf(runs.map(({ well, sick }) => sick.p99Ms / well.p99Ms)),
    backlogP99Ms: summaryOf(runs.map(({ backlog }) => backlog.p99Ms)),
    cpuMs: summaryOf(runs.map(({ well }) => well.cpuMs)),
    backlogMaxMs: summaryOf(runs.map(({ backlog }) => backlog.maxMs)),
  }
}
