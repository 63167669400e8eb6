import { performance } from 'node:perf_hooks'

/** How often the load of the answering thread is looked at, milliseconds. */
const SAMPLE_INTERVAL_MS = 50
const PERMILLE = 1_000
/** Share of a core that the background thread takes at most, from which share of its time on that the answering thread works; the busiest first. */
const SHARES_WHILE_BUSY = [
  { fromBusy: 0.8, share: 0.05 },
  { fromBusy: 0.4, share: 0.3 },
]
/** Longest rest at a stretch, milliseconds. */
const REST_MAX_MS = 1_000

/** The load of the answering thread, as other threads may look at it. */
export interface AnsweringLoad {
  /** One number: the share of its time that the thread works, in thousandths. */
  readonly shared: SharedArrayBuffer
  readonly stop: () => void
}

/** Publishes how busy the calling thread is. Keeps no process alive. */
export const publishAnsweringLoad = (): AnsweringLoad => {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const view = new Int32Array(shared)
  let last = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization()
    Atomics.store(view, 0, Math.round(performance.eventLoopUtilization(current, last).utilization * PERMILLE))
    last = current
  }, SAMPLE_INTERVAL_MS)
  timer.unref()
  return { shared, stop: () => clearInterval(timer) }
}

/**
 * How long the background thread, which calls this, rests behind what it has done since it was asked before (law 8): while the other thread
 * is busy with answers, projecting would take from it what the cores share. All its work counts, storing and collecting garbage, too,
 * which are more than half of it. Read models fall behind, and catch up afterwards.
 *
 * @param activeMs How long the calling thread has worked since it began.
 */
export const createRest = (
  shared: SharedArrayBuffer,
  activeMs: () => number = () => performance.eventLoopUtilization().active,
): (() => number) => {
  const view = new Int32Array(shared)
  let lastMs = activeMs()
  return () => {
    const nowMs = activeMs()
    const workedMs = nowMs - lastMs
    lastMs = nowMs
    const busyPermille = Atomics.load(view, 0)
    const limit = SHARES_WHILE_BUSY.find(({ fromBusy }) => busyPermille >= fromBusy * PERMILLE)
    return limit === undefined ? 0 : Math.min(REST_MAX_MS, workedMs * (1 / limit.share - 1))
  }
}
