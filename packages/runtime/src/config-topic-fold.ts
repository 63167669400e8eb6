import type { ConfigEvent, EventCodec } from '@switchyard/events'
import { BEFORE_FIRST, type Positions, type ReadStore } from '@switchyard/kernel'
import { decodeConfigEvent } from './decode-event.ts'
import { loadStreams, storeStreams } from './stream-documents.ts'
import { createStreamFold, type FoldedSlice, fingerprintOf } from './stream-fold.ts'
import type { TopicFold } from './topic-fold.ts'

/** What an event of the topic `config` changed; one without an effect (law 5) reaches no projection. */
export interface ConfigEffects {
  /** Key of the record. */
  readonly key: string
  /** States of the slices that fold the event, before and behind it; undefined where nothing had been recorded. */
  readonly states: readonly { readonly slice: string; readonly before: unknown; readonly after: unknown }[]
}

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
      const { key } = record
      const concerned = slices.filter(({ folds }) => folds.includes(event.type))
      const states = concerned.map(({ name }) => fold.stateOf(name, key))
      const result = fold.apply(record, event)
      if (result !== 'included') dirty.add(key)
      if (result !== 'effective') return undefined
      return { key, states: concerned.map(({ name: slice }, i) => ({ slice, before: states[i], after: fold.stateOf(slice, key) })) }
    },
    persist: async (positions) => {
      await storeStreams(store, fold, { fingerprint, keys: dirty, positions: advanced(positions, stored) })
      dirty.clear()
      stored = new Map(positions)
    },
  }
}
