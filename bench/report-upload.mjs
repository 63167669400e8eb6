import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { ADMIN_SECRET } from './http-bench.mjs'
import { reportOf } from './ingestion-report.mjs'
import { anonymousBytesOf, untilIdle } from './machine.mjs'
import { summaryOf } from './statistics.mjs'
import { createBenchMerchant } from './workload.mjs'

const MIB = 1_048_576
const ACCOUNT = 'Bench'
/** How often the server's memory is looked at, and how often it is asked how far it is. */
const LOOK_MS = 100
const ASK_MS = 500
/** How far the reading may be ahead of what is told of it. */
const TOLD_ROW_COUNT = 50_000

/** Sends a report that is made while it is sent; gives its id and how many bytes it had. */
const upload = async (url, { merchantId, headers }, rowCount) => {
  const path = `/merchant-account/${merchantId}/connectors/adyen/report?account=${ACCOUNT}`
  const sent = request(new URL(path, url), { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' } })
  const answering = once(sent, 'response')
  let byteCount = 0
  for (const piece of reportOf(rowCount)) {
    byteCount += piece.length
    if (!sent.write(piece)) await Promise.race([once(sent, 'drain'), answering])
  }
  sent.end()
  const [response] = await answering
  const answer = Buffer.concat(await response.toArray()).toString()
  if (response.statusCode !== 202) throw new Error(`the report was answered ${response.statusCode}: ${answer}`)
  return { id: JSON.parse(answer).id, byteCount }
}

/** Looks at the memory of a process, beyond what it had at first, until told to end: the highest of each phase. */
const watchMemory = (pid) => {
  const idleBytes = anonymousBytesOf(pid)
  const highestMb = {}
  let phase = ''
  const look = () => {
    highestMb[phase] = Math.max(highestMb[phase] ?? 0, (anonymousBytesOf(pid) - idleBytes) / MIB)
  }
  const looking = setInterval(look, LOOK_MS)
  return {
    highestMb,
    enter: (next) => {
      phase = next
      look()
    },
    end: () => clearInterval(looking),
  }
}

/** Behind its last rows, what was found is recorded and learned from. */
const phaseOf = ({ staged_rows, period_start }, rowCount) => {
  if (period_start !== null || staged_rows + TOLD_ROW_COUNT > rowCount) return 'learning'
  return staged_rows * 2 < rowCount ? 'firstHalf' : 'secondHalf'
}

/** Follows a report until its costs are learned; gives how many times it was seen at another row. */
const follow = async (url, { merchantId, headers }, { id, rowCount, enter }) => {
  const seen = new Set()
  for (;;) {
    const response = await fetch(new URL(`/merchant-account/${merchantId}/cost-ingestions`, url), { headers })
    const found = (await response.json()).find((ingestion) => ingestion.id === id)
    if (found?.status === 'failed') throw new Error(`the report failed: ${found.last_error}`)
    if (found?.status === 'completed') {
      if (found.staged_rows !== rowCount) throw new Error(`${found.staged_rows} rows were read of ${rowCount}`)
      return seen.size
    }
    seen.add(found.staged_rows)
    enter(phaseOf(found, rowCount))
    await pause(ASK_MS)
  }
}

const takeIn = async (rowCount) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  try {
    const merchant = await createBenchMerchant(client, ADMIN_SECRET)
    await untilIdle(server.pid)
    const { highestMb, enter, end } = watchMemory(server.pid)
    try {
      enter('upload')
      const startedAt = performance.now()
      const { id, byteCount } = await upload(server.url, merchant, rowCount)
      const uploadSeconds = (performance.now() - startedAt) / 1_000
      enter('firstHalf')
      const progressCount = await follow(server.url, merchant, { id, rowCount, enter })
      enter('learning')
      await untilIdle(server.pid)
      const { upload: uploadMb, firstHalf: firstMb, secondHalf: secondMb = firstMb, learning: learningMb } = highestMb
      const readingMb = Math.max(firstMb, secondMb)
      return {
        byteCount,
        progressCount,
        uploadMbPerSecond: byteCount / MIB / uploadSeconds,
        uploadMb,
        readingMb,
        learningMb,
        growthMb: secondMb - firstMb,
      }
    } finally {
      end()
    }
  } finally {
    client.close()
    await server.stop()
  }
}

/**
 * Memory of the standalone server beyond what it has idle, without pages of files, while a settlement report is uploaded that is made
 * on the fly, while it is read, and while costs are learned from it and compiled.
 *
 * @param {{ readonly rowCount: number, readonly longRepeatCount: number }} sizes
 */
export const measureReportUpload = async ({ rowCount, longRepeatCount }) => {
  const runs = []
  for (let turn = 0; turn < longRepeatCount; turn += 1) runs.push(await takeIn(rowCount))
  const summary = (name) => summaryOf(runs.map((run) => run[name]))
  return {
    rowCount,
    byteCount: runs[0].byteCount,
    progressCount: summary('progressCount'),
    uploadMbPerSecond: summary('uploadMbPerSecond'),
    uploadMb: summary('uploadMb'),
    readingMb: summary('readingMb'),
    learningMb: summary('learningMb'),
    growthMb: summary('growthMb'),
  }
}
