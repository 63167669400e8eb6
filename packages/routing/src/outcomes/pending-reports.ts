/** A report that is not final, and when the payment counts as failed if nothing else is heard of it. */
export interface PendingReport {
  /** Epoch milliseconds of event time. */
  readonly dueAt: number
  readonly paymentId: string
  readonly requestId: string
  readonly gateway: string
  readonly status: string
  /** Whether a failure would say nothing about the gateway. */
  readonly excused: boolean
}

/** Pending reports by the time they are due: a binary heap. One for which there is no room is not waited for. */
export class PendingReports {
  readonly #countMax: number
  /** No entry is due before the one at half its place. */
  readonly #heap: PendingReport[]

  /** `entries` as {@link entries} gave them. */
  constructor(countMax: number, entries: readonly PendingReport[] = []) {
    this.#countMax = countMax
    this.#heap = [...entries]
  }

  /** For a snapshot. */
  get entries(): readonly PendingReport[] {
    return this.#heap
  }

  add(report: PendingReport): void {
    const heap = this.#heap
    if (heap.length >= this.#countMax) return
    let at = heap.length
    for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
      const parent = heap[above]
      if (parent === undefined || parent.dueAt <= report.dueAt) break
      heap[at] = parent
      at = above
    }
    heap[at] = report
  }

  /** Nothing is waited for any more. */
  clear(): void {
    this.#heap.length = 0
  }

  /** Takes the report that was due first, if it was by `now`. */
  takeDue(now: number): PendingReport | undefined {
    const [first] = this.#heap
    if (first === undefined || first.dueAt > now) return undefined
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) this.#sink(last)
    return first
  }

  /** Puts an entry into the place of the first one, or as far down as it belongs. */
  #sink(report: PendingReport): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      const isRight = right !== undefined && left !== undefined && right.dueAt < left.dueAt
      const child = isRight ? right : left
      if (child === undefined || child.dueAt >= report.dueAt) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = report
  }
}
