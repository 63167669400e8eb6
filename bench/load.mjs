import { fileURLToPath } from 'node:url'
import { startHelper } from './helper-process.mjs'

const CLIENT = fileURLToPath(new URL('./load-client.mjs', import.meta.url))
/** For runs that are bounded by a count: the client gives up after this. */
const COUNTED_RUN_MAX_MS = 120_000
/** What a run does without being told. */
const PLAIN = { shouldRemember: false, perSecondMax: null, followUp: null }

/**
 * The process that makes the load. One run at a time; a run that meets any other answer than 200 rejects, because its figures
 * would mean something else than they say.
 */
export const startLoad = () => {
  const { ask, stop } = startHelper(CLIENT)

  const order = async (message) => {
    const result = await ask(message)
    if (result.refusedCount > 0)
      throw new Error(`${result.refusedCount} of ${result.sentCount} requests were refused; the first: ${result.firstRefusal}`)
    return result
  }

  return {
    /** Runs for a time. `followUp` is sent every so many requests of a connection, for the payment before; it is told apart. */
    runFor: (durationMs, run) => order({ ...PLAIN, ...run, durationMs, requestCount: null }),
    /** Runs until so many requests were sent. */
    runCount: (requestCount, run) => order({ ...PLAIN, ...run, durationMs: COUNTED_RUN_MAX_MS, requestCount }),
    stop,
  }
}
