import { isUtf8 } from 'node:buffer'
import { createElementBuffer, type Element, type ElementSplitter, isBlank } from './elements.ts'

const NEWLINE = 0x0a

/** One JSON text a line; blank lines are counted and skipped, as were those `before` the first bytes. */
export const createNdjsonSplitter = (byteCountMax: number, before: number): ElementSplitter => {
  const buffer = createElementBuffer(byteCountMax)
  let number = before

  const put = (elements: Element[], element: Element): void => {
    if (!isBlank(element)) elements.push(element)
  }

  /** A line that ends behind these bytes. */
  const putLine = (elements: Element[], bytes: Buffer): void => {
    buffer.add(bytes)
    put(elements, buffer.take(++number))
  }

  /** Lines of one chunk become texts together, unless one of them may have to be refused for its bytes. */
  const putLines = (elements: Element[], lines: Buffer): void => {
    if (lines.length <= byteCountMax && isUtf8(lines)) {
      for (const text of lines.toString().split('\n')) put(elements, { number: ++number, text })
      return
    }
    let start = 0
    for (let end = lines.indexOf(NEWLINE); end !== -1; end = lines.indexOf(NEWLINE, start)) {
      putLine(elements, lines.subarray(start, end))
      start = end + 1
    }
    putLine(elements, lines.subarray(start))
  }

  return {
    push: (chunk) => {
      const elements: Element[] = []
      const first = chunk.indexOf(NEWLINE)
      const last = chunk.lastIndexOf(NEWLINE)
      if (first !== -1) putLine(elements, chunk.subarray(0, first))
      if (last > first) putLines(elements, chunk.subarray(first + 1, last))
      buffer.add(chunk.subarray(last + 1))
      return elements
    },
    current: () => number + 1,
    end: () => {
      const elements: Element[] = []
      if (!buffer.isEmpty()) putLine(elements, Buffer.alloc(0))
      return elements
    },
  }
}
