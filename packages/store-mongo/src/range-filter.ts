import type { DeclaredIndex, DocumentKey, KeyPart, RangeQuery } from '@switchyard/kernel'
import type { Filter, Sort } from 'mongodb'
import { storedName } from './body.ts'
import { boundsOf, wellFormedKey } from './key-order.ts'
import type { MongoDocument } from './stored-document.ts'

type Condition = Filter<MongoDocument>

/** The path of a field of the body in a stored document. */
export const pathOf = (field: string): string => `body.${storedName(field)}`

/** MongoDB would look at its members. */
const isNoList = (path: string): Condition => ({ [path]: { $not: { $type: 'array' } } })

const isPart = (path: string): readonly Condition[] => [{ [path]: { $type: ['number', 'string'] } }, isNoList(path)]

// MongoDB compares values of one type only: numbers come before strings, so a number bounds strings only from below.
const isAtLeast = (path: string, from: KeyPart): Condition =>
  typeof from === 'string' ? { [path]: { $gte: from } } : { [path]: { $not: { $lt: from } } }

const isAtMost = (path: string, to: KeyPart): Condition =>
  typeof to === 'number' ? { [path]: { $lte: to } } : { [path]: { $not: { $gt: to } } }

const withinKeys = (prefix: DocumentKey, from: KeyPart | undefined, to: KeyPart | undefined): Condition => {
  const { start, end } = boundsOf(prefix, from, to)
  return { _id: { $gte: start, $lt: end } }
}

/** What each field of the index has to be, and the key behind them. */
const withinIndex = ({ fields, each }: DeclaredIndex, query: RangeQuery): readonly Condition[] => {
  const prefix = wellFormedKey(query.prefix)
  const [from] = query.from === undefined ? [] : wellFormedKey([query.from])
  const [to] = query.to === undefined ? [] : wellFormedKey([query.to])
  const conditions = fields.flatMap((field, at): readonly Condition[] => {
    const path = pathOf(field)
    const equal = prefix[at]
    if (equal !== undefined) return [{ [path]: { $eq: equal } }, ...(field === each ? [] : [isNoList(path)])]
    const isBounded = at === prefix.length
    return [
      ...isPart(path),
      ...(isBounded && from !== undefined ? [isAtLeast(path, from)] : []),
      ...(isBounded && to !== undefined ? [isAtMost(path, to)] : []),
    ]
  })
  return prefix.length < fields.length ? conditions : [...conditions, withinKeys(prefix.slice(fields.length), from, to)]
}

/** Which documents a range holds; what is left of removed ones counts for nothing. */
export const filterOf = (index: DeclaredIndex | undefined, query: RangeQuery): Condition => ({
  $and: [{ body: { $ne: null } }, ...(index === undefined ? [withinKeys(query.prefix, query.from, query.to)] : withinIndex(index, query))],
})

/** The order of a range: the fields of the index, then the key. A list is left out: its member is named, and MongoDB would go by another. */
export const sortOf = (index: DeclaredIndex | undefined, order: RangeQuery['order']): Sort => {
  const direction = order === 'ascending' ? 1 : -1
  const fields = (index?.fields ?? []).filter((field) => field !== index?.each)
  return Object.fromEntries([...fields.map(pathOf), '_id'].map((path) => [path, direction]))
}
