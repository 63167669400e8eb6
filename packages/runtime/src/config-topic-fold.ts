import type { ConfigEvent, EventCodec } from '@switchyard/events'
import { BEFORE_FIRST, type Positions, type ReadStore } from '@switchyard/kernel'
import { decodeConfigEvent } from './decode-event.ts'
import { loadStreams, storeStreams } from './stream-documents.ts'
import { createStreamFold, type FoldedSlice, fingerprintOf } from './stream-fold.ts'
import type { TopicFold } from './topic-fold.ts'

/** An event of the topic `config` has an effect or none (law 5); the projections get the former. */
export type ConfigEffects = 'effective'

/** What {@link createConfigTopicFold} needs. */
export interface ConfigTopicFoldDependencies {
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly slices: readonly FoldedSlice[]
}

const advanced = (positions: Positions, stored: Positions): Positions =>
  new Map([...positions].filter(([partition, offset]) => offset > (stored.get(partition) ?? BEFORE_FIRST)))

/** The states of the topic `config` as the projector keeps and stores them: changed keys, then the checkpoint. */
export const createConfigTopicFold = ({ store, codec, slices }: ConfigTopicFoldDependencies): TopicFold<ConfigEvent, ConfigEffects> => {
  const fold = createStreamFold(slices)
  const fingerprint = fingerprintOf(slices)
  const dirty = new Set<string>()
  let stored: Positions = new Map()

  return {
    restore: async (isWanted) => {
      stored = await loadStreams(store, fold, fingerprint, isWanted)
      return stored
    },
    decode: (value) => decodeConfigEvent(codec, value),
    apply: (record, event) => {
      const result = fold.apply(record, event)
      if (result !== 'included') dirty.add(record.key)
      return result === 'effective' ? 'effective' : undefined
    },
    persist: async (positions) => {
      await storeStreams(store, fold, { fingerprint, keys: dirty, positions: advanced(positions, stored) })
      dirty.clear()
      stored = new Map(positions)
    },
  }
}
