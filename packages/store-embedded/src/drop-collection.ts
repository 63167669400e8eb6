import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Tables, unavailable } from './database.ts'
import { SETTLED_PAGE_COUNT } from './limits.ts'
import { boundsOf } from './row-key.ts'

/** Removes one page of the rows that begin with the collection's name; resolves whether there may be more. */
const removePage = async ({ root, write }: Tables, table: Tables['documents'], collection: string): Promise<boolean> => {
  const keys = Array.from(table.getKeys({ ...boundsOf([collection], undefined, undefined), limit: SETTLED_PAGE_COUNT }))
  await write(() =>
    root.transaction(() => {
      for (const key of keys) table.removeSync(key)
    }),
  )
  return keys.length === SETTLED_PAGE_COUNT
}

/** Removes the documents of a collection and its rows in the indexes, page by page: other writers get their turns in between. */
export const dropCollection = async (tables: Tables, collection: string): Promise<void> => {
  try {
    tables.root.resetReadTxn()
    for (const table of [tables.indexes, tables.documents]) while (await removePage(tables, table, collection)) await nextTurn()
    await tables.write(() => tables.declared.remove(collection))
  } catch (error) {
    throw unavailable(`the collection ${collection} could not be removed`, error)
  }
}
