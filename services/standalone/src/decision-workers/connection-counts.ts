/** The thread that accepts connections: it answers as the others do, and does more beside it. */
export const FIRST_THREAD = 0

/** How many connections each thread has, as all of them may look at it. */
export interface ConnectionCounts {
  readonly add: (thread: number, change: 1 | -1) => void
  readonly total: () => number
  /** The thread with the fewest; among equals the last, because the first has other work. */
  readonly next: () => number
}

/** Space for the counts of so many threads. */
export const shareConnectionCounts = (threadCount: number): SharedArrayBuffer =>
  new SharedArrayBuffer(threadCount * Int32Array.BYTES_PER_ELEMENT)

/** {@link ConnectionCounts} in this thread. */
export const createConnectionCounts = (shared: SharedArrayBuffer): ConnectionCounts => {
  const view = new Int32Array(shared)
  const countOf = (thread: number): number => Atomics.load(view, thread)
  return {
    add: (thread, change) => void Atomics.add(view, thread, change),
    total: () => view.reduce((sum, _, thread) => sum + countOf(thread), 0),
    next: () => view.reduce((fewest, _, thread) => (countOf(thread) <= countOf(fewest) ? thread : fewest), FIRST_THREAD),
  }
}
