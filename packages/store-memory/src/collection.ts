import { deserialize, serialize } from 'node:v8'
import {
  assert,
  type CollectionSpec,
  type DeclaredIndex,
  type DocumentKey,
  type DocumentWrite,
  isAfter,
  type KeyPart,
  type Position,
  type RangeQuery,
  type StoredDocument,
  type WriteOutcome,
} from '@switchyard/kernel'
import { assertRowFits, compareKeys, compareParts, startsWith, wellFormedKey } from './keys.ts'

/** One collection: documents and what is left of removed ones. */
export interface Collection {
  /** Refuses a write that no store could take. */
  readonly check: (write: DocumentWrite) => void
  readonly write: (write: DocumentWrite) => WriteOutcome
  readonly get: <Body>(key: DocumentKey) => StoredDocument<Body> | undefined
  readonly range: <Body>(query: RangeQuery) => readonly StoredDocument<Body>[]
}

/** Bodies are kept as bytes, so that nobody shares objects with the store. `body` is undefined after a removal. */
interface Entry {
  readonly key: DocumentKey
  readonly position: Position
  readonly body: Uint8Array | undefined
  /** Row of the document in each index that it is in. */
  readonly rows: ReadonlyMap<string, DocumentKey>
}

const isKeyPart = (value: unknown): value is KeyPart => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

/** Fields of the index, then the key; undefined when the body lacks one of the fields. */
const rowOf = ({ fields }: DeclaredIndex, body: object, key: DocumentKey): DocumentKey | undefined => {
  const values = new Map<string, unknown>(Object.entries(body))
  const parts = fields.map((field) => values.get(field)).filter(isKeyPart)
  return parts.length === fields.length ? wellFormedKey([...parts, ...key]) : undefined
}

const rowsOf = (spec: CollectionSpec, body: object | null, key: DocumentKey): ReadonlyMap<string, DocumentKey> => {
  const rows = new Map<string, DocumentKey>()
  for (const index of body === null ? [] : spec.indexes) {
    const row = body === null ? undefined : rowOf(index, body, key)
    if (row !== undefined) rows.set(index.name, row)
  }
  return rows
}

/** Whether a row lies in the range: it begins with the prefix, and the part behind that lies within the bounds. */
const boundsOf = (query: RangeQuery): ((row: DocumentKey) => boolean) => {
  const prefix = wellFormedKey(query.prefix)
  const [from] = wellFormedKey(query.from === undefined ? [] : [query.from])
  const [to] = wellFormedKey(query.to === undefined ? [] : [query.to])
  return (row) => {
    if (!startsWith(row, prefix)) return false
    if (from === undefined && to === undefined) return true
    const part = row[prefix.length]
    if (part === undefined) return false
    return (from === undefined || compareParts(part, from) >= 0) && (to === undefined || compareParts(part, to) <= 0)
  }
}

export const createCollection = (spec: CollectionSpec): Collection => {
  const entries = new Map<string, Entry>()
  const nameOf = (key: DocumentKey): string => JSON.stringify(wellFormedKey(key))

  const documentOf = <Body>({ key, position, body }: Entry): StoredDocument<Body> | undefined =>
    body === undefined ? undefined : { key: [...key], position: { ...position }, body: deserialize(new Uint8Array(body)) }

  const rowIn = (entry: Entry, index: string | undefined): DocumentKey | undefined =>
    index === undefined ? entry.key : entry.rows.get(index)

  return {
    check: ({ key, body }) => {
      assert(key.length > 0, 'a key has at least one part')
      assertRowFits([spec.name, ...wellFormedKey(key)])
      for (const [index, row] of rowsOf(spec, body, key)) assertRowFits([spec.name, index, ...row])
    },
    write: ({ key, position, body }) => {
      const stored = entries.get(nameOf(key))
      const isOlder = stored !== undefined && stored.position.partition === position.partition && !isAfter(position, stored.position)
      if (isOlder) return 'older'
      entries.set(nameOf(key), {
        key: wellFormedKey(key),
        position: { partition: position.partition, offset: position.offset },
        body: body === null ? undefined : serialize(body),
        rows: rowsOf(spec, body, key),
      })
      return 'applied'
    },
    get: (key) => {
      const entry = entries.get(nameOf(key))
      return entry === undefined ? undefined : documentOf(entry)
    },
    range: <Body>(query: RangeQuery) => {
      const { index, order, offset = 0, limit } = query
      assert(index === undefined || spec.indexes.some(({ name }) => name === index), `${spec.name} has no index ${index}`)
      assert(Number.isSafeInteger(limit) && limit >= 0 && Number.isSafeInteger(offset) && offset >= 0, 'limit and offset are counts')
      const inBounds = boundsOf(query)
      const sign = order === 'ascending' ? 1 : -1
      return [...entries.values()]
        .flatMap((entry) => {
          const row = entry.body === undefined ? undefined : rowIn(entry, index)
          return row !== undefined && inBounds(row) ? [{ row, entry }] : []
        })
        .toSorted((a, b) => sign * compareKeys(a.row, b.row))
        .slice(offset, offset + limit)
        .flatMap(({ entry }) => documentOf<Body>(entry) ?? [])
    },
  }
}
