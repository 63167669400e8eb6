import type { Collection } from 'mongodb'
import { reaching } from './failures.ts'
import type { MongoDocument } from './stored-document.ts'

const NAMESPACE_NOT_FOUND = 26

/** Removes a collection with its indexes. */
export const dropCollection = async (collection: Collection<MongoDocument>): Promise<void> =>
  await reaching(`the collection ${collection.collectionName} could not be removed`, async () => {
    try {
      await collection.drop()
    } catch (error) {
      if (Object(error).code !== NAMESPACE_NOT_FOUND) throw error
    }
  })
