/** Runs tasks, not too many at a time. */
export interface Lanes {
  /** Runs a task when it is its turn: the others wait, in the order in which they came, for as long as it takes. */
  readonly run: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Tasks that wait for their turn. Who hands over tasks bounds them. */
  readonly waitingCount: () => number
}

/** Runs so many tasks at a time. */
export const createLanes = (count: number): Lanes => {
  const waiting: (() => void)[] = []
  let runningCount = 0
  return {
    run: async (task) => {
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
    },
    waitingCount: () => waiting.length,
  }
}
