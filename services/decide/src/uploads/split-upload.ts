import type { BodyStream } from '@switchyard/http'
import { createArraySplitter } from './array-splitter.ts'
import type { Element, ElementSplitter } from './elements.ts'
import { createNdjsonSplitter } from './ndjson-splitter.ts'

const ARRAY_OPENING = 0x5b
const SPACE_MAX = 0x20
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const TOO_LARGE = { code: 'BODY_TOO_LARGE', message: 'the upload is too large; send what follows in another one' } as const

const isBlank = (chunk: Buffer): boolean => chunk.every((byte) => byte <= SPACE_MAX)

/** The form of an upload by its first character, whatever its content type says. */
const splitterFor = (chunk: Buffer, byteCountMax: number): { readonly splitter: ElementSplitter; readonly rest: Buffer } => {
  const text = chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk
  const first = text.findIndex((byte) => byte > SPACE_MAX)
  return text[first] === ARRAY_OPENING
    ? { splitter: createArraySplitter(byteCountMax), rest: text.subarray(first) }
    : { splitter: createNdjsonSplitter(byteCountMax), rest: text }
}

/** The elements of an upload, NDJSON or one JSON array, as they arrive: one list for each piece that was received. */
export const splitUpload = async function* (pieces: BodyStream, byteCountMax: number): AsyncGenerator<readonly Element[]> {
  let splitter: ElementSplitter | undefined
  for await (const piece of pieces) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (splitter === undefined) {
      if (isBlank(chunk)) continue
      const found = splitterFor(chunk, byteCountMax)
      splitter = found.splitter
      yield splitter.push(found.rest)
    } else yield splitter.push(chunk)
  }
  if (splitter === undefined) return
  yield pieces.isCut() ? [{ number: splitter.current(), problem: TOO_LARGE }] : splitter.end()
}
