import { ADAPTIVE_OPTIMISTIC_COUNT, findRateChange, type RateChange, rateChangeAt } from '../scoring/rate-change.ts'
import { ScoreWindow } from '../scoring/score-window.ts'
import type { DroppedOutcomes, GatewayScore } from './outcome-effect.ts'

/** A window, and when it got its last outcome (event time, epoch milliseconds). */
export interface FedWindow {
  readonly window: ScoreWindow
  fedAt: number
}

/** One outcome for a window. */
export interface WindowFeed {
  readonly key: string
  readonly success: boolean
  readonly bucketSize: number
  readonly adaptive: boolean
  readonly at: number
}

/** The score of a gateway without outcomes (decide.md 5.2). */
export const scoreOfWindow = (window: ScoreWindow | undefined, bucketSize: number): GatewayScore =>
  window === undefined
    ? { value: 1, sampleCount: 0, bucketSize }
    : { value: window.score(bucketSize), sampleCount: window.sampleCount(bucketSize), bucketSize }

const optimisticCountOf = (bucketSize: number, adaptive: boolean): number =>
  adaptive ? Math.min(bucketSize, ADAPTIVE_OPTIMISTIC_COUNT) : bucketSize

const dropped = (window: ScoreWindow, change: RateChange | null): DroppedOutcomes | null => {
  if (change === null) return null
  window.forgetBefore(change.newerCount, ADAPTIVE_OPTIMISTIC_COUNT)
  return { count: change.olderCount, olderRate: change.olderRate, newerRate: change.newerRate }
}

/** All success-rate windows of a merchant, bounded by count. */
export class MerchantWindows {
  readonly #windows: Map<string, FedWindow> = new Map()
  readonly #countMax: number
  #firstSequence: number

  constructor(countMax: number, firstSequence = 0) {
    this.#countMax = countMax
    this.#firstSequence = firstSequence
  }

  /** First entry number of new windows: a window that is made again never knows an entry of its forgotten predecessor. */
  get firstSequence(): number {
    return this.#firstSequence
  }

  get(key: string): ScoreWindow | undefined {
    return this.#windows.get(key)?.window
  }

  /** In the order of their creation. */
  entries(): IterableIterator<[string, FedWindow]> {
    return this.#windows.entries()
  }

  get size(): number {
    return this.#windows.size
  }

  /** Puts back a window of a snapshot. */
  restore(key: string, fed: FedWindow): void {
    this.#windows.set(key, fed)
  }

  /** Pushes an outcome, into a new window where there is none; answers the number of the entry. */
  feed({ key, success, bucketSize, adaptive, at }: WindowFeed): number {
    let fed = this.#windows.get(key)
    if (fed === undefined) {
      if (this.#windows.size >= this.#countMax) this.#forgetOldest()
      fed = { window: ScoreWindow.optimistic(this.#firstSequence, optimisticCountOf(bucketSize, adaptive)), fedAt: at }
      this.#windows.set(key, fed)
    }
    fed.fedAt = at
    return fed.window.push(success ? 1 : 0, bucketSize)
  }

  /** Drops what the newest outcomes prove to be old (contract/README.md 4). */
  dropOutdated(key: string): DroppedOutcomes | null {
    const window = this.get(key)
    return window === undefined ? null : dropped(window, findRateChange(window))
  }

  /** Keeps the newest outcomes only: those that brought the gateway back. */
  keepNewest(key: string, keptCount: number): DroppedOutcomes | null {
    const window = this.get(key)
    return window === undefined ? null : dropped(window, rateChangeAt(window, keptCount))
  }

  #forgetOldest(): void {
    const oldestFirst = [...this.#windows].sort(([, a], [, b]) => a.fedAt - b.fedAt)
    for (const [key, { window }] of oldestFirst.slice(0, Math.max(1, this.#countMax >> 3))) {
      this.#firstSequence = Math.max(this.#firstSequence, window.next)
      this.#windows.delete(key)
    }
  }
}
