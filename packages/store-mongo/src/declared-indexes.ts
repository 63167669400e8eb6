import type { CollectionSpec, DeclaredIndex } from '@switchyard/kernel'
import type { Collection, Db, IndexDescriptionInfo } from 'mongodb'
import { pathOf } from './range-filter.ts'
import type { MongoDocument } from './stored-document.ts'

/** Marks the indexes that are ours to drop; those that people make by hand stay. */
const PREFIX = 'declared:'
const NAMESPACE_NOT_FOUND = 26

/** The fields, then the key: an index gives its order without sorting. */
const keysOf = ({ fields }: DeclaredIndex): Record<string, 1> => Object.fromEntries([...fields.map(pathOf), '_id'].map((path) => [path, 1]))

const presentIndexes = async (collection: Collection<MongoDocument>): Promise<readonly IndexDescriptionInfo[]> => {
  try {
    return await collection.indexes()
  } catch (error) {
    if (Object(error).code === NAMESPACE_NOT_FOUND) return []
    throw error
  }
}

const settleCollection = async (collection: Collection<MongoDocument>, { indexes }: CollectionSpec): Promise<void> => {
  const declared = new Map(indexes.map((index) => [PREFIX + index.name, keysOf(index)]))
  for (const { name = '', key } of await presentIndexes(collection)) {
    if (!name.startsWith(PREFIX)) continue
    if (JSON.stringify(key) === JSON.stringify(declared.get(name))) declared.delete(name)
    else await collection.dropIndex(name)
  }
  const missing = Array.from(declared, ([name, key]) => ({ name, key }))
  if (missing.length > 0) await collection.createIndexes(missing)
}

/** Makes the indexes of the collections those that are declared; MongoDB fills new ones with what is there. */
export const settleIndexes = async (database: Db, collections: readonly CollectionSpec[]): Promise<void> => {
  for (const spec of collections) await settleCollection(database.collection<MongoDocument>(spec.name), spec)
}
