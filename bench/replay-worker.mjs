// One task of the replay benchmark in a process of its own: `write` the history, `replay` it, or read the same events as JSON.
// Needs the compiled packages (`npx tsc -b`) and --expose-gc.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createPaymentFold } from '@switchyard/routing'
import { replayEvents } from './replay-events.mjs'

const BATCH_RECORD_COUNT = 2_000
/** Batches on their way to the disk at once. */
const BATCH_IN_FLIGHT_MAX = 8
/** Points at which memory is read, as shares of the history. */
const MEMORY_POINTS = [0.25, 0.5, 1]
/** Different texts that the JSON reference reads round and round. */
const REFERENCE_TEXT_COUNT = 2_000
const MEGABYTE = 1024 * 1024

const codec = () => createEventCodec(publishedSchemaIds(), { strict: false })
/** One partition: with more, they would be read one after the other, and memory would tell of merchants instead of events. */
const openLog = (folder) => createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner', partitionCount: 1 })

const recordOf = (event, value, number) => ({
  key: event.data.merchantId,
  value,
  headers: { id: `event-${number}`, type: EVENT_CATALOGUE[event.type].subject, correlation: event.data.requestId },
})

const write = async ({ folder, eventCount }) => {
  const log = openLog(folder)
  const { encode } = codec()
  const inFlight = []
  let batch = []
  let number = 0
  let bytes = 0
  const flush = async () => {
    inFlight.push(log.append('payments', batch))
    batch = []
    if (inFlight.length >= BATCH_IN_FLIGHT_MAX) await inFlight.shift()
  }
  for (const event of replayEvents(eventCount)) {
    const value = encode(event)
    bytes += value.length
    number += 1
    batch.push(recordOf(event, value, number))
    if (batch.length === BATCH_RECORD_COUNT) await flush()
  }
  if (batch.length > 0) await flush()
  await Promise.all(inFlight)
  await log.close()
  return { eventCount: number, bytes }
}

/** Memory that is really in use: what stays after a collection, in megabytes. Buffers are only let go by a second one. */
const liveMegabytes = () => {
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEGABYTE
}

/** Resident memory without mapped files (the log's own pages in the page cache), where the system tells it. */
const privateMegabytes = () => {
  try {
    const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return process.memoryUsage.rss() / MEGABYTE
  }
}

/** Counts events and reads memory at the given points; the time that the reading takes is taken off. */
const createMemoryProbe = (eventCount) => {
  const points = MEMORY_POINTS.map((share) => Math.floor(eventCount * share))
  const readings = []
  let pausedMs = 0
  return {
    readings,
    pausedMs: () => pausedMs,
    passed: (count) => {
      if (points[readings.length] === undefined || count < points[readings.length]) return
      const from = performance.now()
      const [rssMb, privateMb] = [process.memoryUsage.rss() / MEGABYTE, privateMegabytes()]
      readings.push({ eventCount: count, rssMb, privateMb, liveMb: liveMegabytes() })
      pausedMs += performance.now() - from
    },
  }
}

const countedOf = (effects) => {
  let count = 0
  for (const { disposition } of effects) if (disposition === 'counted') count += 1
  return count
}

const replay = async ({ folder, eventCount }) => {
  const log = openLog(folder)
  const { decode } = codec()
  const fold = createPaymentFold()
  const probe = createMemoryProbe(eventCount)
  let count = 0
  let countedOutcomes = 0
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  for await (const records of log.read('payments', new Map())) {
    for (const { value } of records) {
      countedOutcomes += countedOf(fold.apply(decode(value)))
    }
    count += records.length
    probe.passed(count)
  }
  const seconds = (performance.now() - startedAt - probe.pausedMs()) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  await log.close()
  if (count !== eventCount) throw new Error(`${count} of ${eventCount} events came back`)
  if (countedOutcomes !== eventCount / 2) throw new Error(`${countedOutcomes} of ${eventCount / 2} outcomes were counted`)
  const [, half, end] = probe.readings
  return {
    perSecond: count / seconds,
    coreShare: (cpu.user + cpu.system) / 1000 / (performance.now() - startedAt),
    memory: probe.readings,
    liveGrowth: end.liveMb / half.liveMb,
    privateMaxMb: Math.max(...probe.readings.map(({ privateMb }) => privateMb)),
    rssMaxMb: Math.max(...probe.readings.map(({ rssMb }) => rssMb)),
  }
}

const reference = ({ eventCount }) => {
  const texts = [...replayEvents(REFERENCE_TEXT_COUNT)].map((event) => Buffer.from(JSON.stringify(event)))
  let seen = 0
  const startedAt = performance.now()
  for (let index = 0; index < eventCount; index += 1) {
    const event = JSON.parse(texts[index % texts.length].toString())
    if (event.data.merchantId !== '') seen += 1
  }
  return { perSecond: seen / ((performance.now() - startedAt) / 1000) }
}

const TASKS = { write, replay, reference }
const task = JSON.parse(process.argv[2] ?? '{}')
const result = await TASKS[task.name](task)
if (process.send === undefined) process.stdout.write(`${JSON.stringify(result)}\n`)
else process.send(result)
process.disconnect?.()
