import { COMMANDS_WAITING_PER_KEY_MAX } from './limits.ts'

/** Runs tasks of one key one after another; the answer is undefined when too many wait already. */
export type TakeTurn = <Value>(key: string, task: () => Promise<Value>) => Promise<Value | undefined>

interface Line {
  last: Promise<unknown>
  count: number
}

/** Spares commands of one process the conflicts among themselves. Correctness does not depend on it: the log settles races. */
export const createTurns = (): TakeTurn => {
  const lines = new Map<string, Line>()
  return async (key, task) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), count: 0 }
    if (line.count >= COMMANDS_WAITING_PER_KEY_MAX) return undefined
    lines.set(key, line)
    line.count += 1
    const turn = line.last.then(task, task)
    line.last = turn
    try {
      return await turn
    } finally {
      line.count -= 1
      if (line.count === 0) lines.delete(key)
    }
  }
}
