import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startStandalone } from '../demo/standalone.mjs'
import { cpuSecondsOf, residentBytesOf } from './machine.mjs'
import { quantile, summaryOf } from './statistics.mjs'
import { writeOverdue } from './webhook-overdue.mjs'
import { configureEndpoints, messageOf, startEventLoad, startReceivers, WEBHOOK_ENVIRONMENT } from './webhook-traffic.mjs'

const SLOW_MS = 10_000
/** Longest wait after the last event, for those that are on their way. */
const SETTLE_MAX_MS = 30_000
const SETTLE_POLL_MS = 100
const MEGABYTE = 1024 * 1024

const tailOf = (values) => {
  const sorted = [...values].sort((one, other) => one - other)
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), maxMs: sorted.at(-1) ?? Number.NaN, count: sorted.length }
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
  const sending = startEventLoad({ port: Number(new URL(server.url).port), endpoints, perSecond, durationMs })
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
  const receiving = startReceivers(kinds)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-webhooks-'))
  const environment = { ...WEBHOOK_ENVIRONMENT, SWITCHYARD_DATA_DIR: folder }
  let server
  try {
    const { receivers } = await messageOf(receiving)
    server = await startStandalone({ environment })
    const endpoints = await configureEndpoints(server.url, receivers)
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
 * @param {{ readonly repeatCount: number, readonly durationMs: number, readonly receiverCount: number, readonly sickCount: number,
 *   readonly perSecond: number, readonly overdueCount: number }} options
 */
export const measureWebhooks = async ({ repeatCount, durationMs, receiverCount, sickCount, perSecond, overdueCount }) => {
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
