import { StringDecoder } from 'node:string_decoder'

/** What a file begins with that is no text in UTF-8. */
const FOREIGN: readonly (readonly [what: string, start: readonly number[]])[] = [
  ['a ZIP archive (or a spreadsheet); save it as CSV', [0x50, 0x4b, 0x03, 0x04]],
  ['compressed by gzip; unpack it', [0x1f, 0x8b]],
  ['compressed by bzip2; unpack it', [0x42, 0x5a, 0x68]],
  ['compressed by xz; unpack it', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['compressed by zstd; unpack it', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['in UTF-16; save it as UTF-8', [0xff, 0xfe]],
  ['in UTF-16; save it as UTF-8', [0xfe, 0xff]],
]

/** What a file is, by its first bytes, when it can't be a table in UTF-8. Nothing is ever unpacked. */
export const foreignFormat = (start: Uint8Array): string | undefined =>
  FOREIGN.find(([, mark]) => mark.every((byte, at) => start[at] === byte))?.[0] ??
  (start.subarray(0, 1024).includes(0) ? 'no text: it holds zero bytes' : undefined)

/** Bytes to text, characters that two pieces share included. */
export interface TextDecoding {
  readonly take: (bytes: Buffer) => string
  readonly finish: () => string
}

/** {@link TextDecoding} of UTF-8; what is none becomes U+FFFD. */
export const createTextDecoding = (): TextDecoding => {
  const decoder = new StringDecoder('utf8')
  return { take: (bytes) => decoder.write(bytes), finish: () => decoder.end() }
}
