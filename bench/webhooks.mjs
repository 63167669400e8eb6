import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { quantile, summaryOf } from './statistics.mjs'

const RECEIVERS = fileURLToPath(new URL('./webhook-receivers.mjs', import.meta.url))
const SENDER = fileURLToPath(new URL('./webhook-sender.mjs', import.meta.url))
const SLOW_MS = 10_000
const TIMEOUT_MS = 15_000
/** Longest wait after the last event, for those that are on their way. */
const SETTLE_MS = 5_000

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

/** One run: how long new events took from acceptance to healthy receivers. */
const runOf = async ({ receiverCount, sickCount, overdueCount, perSecond, durationMs }) => {
  const kinds = { healthyCount: receiverCount - 2 * sickCount, slowCount: sickCount, deadCount: sickCount, slowMs: SLOW_MS }
  const receiving = inOwnProcess(RECEIVERS, kinds)
  let sending
  try {
    const { receivers } = await messageOf(receiving)
    const task = { receivers, perSecond, durationMs, overdueCount, settleMs: SETTLE_MS, timeoutMs: TIMEOUT_MS }
    sending = inOwnProcess(SENDER, task)
    const { counts, figures, cpuSeconds } = await messageOf(sending)
    const reported = messageOf(receiving)
    receiving.send('report')
    const { latencies, duplicateCount } = await reported
    const expected = Math.floor((perSecond * durationMs) / 1000 / receiverCount) * kinds.healthyCount
    return { ...tailOf(latencies.new), expected, retries: latencies.retry.length, duplicateCount, counts, figures, cpuSeconds }
  } finally {
    receiving.disconnect()
    sending?.disconnect()
  }
}

/**
 * From the acceptance of an event to its arrival: with all receivers well, with ten dead and ten slow ones among them, and with overdue
 * retries for all of them.
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
    cpuMs: summaryOf(runs.map(({ well }) => (well.cpuSeconds * 1_000) / well.counts.delivered)),
    backlogMaxMs: summaryOf(runs.map(({ backlog }) => backlog.maxMs)),
  }
}
