// One task of the growth curves in a process of its own: `write` the population of a point into a data folder, or `measure` what a process
// that decides is like with it. Needs --expose-gc.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { domainCollections } from '@switchyard/composition'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createMemoryLog } from '@switchyard/log-memory'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { writeHistory } from '../history.mjs'
import { liveBytes } from '../live-memory.mjs'
import { logFolderOf, storeFolderOf, storeSnapshots } from '../snapshots.mjs'
import { median } from '../statistics.mjs'
import { runTask } from '../worker-task.mjs'
import { createDecider } from './decider.mjs'
import { apiKeyOf, configEvents, gatewayNames, merchantName, methodName, paymentEvents } from './population.mjs'

/** Decisions that are timed together: one alone is shorter than the clock's steps. */
const BATCH = 50
/** Those before them. */
const WARMING_BATCH = 1_000
const MEGABYTE = 1024 * 1024
/** Steps through merchants and dimensions, so that neighbours in time are none in memory. */
const STRIDE = 7_919
const RECORDING_POLL_MS = 1

const write = async ({ folder, population }) => {
  const log = createEmbeddedLog({ folder: logFolderOf(folder), role: 'owner' })
  await writeHistory(log, 'config', configEvents(population))
  const { eventCount } = await writeHistory(log, 'payments', paymentEvents(population))
  await log.close()
  await storeSnapshots(folder)
  return { eventCount }
}

const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const requestOf = (number, { merchants, gateways, dimensions }) => {
  const merchant = (number * STRIDE) % merchants
  return {
    headers: { 'x-api-key': apiKeyOf(merchant) },
    body: {
      merchantId: merchantName(merchant),
      eligibleGatewayList: gatewayNames(gateways),
      rankingAlgorithm: 'SR_BASED_ROUTING',
      eliminationEnabled: true,
      paymentInfo: {
        paymentId: `new_${number}`,
        amount: 49.9,
        currency: 'EUR',
        country: 'DE',
        paymentType: 'ORDER_PAYMENT',
        paymentMethodType: 'CARD',
        paymentMethod: methodName((number * STRIDE) % dimensions),
        cardSwitchProvider: 'VISA',
        cardIsin: '411111',
      },
    },
  }
}

/** Processor time of this process, microseconds: unlike the clock it does not tell what others do on the machine. */
const cpuUs = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Median processor time of a decision, microseconds; their events are recorded between the batches. */
const decisionUs = async (decider, { population, warmingCount, batchCount }) => {
  let number = 0
  const timed = async (count) => {
    const requests = Array.from({ length: count }, () => requestOf(number++, population))
    const before = cpuUs()
    for (const request of requests) decider.decide(request)
    const us = (cpuUs() - before) / count
    while (!decider.isRecorded()) await delay(RECORDING_POLL_MS)
    return us
  }
  while (number < warmingCount) await timed(Math.min(WARMING_BATCH, warmingCount - number))
  const samples = []
  while (samples.length < batchCount) samples.push(await timed(BATCH))
  return median(samples)
}

const measure = async ({ folder, ...decisions }) => {
  const log = createEmbeddedLog({ folder: logFolderOf(folder), role: 'owner' })
  const store = createEmbeddedStore({ folder: storeFolderOf(folder), collections: domainCollections, role: 'reader' })
  const recordsInto = createMemoryLog()
  const decider = createDecider({ log, store, recordsInto })
  const bytesBefore = liveBytes()
  const cpuBefore = cpuUs()
  await decider.start()
  const startMs = (cpuUs() - cpuBefore) / 1_000
  const memoryMb = (liveBytes() - bytesBefore) / MEGABYTE
  const us = await decisionUs(decider, decisions)
  await decider.stop()
  await recordsInto.close()
  await store.close()
  await log.close()
  return { decisionUs: us, memoryMb, startMs, storedMb: sizeOf(storeFolderOf(folder)) / MEGABYTE }
}

await runTask({ write, measure })
