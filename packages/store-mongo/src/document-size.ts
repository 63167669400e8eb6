import { BSON } from 'mongodb'

/** Bytes of UTF-8 that a unit of UTF-16 takes at most. */
const UNIT_BYTES_MAX = 3
/** Of a list or of fields: their length before them, and the end mark. */
const FRAME_BYTES = 5
/** A type, and the end mark of a name. */
const FIELD_BYTES = 2
/** The place of a member of a list, which is its name: a list within the bound of a document has fewer members than this has digits for. */
const PLACE_BYTES_MAX = 8
const NUMBER_BYTES_MAX = 8
/** Length and end mark of a text, length and kind of a byte array. */
const TEXT_FRAME_BYTES = 5

const bytesMaxOf = (value: unknown): number => {
  if (typeof value === 'string') return TEXT_FRAME_BYTES + UNIT_BYTES_MAX * value.length
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES_MAX
  if (value instanceof Uint8Array) return TEXT_FRAME_BYTES + value.length
  let bytes = FRAME_BYTES
  if (Array.isArray(value)) for (const member of value) bytes += FIELD_BYTES + PLACE_BYTES_MAX + bytesMaxOf(member)
  else for (const name in value) bytes += FIELD_BYTES + UNIT_BYTES_MAX * name.length + bytesMaxOf(Reflect.get(value, name))
  return bytes
}

/** Bytes of a document as MongoDB gets it: exact when they may be more than `bytesMax`, else what they are at most, which is quicker. */
export const documentBytes = (document: object, bytesMax: number): number => {
  const atMost = bytesMaxOf(document)
  return atMost <= bytesMax ? atMost : BSON.calculateObjectSize(document, { ignoreUndefined: true })
}
