import { type CollectionSpec, type DocumentKey, indexOf, type RangeQuery, type StoredDocument } from '@switchyard/kernel'
import type { Collection } from 'mongodb'
import { reaching } from './failures.ts'
import { encodeKey } from './key-order.ts'
import { FIND_KEY_COUNT_MAX } from './limits.ts'
import { filterOf, sortOf } from './range-filter.ts'
import { documentOf, type MongoDocument } from './stored-document.ts'

const UNREADABLE = 'MongoDB could not be read'

/** The documents of these keys, in their order. */
export const findMany = async <Body>(
  collection: Collection<MongoDocument>,
  keys: readonly DocumentKey[],
): Promise<readonly (StoredDocument<Body> | undefined)[]> => {
  const ids = keys.map(encodeKey)
  const wanted = [...new Set(ids)]
  const found = new Map<string, MongoDocument>()
  for (let at = 0; at < wanted.length; at += FIND_KEY_COUNT_MAX) {
    const $in = wanted.slice(at, at + FIND_KEY_COUNT_MAX)
    const documents = await reaching(UNREADABLE, () => collection.find({ _id: { $in } }).toArray())
    for (const document of documents) found.set(document._id, document)
  }
  // Each answer has a body of its own, also when a key is asked for twice.
  return ids.map((id) => {
    const document = found.get(id)
    return document === undefined ? undefined : documentOf<Body>(document)
  })
}

/** A page of documents in the order of their keys, or of an index. */
export const findRange = async <Body>(
  collection: Collection<MongoDocument>,
  spec: CollectionSpec,
  query: RangeQuery,
): Promise<readonly StoredDocument<Body>[]> => {
  const { limit, offset = 0, order } = query
  const index = indexOf(spec, query)
  // For MongoDB a limit of 0 is none.
  if (limit === 0) return []
  const find = (): Promise<MongoDocument[]> =>
    collection.find(filterOf(index, query), { sort: sortOf(index, order), skip: offset, limit }).toArray()
  return (await reaching(UNREADABLE, find)).flatMap((document) => documentOf<Body>(document) ?? [])
}
