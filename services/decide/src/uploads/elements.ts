import { isUtf8 } from 'node:buffer'
import type { UploadRefusal } from './upload-results.ts'

/** One outcome of an upload as text, or why there is none. `number` is its line, or its place in the array, from 1. */
export type Element =
  | { readonly number: number; readonly text: string; readonly problem?: never }
  | { readonly number: number; readonly text?: never; readonly problem: UploadRefusal }

/** An outcome that can't be read. */
export const unreadable = (number: number, message: string): Element => ({ number, problem: { code: 'INVALID_INPUT', message } })

const BLANK = /^[ \t\r\n]*$/

/** Whether nothing stands where an outcome could. */
export const isBlank = ({ text }: Element): boolean => text !== undefined && BLANK.test(text)

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

  const element = (number: number): Element => {
    if (byteCount > byteCountMax) return unreadable(number, `longer than ${byteCountMax} bytes`)
    const bytes = Buffer.concat(parts)
    return isUtf8(bytes) ? { number, text: bytes.toString() } : unreadable(number, 'not UTF-8')
  }

  return {
    add: (bytes) => {
      byteCount += bytes.length
      if (byteCount > byteCountMax) parts = []
      else if (bytes.length > 0) parts.push(bytes)
    },
    isEmpty: () => byteCount === 0,
    take: (number) => {
      const taken = element(number)
      parts = []
      byteCount = 0
      return taken
    },
  }
}
