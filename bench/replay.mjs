import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOwnProcess } from './own-process.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./replay-worker.mjs', import.meta.url))

/**
 * Events per second from the log into the windows, on one core, and the memory that it takes; beside the reading of the same events as
 * JSON texts. The log is the embedded one, or that of the broker that is named.
 *
 * @param {{ readonly eventCount: number, readonly repeatCount: number, readonly broker?: string }} options
 */
export const measureReplay = async ({ eventCount, repeatCount, broker }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-replay-'))
  const history = { folder, eventCount, broker, topicPrefix: `bench-${randomUUID()}` }
  try {
    const written = await inOwnProcess(WORKER, { name: 'write', ...history })
    const replays = []
    const references = []
    for (let turn = 0; turn < repeatCount; turn += 1) {
      replays.push(await inOwnProcess(WORKER, { name: 'replay', ...history }))
      references.push(await inOwnProcess(WORKER, { name: 'reference', ...history }))
    }
    return {
      eventCount,
      bytesPerEvent: written.bytes / eventCount,
      perSecond: summaryOf(replays.map(({ perSecond }) => perSecond)),
      referencePerSecond: summaryOf(references.map(({ perSecond }) => perSecond)),
      throughputRatio: summaryOf(replays.map(({ perSecond }, turn) => perSecond / references[turn].perSecond)),
      coreShare: summaryOf(replays.map(({ coreShare }) => coreShare)),
      memory: replays[replays.length - 1].memory,
      liveGrowth: summaryOf(replays.map(({ liveGrowth }) => liveGrowth)),
      privateMaxMb: summaryOf(replays.map(({ privateMaxMb }) => privateMaxMb)),
      rssMaxMb: summaryOf(replays.map(({ rssMaxMb }) => rssMaxMb)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
