import { BroadcastChannel } from 'node:worker_threads'

/** Tells every tail of the log, in all threads of the process, that there may be something new. */
export interface Notices {
  readonly announce: () => void
  /** Counts the notices; what was read at one count may be outdated at the next. */
  readonly count: () => number
  /** Resolves at the next notice after the count was `seen`. */
  readonly after: (seen: number) => Promise<void>
  /** Wakes the tails of this thread only. */
  readonly wake: () => void
  readonly close: () => void
}

/** Notices of the log in this folder. They keep no process alive. */
export const openNotices = (path: string): Notices => {
  const channel = new BroadcastChannel(`switchyard-log:${path}`)
  channel.unref()
  let count = 0
  let waiting: (() => void)[] = []

  const wake = (): void => {
    count += 1
    const woken = waiting
    waiting = []
    for (const resume of woken) resume()
  }
  channel.onmessage = wake

  return {
    announce: () => {
      channel.postMessage(null)
      wake()
    },
    count: () => count,
    after: async (seen) => {
      if (count === seen) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    wake,
    close: () => {
      channel.close()
      wake()
    },
  }
}
