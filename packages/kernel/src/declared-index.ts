import { assert } from './assert.ts'
import type { CollectionSpec, DeclaredIndex, DocumentKey, KeyPart, RangeQuery } from './read-store.ts'

const isKeyPart = (value: unknown): value is KeyPart => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

const fieldOf = (body: object, name: string): unknown => (Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined)

/** The fields and then the key, with this member of the field that holds a list; undefined when one of them can't be part of a row. */
const rowWith = ({ fields, each }: DeclaredIndex, body: object, key: DocumentKey, member: unknown): DocumentKey | undefined => {
  const row: KeyPart[] = []
  for (const field of fields) {
    const part = field === each ? member : fieldOf(body, field)
    if (!isKeyPart(part)) return undefined
    row.push(part)
  }
  row.push(...key)
  return row
}

const NO_LIST: readonly unknown[] = [undefined]

/** What the field that holds a list has: each member once. */
const membersOf = ({ each }: DeclaredIndex, body: object): Iterable<unknown> => {
  if (each === undefined) return NO_LIST
  const value = fieldOf(body, each)
  return Array.isArray(value) ? new Set<unknown>(value) : [value]
}

/** The rows of a document in an index of its collection, for those who store them: the fields of the index, then the key. */
export const indexRowsOf = (index: DeclaredIndex, body: object, key: DocumentKey): readonly DocumentKey[] => {
  const rows: DocumentKey[] = []
  for (const member of membersOf(index, body)) {
    const row = rowWith(index, body, key, member)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** The index that a range goes by; undefined when it goes by the keys. Asserts that the query can be answered. */
export const indexOf = ({ name, indexes }: CollectionSpec, query: RangeQuery): DeclaredIndex | undefined => {
  const { limit, offset = 0, prefix } = query
  assert(Number.isSafeInteger(limit) && limit >= 0 && Number.isSafeInteger(offset) && offset >= 0, 'limit and offset are counts')
  if (query.index === undefined) return undefined
  const index = indexes.find((declared) => declared.name === query.index)
  assert(index !== undefined, `${name} has no index ${query.index}`)
  const isNamed = index.each === undefined || index.fields.indexOf(index.each) < prefix.length
  assert(isNamed, `a range over ${index.name} of ${name} names a member of ${index.each}`)
  return index
}
