import { BEFORE_FIRST, type EventLog, type LogRecord, type Now, type Positions, type ReadStore, type Topic } from '@switchyard/kernel'
import type { ProjectionOf } from './cached-document.ts'
import { PROJECTOR_LIMITS, REPLAY_FLUSH_RECORDS } from './limits.ts'
import { createProgress } from './progress.ts'
import { createProjectionPipeline } from './projection-pipeline.ts'
import { systemTimers } from './timers.ts'
import type { RecordedEvent, TopicFold } from './topic-fold.ts'

/** A topic projected from its first event, as far as it is told: what a projector does, without a tail. */
export interface ReplayRun {
  /** Goes on where an earlier run over the same store has stopped; resolves where that is. */
  readonly restore: () => Promise<Positions>
  /**
   * Projects everything up to `ends`, and resolves when it is stored; may be called again with later ends. `onProgress` hears
   * how far it has come. Rejects with `LOG_TRUNCATED` when the first events are gone: what is built would lack them.
   */
  readonly runTo: (ends: Positions, onProgress?: (positions: Positions) => void) => Promise<void>
}

/** What {@link createReplayRun} needs. */
export interface ReplayRunDependencies<Event, Effects> {
  readonly topic: Topic
  readonly log: Pick<EventLog, 'read'>
  readonly store: ReadStore
  /** Of its own. */
  readonly fold: TopicFold<Event, Effects>
  readonly projections: readonly ProjectionOf<RecordedEvent<Event, Effects>>[]
  readonly now: Now
}

const isWithin = (ends: Positions, { position }: LogRecord): boolean => position.offset <= (ends.get(position.partition) ?? BEFORE_FIRST)

/** A {@link ReplayRun} that waits for a store that is away. */
export const createReplayRun = <Event, Effects>(dependencies: ReplayRunDependencies<Event, Effects>): ReplayRun => {
  const { topic, log } = dependencies
  const pipeline = createProjectionPipeline({
    ...dependencies,
    limits: PROJECTOR_LIMITS,
    timers: systemTimers,
    progress: createProgress(topic, systemTimers),
    processed: createProgress(topic, systemTimers),
    signal: new AbortController().signal,
  })
  const positions = new Map<number, number>()

  const include = async (records: readonly LogRecord[]): Promise<void> => {
    await pipeline.process(records)
    const last = records.at(-1)?.position
    if (last !== undefined) positions.set(last.partition, last.offset)
  }

  return {
    restore: async () => {
      for (const [partition, offset] of await pipeline.restore()) positions.set(partition, offset)
      return new Map(positions)
    },
    runTo: async (ends, onProgress) => {
      const from = new Map([...ends.keys()].map((partition) => [partition, positions.get(partition) ?? BEFORE_FIRST]))
      let unflushed = 0
      for await (const batch of log.read(topic, from)) {
        const records = batch.filter((record) => isWithin(ends, record))
        if (records.length === 0) continue
        await include(records)
        unflushed += records.length
        if (unflushed >= REPLAY_FLUSH_RECORDS) {
          await pipeline.flush('if-due')
          unflushed = 0
        }
        onProgress?.(positions)
      }
      if (!pipeline.isFlushed()) await pipeline.flush('now')
    },
  }
}
