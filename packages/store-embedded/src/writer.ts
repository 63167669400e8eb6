import { assert, type CollectionSpec, type DocumentWrite, type KeyPart, OperatingError, type WriteOutcome } from '@switchyard/kernel'
import { type Tables, unavailable } from './database.ts'
import { indexRows, indexRowsIn, isAtOrBehind, rowOf } from './document-row.ts'
import { WAITING_WRITE_COUNT_MAX } from './limits.ts'
import { encodeRow } from './row-key.ts'

/** A write and the collection that it goes to. */
interface SpecifiedWrite {
  readonly spec: CollectionSpec
  readonly write: DocumentWrite
}

export interface Writer {
  readonly write: (writes: readonly SpecifiedWrite[]) => Promise<readonly WriteOutcome[]>
  /** Resolves when no write is under way. */
  readonly idle: () => Promise<void>
}

/** All that a write needs, made and checked before the transaction begins: nothing may fail within it. */
interface PreparedWrite {
  readonly write: DocumentWrite
  readonly documentKey: Buffer
  readonly row: Buffer
  readonly indexKeys: readonly Buffer[]
}

/** As UTF-8 has it and with one zero, the same that the row key says. */
const storedPart = (part: KeyPart): KeyPart => (typeof part === 'number' ? part + 0 : part.toWellFormed())

const prepare = ({ spec, write }: SpecifiedWrite): PreparedWrite => {
  const { collection } = write
  assert(write.key.length > 0, 'a key has at least one part')
  const key = write.key.map(storedPart)
  const indexKeys = indexRows(spec, key, write.body)
  return { write, documentKey: encodeRow([collection, ...key]), row: rowOf({ ...write, key }, indexKeys), indexKeys }
}

const isAmong = (keys: readonly Buffer[], key: Buffer): boolean => keys.some((other) => other.equals(key))

/** Rows in the indexes that a document no longer has, and those that it did not have before: most replaced documents keep theirs. */
interface IndexChange {
  readonly outdated: readonly Buffer[]
  readonly added: readonly Buffer[]
}

/** What is told of `stored` is a copy: its bytes are another row's after the next call of the driver. */
const indexChange = (stored: Buffer | undefined, indexKeys: readonly Buffer[]): IndexChange => {
  if (stored === undefined) return { outdated: [], added: indexKeys }
  const before = indexRowsIn(stored)
  return {
    outdated: before.filter((key) => !isAmong(indexKeys, key)).map((key) => Buffer.from(key)),
    added: indexKeys.filter((key) => !isAmong(before, key)),
  }
}

/** Within a transaction, so that the comparison with what is stored holds until the commit, whoever else writes. */
const apply = ({ documents, indexes }: Tables, { write, documentKey, row, indexKeys }: PreparedWrite): WriteOutcome => {
  const stored = documents.getBinaryFast(documentKey)
  if (stored !== undefined && isAtOrBehind(stored, write.position)) return 'older'
  const { outdated, added } = indexChange(stored, indexKeys)
  // Synchronous: the promises of the others would reject one by one, with nobody to listen, when the commit fails.
  for (const key of outdated) indexes.removeSync(key)
  for (const key of added) indexes.putSync(key, documentKey)
  documents.putSync(documentKey, row)
  return 'applied'
}

export const createWriter = (tables: Tables): Writer => {
  const underWay = new Set<Promise<unknown>>()

  const commit = async (prepared: readonly PreparedWrite[]): Promise<readonly WriteOutcome[]> => {
    try {
      return await tables.write(() => tables.root.transaction(() => prepared.map((write) => apply(tables, write))))
    } catch (error) {
      throw unavailable('the read store could not be written', error)
    }
  }

  return {
    write: async (writes) => {
      if (underWay.size >= WAITING_WRITE_COUNT_MAX) {
        throw new OperatingError('STORE_UNAVAILABLE', `${underWay.size} writes wait for the disk already`, { retryable: true })
      }
      if (writes.length === 0) return []
      const running = commit(writes.map(prepare))
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    idle: async () => {
      await Promise.allSettled(underWay)
    },
  }
}
