// One task of the benchmark `ingestion` in a process of its own: its processor time and memory are those of the task.
import { createReadStream } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { readInThread } from '@switchyard/cost-ingestion'
import { writeReport } from './ingestion-report.mjs'

const MIB = 1_048_576
const INGESTED_ON = 20_800

/** How often memory is looked at while a task runs. */
const LOOK_MS = 20

const memoryMb = () => process.memoryUsage.rss() / MIB

/** Runs `work`, which says how far it is, and tells what it took. */
const measured = async (rowCount, work) => {
  globalThis.gc()
  const idleMb = memoryMb()
  let halfMb = 0
  let highestMb = 0
  const look = () => {
    highestMb = Math.max(highestMb, memoryMb())
  }
  const advanced = (rows) => {
    look()
    if (rows <= rowCount / 2) halfMb = highestMb
  }
  const looking = setInterval(look, LOOK_MS)
  const startedMs = performance.now()
  const before = process.cpuUsage()
  await work(advanced).finally(() => clearInterval(looking))
  const { user, system } = process.cpuUsage(before)
  const wallSeconds = (performance.now() - startedMs) / 1000
  const cpuSeconds = (user + system) / 1e6
  return {
    perCoreSecond: rowCount / cpuSeconds,
    perSecond: rowCount / wallSeconds,
    memoryMb: highestMb - idleMb,
    growth: highestMb / Math.max(halfMb, idleMb),
  }
}

const read = (path, rowCount) =>
  measured(rowCount, async (advanced) => {
    const request = { path, connector: 'adyen', columns: {}, productByBin: new Map(), ingestedOn: INGESTED_ON }
    const outcome = await readInThread(request, { advanced, chunk: async () => {} }, new AbortController().signal)
    if (outcome.kind !== 'read' || outcome.rowCount !== rowCount) throw new Error(`the report was not read: ${JSON.stringify(outcome)}`)
  })

/** The same bytes, only looked at. */
const reference = (path, rowCount) =>
  measured(rowCount, async () => {
    let lineCount = 0
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, encoding: 'utf8' }))
      lineCount += chunk.split('\n').reduce((count, line) => count + line.split(',').length, 0)
    if (lineCount < rowCount) throw new Error('the report is too short')
  })

const TASKS = {
  write: ({ path, rowCount }) => writeReport(path, rowCount),
  read: ({ path, rowCount }) => read(path, rowCount),
  reference: ({ path, rowCount }) => reference(path, rowCount),
}

const task = JSON.parse(process.argv[2])
process.send(await TASKS[task.name](task))
process.disconnect()
