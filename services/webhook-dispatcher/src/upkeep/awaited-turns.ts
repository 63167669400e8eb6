import { RECOVERIES_AWAITED_MAX } from '../limits.ts'

/** Hears once whether a recovery that was begun has its turn, or is refused and ended. */
export type TellTurn = (isOwn: boolean) => void

/** Recoveries that were begun here and not seen in the log yet; what was told as failed may still come to stand in it. */
export interface AwaitedTurns {
  /** The oldest is forgotten when there are too many. */
  readonly add: (taskId: string, tell: TellTurn) => void
  /** Whoever waits for this one, once. */
  readonly take: (taskId: string) => TellTurn | undefined
}

/** Nothing was begun. */
export const createAwaitedTurns = (): AwaitedTurns => {
  const waiting = new Map<string, TellTurn>()
  return {
    add: (taskId, tell) => {
      waiting.set(taskId, tell)
      const [oldest] = waiting.keys()
      if (waiting.size > RECOVERIES_AWAITED_MAX && oldest !== undefined) waiting.delete(oldest)
    },
    take: (taskId) => {
      const tell = waiting.get(taskId)
      waiting.delete(taskId)
      return tell
    },
  }
}
