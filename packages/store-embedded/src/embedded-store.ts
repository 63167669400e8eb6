import {
  assert,
  type CollectionSpec,
  type DocumentKey,
  declaredSpec,
  indexOf,
  OperatingError,
  type RangeQuery,
  type ReadStore,
  type StoredDocument,
} from '@switchyard/kernel'
import { prepareFolder } from './data-folder.ts'
import { openTables, type Tables, unavailable } from './database.ts'
import { settleIndexes } from './declared-indexes.ts'
import { documentOf } from './document-row.ts'
import { dropCollection } from './drop-collection.ts'
import { boundsOf, wantedRow } from './row-key.ts'
import { createWriter } from './writer.ts'

/** Where an embedded read store lives, what it holds, and what this handle of it may do. */
export interface EmbeddedStoreOptions {
  /** Where the documents live; created when it does not exist. */
  readonly folder: string
  /** The same in all threads that have the store open; those with the role `writer` settle the indexes when they open it. */
  readonly collections: readonly CollectionSpec[]
  /** Any number of threads and processes may have each role. */
  readonly role: 'writer' | 'reader'
}

const closed = (): OperatingError => new OperatingError('STORE_CLOSED', 'the read store is closed', { retryable: false })

/** Passes assertions on, and makes an operating error of what the driver throws. */
const reading = async <Result>(tables: Tables, read: () => Result): Promise<Result> => {
  try {
    // What any thread has written before the call is seen.
    tables.root.resetReadTxn()
    return read()
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionFailed') throw error
    throw unavailable('the read store could not be read', error)
  }
}

interface Page {
  readonly offset: number
  readonly limit: number
}

/** What is left of removed documents stands between the others and counts for nothing. */
const pageOf = <Body>(rows: Iterable<{ readonly value: Buffer }>, { offset, limit }: Page): readonly StoredDocument<Body>[] => {
  const found: StoredDocument<Body>[] = []
  let toSkip = offset
  for (const { value } of rows) {
    const document = documentOf<Body>(value)
    if (document === undefined || toSkip-- > 0) continue
    if (found.push(document) >= limit) break
  }
  return found
}

const rangeOf = <Body>({ documents, indexes }: Tables, query: RangeQuery): readonly StoredDocument<Body>[] => {
  const { collection, index, prefix, from, to, order, offset = 0, limit } = query
  const { start, end } = boundsOf(index === undefined ? [collection, ...prefix] : [collection, index, ...prefix], from, to)
  if (limit === 0 || Buffer.compare(start, end) >= 0) return []
  const bounds = order === 'ascending' ? { start, end } : { start: end, end: start, reverse: true, inclusiveEnd: true }
  if (index === undefined) return pageOf(documents.getRange(bounds), { offset, limit })
  const keys = Array.from(indexes.getRange({ ...bounds, offset, limit }), ({ value }) => value)
  return keys.flatMap((key) => {
    const row = documents.get(key)
    return row === undefined ? [] : (documentOf<Body>(row) ?? [])
  })
}

/** Settles the indexes of a collection, or of a generation of it, before the first call that names it. */
const createSettling = (
  tables: Tables,
  role: EmbeddedStoreOptions['role'],
): { readonly settle: (spec: CollectionSpec) => void; readonly forget: (name: string) => void } => {
  const settled = new Set<string>()
  return {
    settle: (spec) => {
      if (role === 'reader' || settled.has(spec.name)) return
      settleIndexes(tables, spec)
      settled.add(spec.name)
    },
    forget: (name) => void settled.delete(name),
  }
}

/**
 * Opens the read store in a folder. Throws `DATA_FOLDER_FOREIGN` when something else is in it, `DATA_FOLDER_UNWRITABLE`,
 * or `STORE_UNAVAILABLE`.
 */
export const createEmbeddedStore = ({ folder, collections, role }: EmbeddedStoreOptions): ReadStore => {
  prepareFolder(folder)
  const tables = openTables(folder)
  const specs = new Map(collections.map((spec) => [spec.name, spec]))
  const settling = createSettling(tables, role)
  for (const spec of collections) settling.settle(spec)
  const writer = createWriter(tables)
  let closing: Promise<void> | undefined

  const specOf = (name: string): CollectionSpec => {
    if (closing !== undefined) throw closed()
    const spec = declaredSpec(specs, name)
    assert(spec !== undefined, `the collection ${name} was not declared`)
    settling.settle(spec)
    return spec
  }
  const get = <Body>(collection: string, key: DocumentKey): StoredDocument<Body> | undefined => {
    const wanted = wantedRow([collection, ...key])
    // Not a copy: it is read before the next call of the driver.
    const row = wanted === undefined ? undefined : tables.documents.getBinaryFast(wanted)
    return row === undefined ? undefined : documentOf(row)
  }
  const close = async (): Promise<void> => {
    await writer.idle()
    await tables.close()
  }

  return {
    get: async (collection, key) => {
      specOf(collection)
      return await reading(tables, () => get(collection, key))
    },
    getMany: async (collection, keys) => {
      specOf(collection)
      return await reading(tables, () => keys.map((key) => get(collection, key)))
    },
    range: async (query) => {
      indexOf(specOf(query.collection), query)
      return await reading(tables, () => rangeOf(tables, query))
    },
    write: async (writes) => {
      if (closing !== undefined) throw closed()
      assert(role === 'writer', 'this handle of the read store only reads')
      return await writer.write(writes.map((write) => ({ spec: specOf(write.collection), write })))
    },
    drop: async (name) => {
      specOf(name)
      assert(role === 'writer', 'this handle of the read store only reads')
      settling.forget(name)
      await dropCollection(tables, name)
    },
    close: async () => {
      closing ??= close()
      await closing
    },
  }
}
