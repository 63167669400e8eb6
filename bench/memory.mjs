import { fileURLToPath } from 'node:url'
import { inOwnProcess } from './own-process.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./memory-worker.mjs', import.meta.url))
/** Lengths of windows that are looked at, in outcomes: the default, and a long one. */
const BUCKET_SIZES = [125, 2_000]

/**
 * Bytes that a process keeps for the window of one (merchant, dimension, gateway), with its key.
 *
 * @param {{ readonly windowCount: number, readonly longRepeatCount: number }} sizes
 */
export const measureMemory = async ({ windowCount, longRepeatCount }) => {
  const windows = []
  for (const bucketSize of BUCKET_SIZES) {
    const runs = []
    for (let turn = 0; turn < longRepeatCount; turn += 1)
      runs.push(await inOwnProcess(WORKER, { name: 'windows', windowCount, bucketSize }))
    windows.push({ bucketSize, bytes: summaryOf(runs.map(({ bytes }) => bytes)) })
  }
  return { windowCount, windows }
}
