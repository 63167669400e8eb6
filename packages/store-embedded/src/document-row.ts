import type { CollectionSpec, DeclaredIndex, DocumentKey, DocumentWrite, KeyPart, Position, StoredDocument } from '@switchyard/kernel'
import { encodeRow } from './row-key.ts'

/** What stands under the row key of a document: partition, offset, the key, the body (null after a removal). */
export type DocumentRow = readonly [
  partition: number,
  offset: number,
  key: readonly KeyPart[],
  body: Readonly<Record<string, unknown>> | null,
]

/** The driver gives bytes as its own class of them; the port promises plain ones. */
const plainBytes = (value: unknown): unknown => (value instanceof Uint8Array ? new Uint8Array(value) : value)

/** The document in the row; undefined when it was removed. */
export const documentOf = <Body>([partition, offset, key, body]: DocumentRow): StoredDocument<Body> | undefined => {
  if (body === null) return undefined
  const plain: ReturnType<typeof JSON.parse> = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, plainBytes(value)]))
  return { key, position: { partition, offset }, body: plain }
}

/** A buffer may be used again by whoever handed it over; everything else in a body never changes. */
const ownBytes = (value: unknown): unknown => (value instanceof Uint8Array ? value.slice() : value)

export const rowOf = ({ key, position, body }: DocumentWrite): DocumentRow => [
  position.partition,
  position.offset,
  key,
  body === null ? null : Object.fromEntries(Object.entries(body).map(([name, value]) => [name, ownBytes(value)])),
]

/** Whether the row includes this position already. */
export const isAtOrBehind = ([partition, offset]: DocumentRow, position: Position): boolean =>
  partition === position.partition && offset >= position.offset

const isKeyPart = (value: unknown): value is KeyPart => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

/** Row key of the document in the index; undefined when the body lacks one of the fields. */
export const indexRow = (
  collection: string,
  { name, fields }: DeclaredIndex,
  key: DocumentKey,
  body: DocumentRow[3],
): Buffer | undefined => {
  const parts = fields.map((field) => (body !== null && Object.hasOwn(body, field) ? body[field] : undefined)).filter(isKeyPart)
  return parts.length === fields.length ? encodeRow([collection, name, ...parts, ...key]) : undefined
}

/** Row keys of the document in all indexes of its collection. */
export const indexRows = ({ name, indexes }: CollectionSpec, key: DocumentKey, body: DocumentRow[3]): readonly Buffer[] =>
  body === null ? [] : indexes.flatMap((index) => indexRow(name, index, key, body) ?? [])
