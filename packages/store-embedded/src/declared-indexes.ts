import type { CollectionSpec, DeclaredIndex } from '@switchyard/kernel'
import { type Tables, unavailable } from './database.ts'
import { indexRows, readRow, rowOf } from './document-row.ts'
import { SETTLED_PAGE_COUNT } from './limits.ts'
import { boundsOf, type RowBounds } from './row-key.ts'

const isSame = (a: DeclaredIndex, b: DeclaredIndex): boolean =>
  a.name === b.name && a.each === b.each && JSON.stringify(a.fields) === JSON.stringify(b.fields)

/** Keys of a table, page by page: nothing is changed under the cursor. */
function* pagesOf(table: Tables['documents'], bounds: RowBounds): Generator<readonly Buffer[]> {
  let { start } = bounds
  for (;;) {
    const page = Array.from(table.getKeys({ ...bounds, start, limit: SETTLED_PAGE_COUNT }))
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < SETTLED_PAGE_COUNT) return
    start = Buffer.concat([last, Buffer.of(0)])
  }
}

const clear = ({ indexes }: Tables, collection: string): void => {
  for (const page of pagesOf(indexes, boundsOf([collection], undefined, undefined))) for (const key of page) indexes.removeSync(key)
}

/** Writes every document again with its rows in the indexes that are declared now. */
const fill = ({ documents, indexes }: Tables, spec: CollectionSpec): void => {
  for (const page of pagesOf(documents, boundsOf([spec.name], undefined, undefined))) {
    for (const documentKey of page) {
      const stored = documents.get(documentKey)
      if (stored === undefined) continue
      const { key, position, body } = readRow(stored)
      const rows = indexRows(spec, key, body)
      for (const row of rows) indexes.putSync(row, documentKey)
      documents.putSync(documentKey, rowOf({ collection: spec.name, key, position, body }, rows))
    }
  }
}

/** Makes the stored indexes those that are declared, in one transaction. */
export const settleIndexes = (tables: Tables, spec: CollectionSpec): void => {
  const { name, indexes } = spec
  const isSettled = (): boolean => {
    const present = tables.declared.get(name) ?? []
    return present.length === indexes.length && indexes.every((index) => present.some((other) => isSame(index, other)))
  }
  const settle = (): void => {
    if (isSettled()) return
    clear(tables, name)
    fill(tables, spec)
    tables.declared.putSync(name, [...indexes])
  }
  if (isSettled()) return
  try {
    tables.writeNow(() => tables.root.transactionSync(settle))
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionFailed') throw error
    throw unavailable(`the indexes of ${name} could not be written`, error)
  }
}
