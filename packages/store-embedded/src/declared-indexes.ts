import type { CollectionSpec, DeclaredIndex } from '@switchyard/kernel'
import type { Tables } from './database.ts'
import { indexRow, readRow } from './document-row.ts'
import { boundsOf } from './row-key.ts'

const isSame = (a: DeclaredIndex, b: DeclaredIndex): boolean => a.name === b.name && JSON.stringify(a.fields) === JSON.stringify(b.fields)

const clear = ({ indexes }: Tables, collection: string, index: string): void => {
  // All keys first: nothing is removed from under the cursor.
  const keys = Array.from(indexes.getKeys(boundsOf([collection, index], undefined, undefined)))
  for (const key of keys) indexes.removeSync(key)
}

const fill = ({ documents, indexes }: Tables, collection: string, index: DeclaredIndex): void => {
  for (const { key: documentKey, value } of documents.getRange(boundsOf([collection], undefined, undefined))) {
    const { key, body } = readRow(value)
    const row = indexRow(collection, index, key, body)
    if (row !== undefined) indexes.putSync(row, documentKey)
  }
}

/** Makes the stored indexes those that are declared: new and changed ones are filled, others dropped, in one transaction. */
export const settleIndexes = (tables: Tables, { name, indexes }: CollectionSpec): void => {
  const present = tables.declared.get(name) ?? []
  if (present.length === indexes.length && indexes.every((index) => present.some((other) => isSame(index, other)))) return
  tables.root.transactionSync(() => {
    const before = tables.declared.get(name) ?? []
    for (const index of before) if (!indexes.some((other) => isSame(index, other))) clear(tables, name, index.name)
    for (const index of indexes) if (!before.some((other) => isSame(index, other))) fill(tables, name, index)
    tables.declared.putSync(name, [...indexes])
  })
}
