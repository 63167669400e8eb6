import { deserialize, serialize } from 'node:v8'
import {
  assert,
  type CollectionSpec,
  type DocumentKey,
  type DocumentWrite,
  indexOf,
  indexRowsOf,
  isAfter,
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
  /** Rows of the document in each index. */
  readonly rows: ReadonlyMap<string, readonly DocumentKey[]>
}

const rowsOf = ({ indexes }: CollectionSpec, body: object | null, key: DocumentKey): Entry['rows'] =>
  new Map(body === null ? [] : indexes.map((index) => [index.name, indexRowsOf(index, body, key).map(wellFormedKey)]))

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

  const rowsIn = (entry: Entry, index: string | undefined): readonly DocumentKey[] => {
    if (entry.body === undefined) return []
    return index === undefined ? [entry.key] : (entry.rows.get(index) ?? [])
  }

  return {
    check: ({ key, body }) => {
      assert(key.length > 0, 'a key has at least one part')
      assertRowFits([spec.name, ...wellFormedKey(key)])
      for (const [index, rows] of rowsOf(spec, body, key)) for (const row of rows) assertRowFits([spec.name, index, ...row])
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
      const { order, offset = 0, limit } = query
      const index = indexOf(spec, query)?.name
      const inBounds = boundsOf(query)
      const sign = order === 'ascending' ? 1 : -1
      return [...entries.values()]
        .flatMap((entry) => {
          // A range names one member of a list: of the rows that it holds, all but one are of other texts with the same UTF-8.
          const row = rowsIn(entry, index).find(inBounds)
          return row === undefined ? [] : [{ row, entry }]
        })
        .toSorted((a, b) => sign * compareKeys(a.row, b.row))
        .slice(offset, offset + limit)
        .flatMap(({ entry }) => documentOf<Body>(entry) ?? [])
    },
  }
}
