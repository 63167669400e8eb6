/** Something that runs until it is stopped. */
interface Stoppable {
  readonly stop: () => Promise<void>
}

/** Has this called when what is being started is stopped; the last one that was given is called first. */
type OnStop = (stop: () => unknown) => void

/**
 * Starts what consists of several parts. When one of them does not start, those before it are stopped: left alone, they would
 * outlive the test, and hold up the end of the test run. A part that can't be stopped keeps none of the others running; `stop` tells
 * of the first of them.
 */
export const startAsOne = async <Started extends object>(start: (onStop: OnStop) => Promise<Started>): Promise<Started & Stoppable> => {
  const stops: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) {
      try {
        await next()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
  try {
    return { ...(await start((each) => void stops.push(each))), stop }
  } catch (error) {
    // Why it did not start is what a person needs.
    await stop().catch(() => {})
    throw error
  }
}

/** Waits for all of them, then fails as the first that failed: none is on its way any more. */
export const allSettled = async (starting: readonly Promise<unknown>[]): Promise<void> => {
  const failure = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}
