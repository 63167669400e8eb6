import type { DocumentKey, KeyPart, Position, ReadStore, StoredDocument } from '@switchyard/kernel'

/** An ordered part of a collection, read in pages. */
export interface ScanRange {
  readonly collection: string
  readonly index?: string
  readonly prefix: DocumentKey
  /** Bounds of the part behind the prefix, both included; a missing one leaves that side open. */
  readonly from: number
  readonly to?: number
  readonly order: 'ascending' | 'descending'
  /** Most documents to read. */
  readonly documentsMax: number
  /** Documents to read in one call of the store: what is in memory at a time. */
  readonly pageDocuments: number
}

/** The newest event that an answer includes, by partition. */
export type IncludedPositions = Map<number, number>

/** Notes that an answer includes this position. */
export const include = (positions: IncludedPositions, { partition, offset }: Position): void => {
  positions.set(partition, Math.max(positions.get(partition) ?? offset, offset))
}

/** Where a page of an ordered range begins: at the last part of the page before, behind the documents that shared it. */
export interface ScanPage {
  readonly bound: KeyPart | undefined
  readonly offset: number
}

/** The page behind these documents. */
export const nextPage = <Body>(
  documents: readonly StoredDocument<Body>[],
  partOf: (document: StoredDocument<Body>) => number,
  page: ScanPage,
): ScanPage => {
  const last = documents.at(-1)
  if (last === undefined) return page
  const bound = partOf(last)
  const ties = documents.filter((document) => partOf(document) === bound).length
  return { bound, offset: bound === page.bound ? page.offset + ties : ties }
}

/**
 * Visits the documents of a range in pages, so that memory stays bounded. Answers whether the limit cut the range off. The
 * next page begins at the last part seen and skips the documents that shared it: pages stay cheap at any depth.
 */
export const scan = async <Body>(
  store: ReadStore,
  range: ScanRange,
  partOf: (document: StoredDocument<Body>) => number,
  visit: (document: StoredDocument<Body>) => void,
): Promise<'complete' | 'truncated'> => {
  const { collection, index, prefix, order, documentsMax } = range
  const isDown = order === 'descending'
  let page: ScanPage = { bound: isDown ? range.to : range.from, offset: 0 }
  for (let read = 0; ; ) {
    const limit = Math.min(range.pageDocuments, documentsMax - read + 1)
    const bounds = isDown ? { from: range.from, to: page.bound } : { from: page.bound, to: range.to }
    const documents = await store.range<Body>({
      collection,
      ...(index === undefined ? {} : { index }),
      prefix,
      ...(bounds.from === undefined ? {} : { from: bounds.from }),
      ...(bounds.to === undefined ? {} : { to: bounds.to }),
      order,
      offset: page.offset,
      limit,
    })
    for (const document of documents) {
      if (read === documentsMax) return 'truncated'
      read++
      visit(document)
    }
    if (documents.length < limit) return 'complete'
    page = nextPage(documents, partOf, page)
  }
}
