import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOwnProcess } from '../own-process.mjs'
import { summaryOf } from '../statistics.mjs'

const WORKER = fileURLToPath(new URL('./growth-worker.mjs', import.meta.url))
/** Where the other axes stand while one grows. */
const USUAL = { merchants: 1, gateways: 3, dimensions: 1 }
const FIGURES = ['decisionUs', 'memoryMb', 'startMs', 'storedMb']

const measurePoint = async (population, { repeatCount, ...batches }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-growth-'))
  try {
    await inOwnProcess(WORKER, { name: 'write', folder, population })
    const runs = []
    for (let turn = 0; turn < repeatCount; turn += 1)
      runs.push(await inOwnProcess(WORKER, { name: 'measure', folder, population, ...batches }))
    return Object.fromEntries(FIGURES.map((figure) => [figure, summaryOf(runs.map((run) => run[figure]))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What a process that decides is like as it grows, one curve for merchants, gateways and dimensions each: the time of a decision, live
 * memory, the time of a start, and what it reads for that.
 *
 * @param {{ readonly growth: Readonly<Record<string, readonly number[]>>, readonly growthBatchCount: number, readonly growthWarmingCount: number,
 *   readonly longRepeatCount: number }} sizes
 */
export const measureGrowth = async ({ growth, growthBatchCount, growthWarmingCount, longRepeatCount }) => {
  const counts = { batchCount: growthBatchCount, warmingCount: growthWarmingCount, repeatCount: longRepeatCount }
  const curves = {}
  for (const [axis, points] of Object.entries(growth)) {
    curves[axis] = []
    for (const count of points) {
      const point = await measurePoint({ ...USUAL, [axis]: count }, counts)
      curves[axis].push({ count, ...point })
    }
  }
  return curves
}
