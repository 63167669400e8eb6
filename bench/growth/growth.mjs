import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOwnProcess } from '../own-process.mjs'

const WORKER = fileURLToPath(new URL('./growth-worker.mjs', import.meta.url))
/** Where the other axes stand while one grows. */
const USUAL = { merchants: 1, gateways: 3, dimensions: 1 }
const FIGURES = ['decisionUs', 'memoryMb', 'startMs', 'storedMb']

/** One curve. All its points take part in every turn: a machine changes its speed within minutes. */
const measureCurve = async (populations, { repeatCount, ...batches }) => {
  const folders = []
  const turns = populations.map(() => [])
  try {
    for (const population of populations) {
      folders.push(mkdtempSync(join(tmpdir(), 'switchyard-growth-')))
      await inOwnProcess(WORKER, { name: 'write', folder: folders.at(-1), population })
    }
    for (let turn = 0; turn < repeatCount; turn += 1)
      for (const [index, population] of populations.entries())
        turns[index].push(await inOwnProcess(WORKER, { name: 'measure', folder: folders[index], population, ...batches }))
    return turns.map((runs) => Object.fromEntries(FIGURES.map((figure) => [figure, runs.map((run) => run[figure])])))
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What a process that decides is like as it grows, one curve for merchants, gateways and dimensions each: the time of a decision, live
 * memory, the time of a start, and what it reads for that; a figure for each turn.
 *
 * @param {{ readonly growth: Readonly<Record<string, readonly number[]>>, readonly growthBatchCount: number, readonly growthWarmingCount: number,
 *   readonly longRepeatCount: number }} sizes
 */
export const measureGrowth = async ({ growth, growthBatchCount, growthWarmingCount, longRepeatCount }) => {
  const counts = { batchCount: growthBatchCount, warmingCount: growthWarmingCount, repeatCount: longRepeatCount }
  const curves = {}
  for (const [axis, points] of Object.entries(growth)) {
    const figures = await measureCurve(
      points.map((count) => ({ ...USUAL, [axis]: count })),
      counts,
    )
    curves[axis] = points.map((count, index) => ({ count, ...figures[index] }))
  }
  return curves
}
