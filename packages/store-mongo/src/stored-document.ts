import { assert, type CollectionSpec, type DocumentKey, type DocumentWrite, indexRowsOf, type StoredDocument } from '@switchyard/kernel'
import { givenBody, storedBody } from './body.ts'
import { documentBytes } from './document-size.ts'
import { assertRowFits, encodeKey, wellFormedKey } from './key-order.ts'
import { DOCUMENT_BYTES_MAX } from './limits.ts'

/** A document as MongoDB holds it. `_id` is the key in its order; a removed document stays, with `body: null`. */
export interface MongoDocument {
  readonly _id: string
  readonly key: DocumentKey
  readonly partition: number
  readonly offset: number
  readonly body: object | null
}

/** A write that was checked: the document that it puts there, and its bytes at most. */
export interface PreparedWrite {
  readonly document: MongoDocument
  readonly bytes: number
}

const assertRowsFit = ({ name, indexes }: CollectionSpec, key: DocumentKey, body: object | null): void => {
  assertRowFits([name, ...key])
  if (body === null) return
  for (const index of indexes) {
    const lists = index.fields.filter((field) => Array.isArray(Reflect.get(body, field)))
    assert(lists.length < 2, `MongoDB takes no document with lists in two fields of an index: ${name} ${lists.join(', ')}`)
    for (const row of indexRowsOf(index, body, key)) assertRowFits([name, index.name, ...row])
  }
}

/** Checks a write. Throws when the key or the document is too large. */
export const prepareWrite = (spec: CollectionSpec, { key, position, body }: DocumentWrite): PreparedWrite => {
  assert(key.length > 0, 'a key has at least one part')
  assertRowsFit(spec, key, body)
  const { partition, offset } = position
  const document = { _id: encodeKey(key), key: wellFormedKey(key), partition, offset, body: body === null ? null : storedBody(body) }
  const bytes = documentBytes(document, DOCUMENT_BYTES_MAX)
  assert(
    bytes <= DOCUMENT_BYTES_MAX,
    `a document of ${bytes} bytes in ${spec.name}, at most ${DOCUMENT_BYTES_MAX} are possible: ${JSON.stringify(key)}`,
  )
  return { document, bytes }
}

/** The document as the port gives it; undefined when it was removed. */
export const documentOf = <Body>({ key, partition, offset, body }: MongoDocument): StoredDocument<Body> | undefined => {
  if (body === null) return undefined
  const given: ReturnType<typeof JSON.parse> = givenBody(body)
  return { key, position: { partition, offset }, body: given }
}
