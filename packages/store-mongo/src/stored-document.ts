import {
  assert,
  type CollectionSpec,
  type DeclaredIndex,
  type DocumentKey,
  type DocumentWrite,
  type KeyPart,
  type StoredDocument,
} from '@switchyard/kernel'
import { BSON } from 'mongodb'
import { givenBody, storedBody } from './body.ts'
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

/** A write that was checked: the document that it puts there, and its size in bytes. */
export interface PreparedWrite {
  readonly document: MongoDocument
  readonly bytes: number
}

const isKeyPart = (value: unknown): value is KeyPart => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

const indexRow = ({ fields }: DeclaredIndex, body: ReadonlyMap<string, unknown>, key: DocumentKey): DocumentKey | undefined => {
  const parts = fields.map((field) => body.get(field)).filter(isKeyPart)
  return parts.length === fields.length ? [...parts, ...key] : undefined
}

const assertRowsFit = ({ name, indexes }: CollectionSpec, key: DocumentKey, body: object | null): void => {
  assertRowFits([name, ...key])
  const fields = new Map<string, unknown>(body === null ? [] : Object.entries(body))
  for (const index of indexes) {
    const lists = index.fields.filter((field) => Array.isArray(fields.get(field)))
    assert(lists.length < 2, `MongoDB takes no document with lists in two fields of an index: ${name} ${lists.join(', ')}`)
    const row = indexRow(index, fields, key)
    if (row !== undefined) assertRowFits([name, index.name, ...row])
  }
}

/** Checks a write and makes a copy of what it stores. Throws when the key or the document is too large. */
export const prepareWrite = (spec: CollectionSpec, { key, position, body }: DocumentWrite): PreparedWrite => {
  assert(key.length > 0, 'a key has at least one part')
  assertRowsFit(spec, key, body)
  const { partition, offset } = position
  const document = { _id: encodeKey(key), key: wellFormedKey(key), partition, offset, body: body === null ? null : storedBody(body) }
  const bytes = BSON.calculateObjectSize(document, { ignoreUndefined: true })
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
