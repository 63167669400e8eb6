import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOwnProcess } from './own-process.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./replay-worker.mjs', import.meta.url))

/**
 * Events per second from the embedded log into the windows, on one core, and the memory that it takes; beside the reading of the
 * same events as JSON texts.
 *
 * @param {{ readonly eventCount: number, readonly repeatCount: number }} options
 */
export const measureReplay = async ({ eventCount, repeatCount }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-replay-'))
  try {
    const written = await inOwnProcess(WORKER, { name: 'write', folder, eventCount })
    const replays = []
    const references = []
    for (let turn = 0; turn < repeatCount; turn += 1) {
      replays.push(await inOwnProcess(WORKER, { name: 'replay', folder, eventCount }))
      references.push(await inOwnProcess(WORKER, { name: 'reference', folder, eventCount }))
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
