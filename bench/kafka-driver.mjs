import { fileURLToPath } from 'node:url'
import { startHelper } from './helper-process.mjs'

const WORKER = fileURLToPath(new URL('./kafka-driver-worker.mjs', import.meta.url))

/**
 * The driver by itself, in a process in which nobody else has a hand in it: `@switchyard/log-kafka` changes how the driver of its
 * process writes records.
 */
export const startDriver = () => {
  const { ask, stop } = startHelper(WORKER)
  return {
    /**
     * Records a second: idempotent batches one after the other, and a consumer of all partitions.
     *
     * @param {{ readonly broker: string, readonly recordCount: number }} order
     */
    measure: (order) => ask(order),
    stop,
  }
}
