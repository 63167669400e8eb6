import { OperatingError } from '@switchyard/kernel'
import { type Database, open, type RootDatabase } from 'lmdb'
import { DATABASE } from './data-folder.ts'
import { MAP_BYTES } from './limits.ts'

/** The tables of the store. Keys are rows as `row-key.ts` writes them. */
export interface Tables {
  readonly root: RootDatabase
  /** [collection, ...key] -> row as `document-row.ts` writes it. */
  readonly documents: Database<Buffer, Buffer>
  /** [collection, index, ...fields, ...key] -> row key of the document. */
  readonly indexes: Database<Buffer, Buffer>
  /** Name of a collection -> its indexes as they are filled. */
  readonly declared: Database<readonly { readonly name: string; readonly fields: readonly string[] }[], string>
}

/** An I/O failure of the store. */
export const unavailable = (message: string, cause: unknown): OperatingError =>
  new OperatingError('STORE_UNAVAILABLE', message, { retryable: true, cause })

/** Opens the tables in this folder; several threads and processes may have them open and write. */
export const openTables = (folder: string): Tables => {
  try {
    const root = open({
      path: `${folder}/${DATABASE}`,
      // A write ends when it is on disk, and nobody sees it before.
      overlappingSync: false,
      noSubdir: false,
      mapSize: MAP_BYTES,
      maxDbs: 8,
    })
    return {
      root,
      documents: root.openDB('documents', { encoding: 'binary', keyEncoding: 'binary' }),
      indexes: root.openDB('indexes', { encoding: 'binary', keyEncoding: 'binary' }),
      declared: root.openDB('declared', { encoding: 'json' }),
    }
  } catch (cause) {
    throw unavailable(`the read store in ${folder} could not be opened`, cause)
  }
}
