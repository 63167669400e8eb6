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

  let page = await read(beginning, undefined)
  let last = page.at(-1)?.key ?? []
  if (page.length > 0) yield page
  for (let level = page.length < LOAD_PAGE_COUNT ? -1 : last.length - 1; level >= beginning.length; ) {
    const part = last[level]
    page = part === undefined ? [] : await read(last.slice(0, level), behind(part))
    if (page.length > 0) yield page
    const isFull = page.length === LOAD_PAGE_COUNT
    last = isFull ? (page.at(-1)?.key ?? last) : last
    level = isFull ? last.length - 1 : level - 1
  }
}
