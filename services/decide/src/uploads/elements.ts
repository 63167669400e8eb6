import type { UploadRefusal } from './upload-results.ts'

/** One outcome of an upload as bytes, or why there are none. `number` is its line, or its place in the array, from 1. */
export type Element =
  | { readonly number: number; readonly bytes: Buffer; readonly problem?: never }
  | { readonly number: number; readonly bytes?: never; readonly problem: UploadRefusal }

/** An outcome that can't be read. */
export const unreadable = (number: number, message: string): Element => ({ number, problem: { code: 'INVALID_INPUT', message } })

/** Takes an upload apart, chunk by chunk. */
export interface ElementSplitter {
  /** Elements that ended within this chunk. */
  readonly push: (chunk: Buffer) => readonly Element[]
  /** Number of the element that is being read. */
  readonly current: () => number
  /** What is left when the upload ends. */
  readonly end: () => readonly Element[]
}

/** Collects the bytes of one element over several chunks; keeps nothing of one that is too long. */
export interface ElementBuffer {
  readonly add: (bytes: Buffer) => void
  readonly isEmpty: () => boolean
  /** The element, and an empty buffer. */
  readonly take: (number: number) => Element
}

/** An empty {@link ElementBuffer}. */
export const createElementBuffer = (byteCountMax: number): ElementBuffer => {
  let parts: Buffer[] = []
  let byteCount = 0
  return {
    add: (bytes) => {
      byteCount += bytes.length
      if (byteCount > byteCountMax) parts = []
      else if (bytes.length > 0) parts.push(bytes)
    },
    isEmpty: () => byteCount === 0,
    take: (number) => {
      const [first] = parts
      const isTooLong = byteCount > byteCountMax
      const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
      parts = []
      byteCount = 0
      return isTooLong ? unreadable(number, `longer than ${byteCountMax} bytes`) : { number, bytes }
    },
  }
}
