/** Tasks at the same time; more are refused. */
const RUNNING_TASK_COUNT_MAX = 100

/** Work that goes on after the answer was sent. */
export interface BackgroundTasks {
  /** Starts a task; `full` when too many run, then it was not started. */
  readonly run: (task: () => Promise<void>) => 'started' | 'full'
  /** Resolves when nothing runs any more. */
  readonly settled: () => Promise<void>
}

/** The {@link BackgroundTasks} of a process. */
export const createBackgroundTasks = (onFailure: (error: unknown) => void): BackgroundTasks => {
  const running = new Set<Promise<void>>()
  return {
    run: (task) => {
      if (running.size >= RUNNING_TASK_COUNT_MAX) return 'full'
      const mine = task()
        .catch(onFailure)
        .finally(() => running.delete(mine))
      running.add(mine)
      return 'started'
    },
    settled: async () => void (await Promise.all(running)),
  }
}
