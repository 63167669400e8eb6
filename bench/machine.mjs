import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** Where the figures come from: what matters for them, and nothing that names the machine. */
export const machineFacts = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  coreCount: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
})

const LOOK_MS = 1_000

const coreTimes = () =>
  cpus().reduce(
    (sum, { times }) => ({ idle: sum.idle + times.idle, all: sum.all + times.user + times.nice + times.sys + times.idle + times.irq }),
    { idle: 0, all: 0 },
  )

/** How many cores are busy, looked at for a second in front of a benchmark: that is what others take from it. */
export const coresBusyNow = async () => {
  const before = coreTimes()
  await delay(LOOK_MS)
  const after = coreTimes()
  return availableParallelism() * (1 - (after.idle - before.idle) / (after.all - before.all))
}

const CLOCK_TICKS_PER_SECOND = 100
const WATCH_MS = 250
const IDLE_CORE_SHARE = 0.05
const SETTLE_MAX_MS = 60_000
/** Where the load of a process can't be read. */
const BLIND_WAIT_MS = 3_000

/**
 * Processor time that a process has taken, all its threads; null where it can't be read.
 *
 * @param {number} pid
 */
export const cpuSecondsOf = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND
  } catch {
    return null
  }
}

/**
 * Memory of a process that is in use by it now; not a number where it can't be read.
 *
 * @param {number} pid
 */
export const residentBytesOf = (pid) => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
  } catch {
    return Number.NaN
  }
}

/**
 * Memory of a process that is its own: without pages of files, which the system takes back when it needs them. Not a number where it
 * can't be read.
 *
 * @param {number} pid
 */
export const anonymousBytesOf = (pid) => {
  try {
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
  } catch {
    return Number.NaN
  }
}

/**
 * Waits until a process has worked off what the last run left behind (projections run after the answer), so that it does not
 * take time from the next run. Gives the milliseconds waited.
 *
 * @param {number} pid
 */
export const untilIdle = async (pid) => {
  const startedAt = performance.now()
  let before = cpuSecondsOf(pid)
  if (before === null) await delay(BLIND_WAIT_MS)
  while (before !== null && performance.now() - startedAt < SETTLE_MAX_MS) {
    const from = performance.now()
    await delay(WATCH_MS)
    const after = cpuSecondsOf(pid)
    if (after === null || (after - before) / ((performance.now() - from) / 1000) < IDLE_CORE_SHARE) break
    before = after
  }
  return performance.now() - startedAt
}
