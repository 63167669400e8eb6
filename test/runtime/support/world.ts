import { runtimeCollections } from '@switchyard/composition'
import {
  type CollectionSpec,
  type DocumentKey,
  type EventLog,
  OperatingError,
  type ReadStore,
  type StoredDocument,
} from '@switchyard/kernel'
import {
  createCommandHandler,
  createStreamStates,
  type FoldedSlice,
  type HandleCommand,
  type RunningStreamStates,
} from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { codec, idsOf, sampleSlices } from './sample.ts'

const collections: readonly CollectionSpec[] = [
  ...runtimeCollections,
  { name: 'sample-totals-v1', indexes: [] },
  { name: 'sample-payments-v1', indexes: [] },
]

export const createStore = (): ReadStore => createMemoryStore({ collections })

/** A store that can be cut off, and that can die in the middle of what is written. */
export interface FaultyStore extends ReadStore {
  readonly leave: () => void
  readonly comeBack: () => void
  /** After this many more documents everything is refused, until it comes back. */
  readonly leaveAfterWrites: (count: number) => void
  readonly attempts: () => number
}

const away = (): OperatingError => new OperatingError('STORE_UNAVAILABLE', 'the store is away', { retryable: true })

export const createFaultyStore = (store: ReadStore): FaultyStore => {
  let writesLeft = Number.POSITIVE_INFINITY
  let attempts = 0
  const reach = (): void => {
    attempts += 1
    if (writesLeft < 0) throw away()
  }
  return {
    ...store,
    get: async (collection, key) => {
      reach()
      return await store.get(collection, key)
    },
    getMany: async (collection, keys) => {
      reach()
      return await store.getMany(collection, keys)
    },
    range: async (query) => {
      reach()
      return await store.range(query)
    },
    write: async (writes) => {
      reach()
      const taken = writes.slice(0, Math.min(writes.length, writesLeft))
      const outcomes = await store.write(taken)
      writesLeft -= writes.length
      if (taken.length === writes.length) return outcomes
      writesLeft = -1
      throw away()
    },
    leave: () => {
      writesLeft = -1
    },
    leaveAfterWrites: (count) => {
      writesLeft = count
    },
    comeBack: () => {
      writesLeft = Number.POSITIVE_INFINITY
    },
    attempts: () => attempts,
  }
}

/** A process that takes commands. */
export interface CommandSide {
  readonly states: RunningStreamStates
  readonly handle: HandleCommand
}

export const startCommandSide = async (
  name: string,
  log: EventLog,
  store: ReadStore,
  slices: readonly FoldedSlice[] = sampleSlices,
): Promise<CommandSide> => {
  const onFailure = (error: unknown): void => {
    throw error
  }
  const states = createStreamStates({ log, store, codec, slices, onFailure })
  await states.start()
  return { states, handle: createCommandHandler({ log, codec, states, newId: idsOf(name) }) }
}

export const documentsOf = async (
  store: ReadStore,
  collection: string,
  prefix: DocumentKey = [],
): Promise<readonly StoredDocument<unknown>[]> => await store.range({ collection, prefix, order: 'ascending', limit: 100_000 })
