import { type EmbeddedDatabase, openEmbeddedDatabase } from '@switchyard/embedded'
import { OperatingError } from '@switchyard/kernel'
import type { Database, Key } from 'lmdb'
import { DATABASE } from './data-folder.ts'
import { MAP_BYTES } from './limits.ts'

/** The tables of the store. Keys are rows as `row-key.ts` writes them. */
export interface Tables extends EmbeddedDatabase<unknown, Key> {
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
    const database = openEmbeddedDatabase<unknown, Key>(
      `${folder}/${DATABASE}`,
      {
        // With it each commit that fails, as on a full disk, rejects a promise of the driver that nobody has: that would end the process.
        eventTurnBatching: false,
        mapSize: MAP_BYTES,
        maxDbs: 8,
      },
      `remove ${folder}: it is filled again from the log`,
    )
    const { root } = database
    return database.openNow(() => ({
      ...database,
      documents: root.openDB('documents', { encoding: 'binary', keyEncoding: 'binary' }),
      indexes: root.openDB('indexes', { encoding: 'binary', keyEncoding: 'binary' }),
      declared: root.openDB('declared', { encoding: 'json' }),
    }))
  } catch (cause) {
    throw unavailable(`the read store in ${folder} could not be opened`, cause)
  }
}
