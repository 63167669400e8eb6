// One task of the benchmark of projectors in a process of its own: `write` a history, `project` it, or follow `live` load.
import { setTimeout as delay } from 'node:timers/promises'
import { configProjections, costProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import { isOperatingError } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold } from '@switchyard/routing'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createMongoStore } from '@switchyard/store-mongo'
import { codec, recordOf, writeHistory } from './history.mjs'
import { replayEvents } from './replay-events.mjs'
import { logFolderOf, storeFolderOf } from './snapshots.mjs'
import { quantile } from './statistics.mjs'
import { runTask } from './worker-task.mjs'

/** Events of a live load that are appended together: what some milliseconds bring. */
const TICK_MS = 10
const PROBE_PAUSE_MS = 20
/** A busy platform's: half of the events of a second are decisions. */
const HISTORY = { startAt: Date.UTC(2026, 0, 1), paymentIntervalMs: 10 }
/** The lag that is told when it is at least this long: the wait of a reader ends there, milliseconds. */
const LAG_MAX_MS = 5_000

const openLog = (folder) => createEmbeddedLog({ folder: logFolderOf(folder), role: 'owner' })

const write = async ({ folder, eventCount, merchantCount }) => {
  const log = openLog(folder)
  const written = await writeHistory(log, 'payments', replayEvents(eventCount, HISTORY, merchantCount))
  await log.close()
  return written
}

const openStore = ({ folder, mongodbUri }) =>
  mongodbUri === undefined
    ? createEmbeddedStore({ folder: storeFolderOf(folder), collections: domainCollections, role: 'writer' })
    : createMongoStore({ uri: mongodbUri, collections: domainCollections, role: 'writer' })

/** Runs a projector of everything over a log, as a process of its own does. */
const withProjector = async (task, run) => {
  const log = openLog(task.folder)
  const store = openStore(task)
  const projector = createProjectorService({
    log,
    store,
    codec,
    now: Date.now,
    configSlices: domainSlices,
    configProjections,
    createPaymentFold,
    paymentProjections,
    costProjections,
    onFailure: (error) => {
      throw error
    },
  })
  try {
    return await run(projector, log)
  } finally {
    await projector.stop()
    await store.close()
    await log.close()
  }
}

const project = async (task) =>
  await withProjector(task, async (projector) => {
    const startedAt = performance.now()
    const cpuBefore = process.cpuUsage()
    await projector.start()
    await projector.caughtUp()
    const seconds = (performance.now() - startedAt) / 1_000
    const { user, system } = process.cpuUsage(cpuBefore)
    return { perSecond: task.eventCount / seconds, cpuUs: (user + system) / task.eventCount }
  })

/** Appends so many events a second until the time is over; `newest` is the position of the last one. */
const startAppending = (log, { perSecond, liveMs }) => {
  const startedAt = performance.now()
  const count = Math.floor((perSecond * liveMs) / 1_000)
  const events = replayEvents(count, { startAt: Date.now(), paymentIntervalMs: 2_000 / perSecond })
  let sentCount = 0
  let newest
  const append = async () => {
    while (sentCount < count) {
      const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
      const records = []
      for (; sentCount < due; sentCount += 1) records.push(recordOf(events.next().value, sentCount))
      if (records.length > 0) newest = (await log.append('payments', records)).at(-1)
      await delay(TICK_MS)
    }
  }
  return { ended: append(), newest: () => newest }
}

/** Milliseconds until the documents include what was appended last. */
const lagOf = async (projector, position) => {
  const startedAt = performance.now()
  try {
    await projector.projectedUpTo('payments', position)
  } catch (error) {
    if (!isOperatingError(error, 'POSITION_NOT_REACHED')) throw error
    return LAG_MAX_MS
  }
  return performance.now() - startedAt
}

const live = async (task) =>
  await withProjector(task, async (projector, log) => {
    await projector.start()
    await projector.caughtUp()
    const { ended, newest } = startAppending(log, task)
    const lags = []
    let isOver = false
    const probe = async () => {
      while (!isOver) {
        const position = newest()
        if (position !== undefined) lags.push(await lagOf(projector, position))
        await delay(PROBE_PAUSE_MS)
      }
    }
    const probed = probe()
    await ended
    isOver = true
    await probed
    const sorted = lags.sort((one, other) => one - other)
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), sampleCount: sorted.length }
  })

await runTask({ write, project, live })
