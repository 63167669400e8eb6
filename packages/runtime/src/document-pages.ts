import type { DocumentKey, KeyPart, ReadStore, StoredDocument } from '@switchyard/kernel'
import { LOAD_PAGE_COUNT } from './limits.ts'

/** The smallest number behind this one. */
const numberBehind = (value: number): number => {
  if (value === 0) return Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

const behind = (part: KeyPart): KeyPart => (typeof part === 'string' ? `${part}\0` : numberBehind(part))

/** Where a page begins: documents with this prefix, from this part on. */
interface Cursor {
  readonly prefix: DocumentKey
  readonly from: KeyPart | undefined
}

/** The documents behind all that begin with the first `level + 1` parts of this key; undefined above the beginning. */
const cursorBehind = (key: DocumentKey, level: number, levelMin: number): Cursor | undefined => {
  const part = key[level]
  return level < levelMin || part === undefined ? undefined : { prefix: key.slice(0, level), from: behind(part) }
}

/**
 * All documents of a collection whose keys have this beginning, page by page in the order of their keys, however many there are: a page begins behind the
 * last key, so a deep page costs what the first one does. The keys of the collection have the same number of parts.
 */
export async function* documentPages<Body>(
  store: ReadStore,
  collection: string,
  beginning: DocumentKey = [],
): AsyncGenerator<readonly StoredDocument<Body>[]> {
  const read = async (prefix: DocumentKey, from: KeyPart | undefined): Promise<readonly StoredDocument<Body>[]> =>
    await store.range<Body>({ collection, prefix, ...(from === undefined ? {} : { from }), order: 'ascending', limit: LOAD_PAGE_COUNT })

  let cursor: Cursor | undefined = { prefix: beginning, from: undefined }
  let last: DocumentKey = beginning
  while (cursor !== undefined) {
    const page: readonly StoredDocument<Body>[] = await read(cursor.prefix, cursor.from)
    if (page.length > 0) yield page
    const isFull = page.length === LOAD_PAGE_COUNT
    if (isFull) last = page.at(-1)?.key ?? last
    cursor = cursorBehind(last, (isFull ? last.length : cursor.prefix.length) - 1, beginning.length)
  }
}
