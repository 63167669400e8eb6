import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOwnProcess } from './own-process.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./ingestion-worker.mjs', import.meta.url))

/**
 * Rows of a settlement report that one core reads into sums in a second of its time, and the memory that this takes beyond the idle
 * process; beside the splitting of the same text at line ends and commas.
 *
 * @param {{ readonly rowCount: number, readonly repeatCount: number }} options
 */
export const measureIngestion = async ({ rowCount, repeatCount }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-ingestion-'))
  const path = join(folder, 'report.csv')
  try {
    const byteCount = await inOwnProcess(WORKER, { name: 'write', path, rowCount })
    const readings = []
    const references = []
    for (let turn = 0; turn < repeatCount; turn += 1) {
      readings.push(await inOwnProcess(WORKER, { name: 'read', path, rowCount }))
      references.push(await inOwnProcess(WORKER, { name: 'reference', path, rowCount }))
    }
    return {
      rowCount,
      byteCount,
      perCoreSecond: summaryOf(readings.map(({ perCoreSecond }) => perCoreSecond)),
      perSecond: summaryOf(readings.map(({ perSecond }) => perSecond)),
      referencePerCoreSecond: summaryOf(references.map(({ perCoreSecond }) => perCoreSecond)),
      throughputRatio: summaryOf(readings.map(({ perCoreSecond }, turn) => perCoreSecond / references[turn].perCoreSecond)),
      memoryMb: summaryOf(readings.map(({ memoryMb }) => memoryMb)),
      growth: summaryOf(readings.map(({ growth }) => growth)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
