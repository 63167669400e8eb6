import {
  assert,
  type CollectionSpec,
  createLanes,
  type DocumentKey,
  declaredSpec,
  OperatingError,
  type ReadStore,
} from '@switchyard/kernel'
import type { Collection, MongoClient } from 'mongodb'
import { prepareBatch, writeBatch } from './batch.ts'
import { createCalls, once } from './calls.ts'
import { createClient, databaseIn } from './client.ts'
import { settleIndexes } from './declared-indexes.ts'
import { dropCollection } from './drop-collection.ts'
import { reaching } from './failures.ts'
import { COLLECTIONS_AT_ONCE_MAX, INDEX_BUILD_WAIT_MS } from './limits.ts'
import { findMany, findRange } from './reader.ts'
import type { MongoDocument } from './stored-document.ts'

/** Where a read store in MongoDB is, what it holds, and what this handle of it may do. */
export interface MongoStoreOptions {
  /** `mongodb://` or `mongodb+srv://`; its path names the database, `switchyard` when there is none. */
  readonly uri: string
  /** The same in all processes that have the store open; those with the role `writer` settle the indexes before their first call. */
  readonly collections: readonly CollectionSpec[]
  /** Any number of processes may have each role. */
  readonly role: 'writer' | 'reader'
}

/** With a client of its own, since an index over many documents takes longer than any other answer. */
const settle = async (uri: string, collections: readonly CollectionSpec[]): Promise<void> => {
  const client = createClient(uri, { socketTimeoutMS: INDEX_BUILD_WAIT_MS })
  try {
    await reaching('the indexes in MongoDB could not be settled', () => settleIndexes(client.db(databaseIn(uri)), collections))
  } finally {
    await client.close()
  }
}

/** Settles the indexes of a writer's collections before its first call, and those of a generation before the first call that names it. */
const createSettling = ({
  uri,
  collections,
  role,
}: MongoStoreOptions): {
  readonly add: (generation: CollectionSpec) => void
  readonly forget: (name: string) => void
  readonly settled: () => Promise<void>
} => {
  const steps = new Map([['', once(() => settle(uri, collections))]])
  return {
    add: (generation) => {
      const settleOne = (): Promise<void> => settle(uri, [generation])
      if (!steps.has(generation.name)) steps.set(generation.name, once(settleOne))
    },
    forget: (name) => void steps.delete(name),
    settled: async () => {
      if (role === 'writer') for (const step of steps.values()) await step()
    },
  }
}

/** Connects once. Left to the first call, the driver would give up for good when the server is away just then. */
const connecting = (client: MongoClient): (() => Promise<void>) =>
  once(async () => {
    await reaching('MongoDB could not be reached', () => client.connect())
  })

/**
 * A read store in MongoDB. It connects at the first call, and again whenever the server is back; until then calls end with
 * `STORE_UNAVAILABLE` after a few seconds. Throws `SETTING_INVALID` when the address can't be one.
 */
export const createMongoStore = (options: MongoStoreOptions): ReadStore => {
  const { uri, role } = options
  const specs = new Map(options.collections.map((spec) => [spec.name, spec]))
  const client = createClient(uri)
  const calls = createCalls()
  const lanes = createLanes(COLLECTIONS_AT_ONCE_MAX)
  const settling = createSettling(options)
  const connected = connecting(client)
  let closing: Promise<void> | undefined

  const assertOpen = (): void => {
    if (closing !== undefined) throw new OperatingError('STORE_CLOSED', 'the read store is closed', { retryable: false })
  }
  const specOf = (name: string): CollectionSpec => {
    assertOpen()
    const spec = declaredSpec(specs, name)
    assert(spec !== undefined, `the collection ${name} was not declared`)
    if (!specs.has(name)) settling.add(spec)
    return spec
  }
  const collectionOf = (name: string): Collection<MongoDocument> => client.db(databaseIn(uri)).collection<MongoDocument>(name)

  const answering = async <Result>(call: () => Promise<Result>): Promise<Result> =>
    await calls.run(async () => {
      await settling.settled()
      await connected()
      return await call()
    })

  return {
    get: async <Body>(collection: string, key: DocumentKey) => {
      specOf(collection)
      const [document] = await answering(() => findMany<Body>(collectionOf(collection), [key]))
      return document
    },
    getMany: async (collection, keys) => {
      specOf(collection)
      return await answering(() => findMany(collectionOf(collection), keys))
    },
    range: async (query) => {
      const spec = specOf(query.collection)
      return await answering(() => findRange(collectionOf(spec.name), spec, query))
    },
    write: async (writes) => {
      assertOpen()
      assert(role === 'writer', 'this handle of the read store only reads')
      const batch = prepareBatch(writes, specOf)
      return await answering(() => writeBatch(batch, collectionOf, lanes))
    },
    drop: async (name) => {
      specOf(name)
      assert(role === 'writer', 'this handle of the read store only reads')
      await answering(() => dropCollection(collectionOf(name)))
      settling.forget(name)
    },
    close: async () => {
      closing ??= calls.ended().then(() => client.close())
      await closing
    },
  }
}
