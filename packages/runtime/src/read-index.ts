import { type EventLog, OperatingError, type Position, type Topic } from '@switchyard/kernel'
import { READ_INDEX_MAX_MS } from './limits.ts'
import type { Progress } from './progress.ts'
import { type Timers, within } from './timers.ts'

/** Linearizable reads of one topic (law 6). */
export interface ReadIndex {
  readonly of: (key: string) => Promise<void>
  readonly ofAll: () => Promise<void>
}

/** What a read index needs. */
export interface ReadIndexDependencies {
  readonly log: EventLog
  readonly topic: Topic
  readonly progress: Progress
  /** Keys of one partition share their questions to the log. */
  readonly partitionOf: (key: string) => number | undefined
  readonly timers: Timers
}

/**
 * Runs `ask` for all who wait, one at a time: who comes while one runs shares the next one, because the answer under way
 * may be older than the question.
 */
const createCoalescing = <Group, Answer>(): ((group: Group, ask: () => Promise<Answer>) => Promise<Answer>) => {
  const running = new Map<Group, Promise<unknown>>()
  const next = new Map<Group, Promise<Answer>>()

  const start = (group: Group, ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = ask().finally(() => {
      if (running.get(group) === answer) running.delete(group)
    })
    running.set(group, answer)
    return answer
  }

  return (group, ask) => {
    const waiting = next.get(group)
    if (waiting !== undefined) return waiting
    const busy = running.get(group)
    if (busy === undefined) return start(group, ask)
    const follow = (): Promise<Answer> => {
      next.delete(group)
      return start(group, ask)
    }
    const queued = busy.then(follow, follow)
    next.set(group, queued)
    return queued
  }
}

/** A {@link ReadIndex}: asks the log for its end, then waits for the fold to reach it. */
export const createReadIndex = ({ log, topic, progress, partitionOf, timers }: ReadIndexDependencies): ReadIndex => {
  const silent = (): OperatingError =>
    new OperatingError('LOG_UNAVAILABLE', `the log did not name the end of ${topic} in ${READ_INDEX_MAX_MS} ms`, { retryable: true })
  const endOfOne = createCoalescing<string | number, Position>()
  const endOfAll = createCoalescing<Topic, ReadonlyMap<number, number>>()

  return {
    of: async (key) => {
      const ask = (): Promise<Position> => within(timers, log.endPosition(topic, key), READ_INDEX_MAX_MS, silent)
      await progress.waitFor(await endOfOne(partitionOf(key) ?? key, ask))
    },
    ofAll: async () => {
      const ask = (): Promise<ReadonlyMap<number, number>> => within(timers, log.endPositions(topic), READ_INDEX_MAX_MS, silent)
      await progress.waitForAll(await endOfAll(topic, ask))
    },
  }
}
