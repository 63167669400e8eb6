import type { ThreadFigures } from '@switchyard/composition'
import { systemTimers, within } from '@switchyard/runtime'

/** How long a scrape waits for a thread, milliseconds; then it is told what the thread said last. */
const FIGURES_MAX_MS = 2_000

/** Asks a thread what it has counted. The last answer stands in for one that does not come: counters never go back. */
export const askFigures = (ask: () => Promise<ThreadFigures>): (() => Promise<ThreadFigures>) => {
  const late = (): Error => new Error('the thread does not answer')
  let last: ThreadFigures = []
  return async () => {
    last = await within(systemTimers, ask(), FIGURES_MAX_MS, late).catch(() => last)
    return last
  }
}
