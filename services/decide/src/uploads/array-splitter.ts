import { createElementBuffer, type Element, type ElementSplitter, isBlank, unreadable } from './elements.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const SPACE_MAX = 0x20
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Where in the text the scan is. Depth 0: before or after the array; 1: between its elements. */
interface Scan {
  depth: number
  isInText: boolean
  isEscaped: boolean
  isOver: boolean
}

/** Goes on by one byte; answers whether an element ended before it. */
const step = (scan: Scan, byte: number): boolean => {
  if (scan.isInText) {
    if (scan.isEscaped) scan.isEscaped = false
    else if (byte === BACKSLASH) scan.isEscaped = true
    else if (byte === QUOTE) scan.isInText = false
    return false
  }
  if (byte === QUOTE) scan.isInText = true
  else if (OPENING.has(byte)) scan.depth += 1
  else if (CLOSING.has(byte)) {
    scan.depth -= 1
    scan.isOver = scan.depth === 0
    return scan.isOver
  }
  return byte === COMMA && scan.depth === 1
}

/**
 * The elements of one JSON array, each left to be parsed on its own, so that a bad one takes no other along. The bytes from
 * the opening bracket on.
 */
export const createArraySplitter = (byteCountMax: number): ElementSplitter => {
  const buffer = createElementBuffer(byteCountMax)
  const scan: Scan = { depth: 0, isInText: false, isEscaped: false, isOver: false }
  let number = 0
  /** Something stands behind the array. */
  let hasMore = false

  /** An array without any element has a blank one before its end. */
  const take = (elements: Element[]): void => {
    const element = buffer.take(number + 1)
    if (scan.isOver && number === 0 && isBlank(element)) return
    number += 1
    elements.push(element)
  }

  const pushInside = (chunk: Buffer, elements: Element[]): number => {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const wasOutside = scan.depth === 0
      const isEnd = step(scan, chunk[at] ?? 0)
      if (wasOutside) start = at + 1
      if (!isEnd) continue
      buffer.add(chunk.subarray(start, at))
      take(elements)
      start = at + 1
      if (scan.isOver) return start
    }
    buffer.add(chunk.subarray(start))
    return chunk.length
  }

  return {
    push: (chunk) => {
      const elements: Element[] = []
      const start = scan.isOver ? 0 : pushInside(chunk, elements)
      if (chunk.subarray(start).some((byte) => byte > SPACE_MAX)) hasMore = true
      return elements
    },
    current: () => number + 1,
    end: () => {
      if (scan.isOver && !hasMore) return []
      return [unreadable(number + 1, scan.isOver ? 'text after the end of the array' : 'the array does not end')]
    },
  }
}
