// One task of the replay benchmark in a process of its own: `write` the history, `replay` it, or read the same events as JSON.
// Needs the compiled packages (`npx tsc -b`) and --expose-gc.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { openKafkaLog } from '@switchyard/log-kafka'
import { createPaymentFold } from '@switchyard/routing'
import { codec, writeHistory } from './history.mjs'
import { liveBytes } from './live-memory.mjs'
import { replayEvents } from './replay-events.mjs'
import { runTask } from './worker-task.mjs'

/** Points at which memory is read, as shares of the history. */
const MEMORY_POINTS = [0.25, 0.5, 1]
/** Different texts that the JSON reference reads round and round. */
const REFERENCE_TEXT_COUNT = 2_000
const MEGABYTE = 1024 * 1024

const KAFKA_PARTITION_COUNT = 12

/** One partition embedded: with more, they would be read one after the other, and memory would tell of merchants instead of events. */
const openLog = async ({ folder, broker, topicPrefix }) =>
  broker === undefined
    ? createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner', partitionCount: 1 })
    : await openKafkaLog({
        brokers: [broker],
        clientId: 'switchyard-bench',
        topicPrefix,
        partitionCount: KAFKA_PARTITION_COUNT,
        replicationFactor: 1,
      })

const write = async (task) => {
  const log = await openLog(task)
  const written = await writeHistory(log, 'payments', replayEvents(task.eventCount))
  await log.close()
  return written
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
      const from = performance.now()
      while (count >= points[readings.length]) {
        const [rssMb, privateMb] = [process.memoryUsage.rss() / MEGABYTE, privateMegabytes()]
        readings.push({ eventCount: count, rssMb, privateMb, liveMb: liveBytes() / MEGABYTE })
      }
      pausedMs += performance.now() - from
    },
  }
}

const countedOf = (effects) => {
  let count = 0
  for (const { disposition } of effects) if (disposition === 'counted') count += 1
  return count
}

const replay = async (task) => {
  const { eventCount } = task
  const log = await openLog(task)
  const { decodePart } = codec
  const fold = createPaymentFold()
  const probe = createMemoryProbe(eventCount)
  let count = 0
  let countedOutcomes = 0
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  for await (const records of log.read('payments', new Map())) {
    for (const { value } of records) {
      countedOutcomes += countedOf(fold.apply(decodePart(value)))
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

await runTask({ write, replay, reference })
