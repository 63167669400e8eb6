import { createElementBuffer, type Element, type ElementSplitter } from './elements.ts'

const NEWLINE = 0x0a
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d])

const isBlank = ({ bytes }: Element): boolean => bytes?.every((byte) => SPACES.has(byte)) === true

/** One JSON text a line; blank lines are counted and skipped. */
export const createNdjsonSplitter = (byteCountMax: number): ElementSplitter => {
  const buffer = createElementBuffer(byteCountMax)
  let number = 0

  const take = (elements: Element[]): void => {
    const element = buffer.take(++number)
    if (!isBlank(element)) elements.push(element)
  }

  return {
    push: (chunk) => {
      const elements: Element[] = []
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        buffer.add(chunk.subarray(start, end))
        take(elements)
        start = end + 1
      }
      buffer.add(chunk.subarray(start))
      return elements
    },
    current: () => number + 1,
    end: () => {
      const elements: Element[] = []
      if (!buffer.isEmpty()) take(elements)
      return elements
    },
  }
}
