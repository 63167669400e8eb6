import { type Timers, within } from '@switchyard/runtime'
import { DRAIN_MAX_MS } from '../limits.ts'

const late = (): Error => new Error('attempts are still under way')

/** Waits until all of these have come to an end, {@link DRAIN_MAX_MS} at most: the next process recovers the others. */
export const drained = async (timers: Timers, underWay: Iterable<Promise<unknown>>): Promise<void> => {
  await within(timers, Promise.allSettled(underWay), DRAIN_MAX_MS, late).catch(() => {})
}
