import type { BodyStream } from '@switchyard/http'
import { createArraySplitter } from './array-splitter.ts'
import type { Element, ElementSplitter } from './elements.ts'
import { createNdjsonSplitter } from './ndjson-splitter.ts'

const ARRAY_OPENING = 0x5b
const NEWLINE = 0x0a
const SPACE_MAX = 0x20
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const TOO_LARGE = { code: 'BODY_TOO_LARGE', message: 'the upload is too large; send what follows in another one' } as const

/** What an upload begins with: until something stands there nobody knows its form. */
class Beginning {
  #bytes: Buffer = Buffer.alloc(0)
  /** Whether these are the very first bytes: a mark behind blanks is none. */
  #isFirst = true
  #blankLineCount = 0

  /** Takes the next bytes in; answers whether something but a byte order mark and blanks stands there. */
  add(chunk: Buffer): boolean {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    if (this.#isFirst && this.#bytes.equals(BYTE_ORDER_MARK.subarray(0, this.#bytes.length))) return false
    if (this.#isFirst && this.#bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) this.#bytes = this.#bytes.subarray(3)
    this.#isFirst = false
    if (this.#bytes.some((byte) => byte > SPACE_MAX)) return true
    for (const byte of this.#bytes) if (byte === NEWLINE) this.#blankLineCount += 1
    this.#bytes = Buffer.alloc(0)
    return false
  }

  /** The form of the upload by its first character, whatever its content type says; the first bytes are in it, its elements in `elements`. */
  splitter(byteCountMax: number): { readonly splitter: ElementSplitter; readonly elements: readonly Element[] } {
    const first = this.#bytes.findIndex((byte) => byte > SPACE_MAX)
    const isArray = this.#bytes[first] === ARRAY_OPENING
    const splitter = isArray ? createArraySplitter(byteCountMax) : createNdjsonSplitter(byteCountMax, this.#blankLineCount)
    return { splitter, elements: splitter.push(isArray ? this.#bytes.subarray(first) : this.#bytes) }
  }
}

/** The elements of an upload, NDJSON or one JSON array, as they arrive: one list for each piece that was received. */
export const splitUpload = async function* (pieces: BodyStream, byteCountMax: number): AsyncGenerator<readonly Element[]> {
  const beginning = new Beginning()
  let splitter: ElementSplitter | undefined
  for await (const piece of pieces) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (splitter !== undefined) yield splitter.push(chunk)
    else if (beginning.add(chunk)) {
      const found = beginning.splitter(byteCountMax)
      splitter = found.splitter
      yield found.elements
    }
  }
  splitter ??= beginning.splitter(byteCountMax).splitter
  yield pieces.isCut() ? [{ number: splitter.current(), problem: TOO_LARGE }] : splitter.end()
}
