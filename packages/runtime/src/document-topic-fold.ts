import type { ReadStore, Topic } from '@switchyard/kernel'
import { documentPositions } from './stored-positions.ts'
import type { TopicFold } from './topic-fold.ts'

/** What a record carries beside its event: the version that it was decided on, where that matters (law 5). */
export interface VersionEffects {
  readonly expectedVersion: number | undefined
}

/** What {@link createDocumentTopicFold} needs. */
export interface DocumentTopicFoldDependencies<Event> {
  readonly topic: Topic
  readonly store: ReadStore
  /** Throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
  readonly decode: (value: Uint8Array) => Event
  /** Names of the projections. */
  readonly names: readonly string[]
}

/**
 * A topic of which nothing is kept in memory: each document holds all that decides what the next event does to it, its
 * version too, so that there may be any number of them.
 */
export const createDocumentTopicFold = <Event>(dependencies: DocumentTopicFoldDependencies<Event>): TopicFold<Event, VersionEffects> => {
  const { topic, store, decode, names } = dependencies
  return {
    restore: async (isWanted) => {
      const stored = await documentPositions(store, topic, names)
      return new Map([...(stored ?? [])].filter(([partition]) => isWanted(partition)))
    },
    decode,
    apply: ({ headers: { expectedVersion } }) => ({ expectedVersion }),
    persist: async () => {},
  }
}
