/** Runs a task when it is its turn. */
export type InLane = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Runs so many tasks at a time; the others wait, in the order in which they came, for as long as it takes. */
export const createLanes = (count: number): InLane => {
  const waiting: (() => void)[] = []
  let runningCount = 0
  return async (task) => {
    if (runningCount < count) runningCount += 1
    else {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    try {
      return await task()
    } finally {
      // Whoever is next takes over the lane.
      const next = waiting.shift()
      if (next === undefined) runningCount -= 1
      else next()
    }
  }
}
