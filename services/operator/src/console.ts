import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Where a command talks to. */
export interface Console {
  /** A line of the result; resolves when there is room for the next one. */
  readonly print: (line: string) => Promise<void>
  /** A line about the result, on the side. */
  readonly note: (line: string) => void
  /** The line that shows how far something is; replaces the one before on a terminal, and comes at intervals elsewhere. */
  readonly progress: (line: string, isLast: boolean) => void
}

/** Pause between two lines of progress where they can't replace each other, and where they can, milliseconds. */
const LINE_INTERVAL_MS = 5_000
const REDRAW_INTERVAL_MS = 100

/** A {@link Console} on the streams of the process. */
export const createConsole = (out: Writable, side: Writable & { readonly isTTY?: boolean }): Console => {
  const isTerminal = side.isTTY === true
  let shownMs = Number.NEGATIVE_INFINITY
  /** A line of progress stands there that the next one replaces. */
  let isReplaced = false
  return {
    print: async (line) => {
      if (!out.write(`${line}\n`)) await once(out, 'drain')
    },
    note: (line) => {
      side.write(`${isReplaced ? '\n' : ''}${line}\n`)
      isReplaced = false
    },
    progress: (line, isLast) => {
      const nowMs = performance.now()
      if (!isLast && nowMs - shownMs < (isTerminal ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS)) return
      shownMs = nowMs
      isReplaced = isTerminal && !isLast
      side.write(isTerminal ? `\r\u001B[2K${line}${isLast ? '\n' : ''}` : `${line}\n`)
    },
  }
}
