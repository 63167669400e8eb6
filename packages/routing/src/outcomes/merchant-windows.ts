import { compactKey } from '../scoring/dimension.ts'
import { ADAPTIVE_OPTIMISTIC_COUNT, findRateChange, type RateChange, rateChangeAt } from '../scoring/rate-change.ts'
import { ScoreWindow, type ScoreWindowState } from '../scoring/score-window.ts'
import { WordPool } from '../scoring/word-pool.ts'
import { ClockHand } from './clock-hand.ts'
import type { PaymentFoldLimits } from './limits.ts'
import type { DroppedOutcomes, GatewayScore } from './outcome-effect.ts'

const MS_PER_SECOND = 1_000

/** One outcome for a window. */
export interface WindowFeed {
  readonly key: string
  readonly success: boolean
  readonly bucketSize: number
  readonly adaptive: boolean
  readonly at: number
}

/** The score of a gateway that nothing is known of (decide.md 5.2). */
export const SCORE_WITHOUT_OUTCOMES = 1

/** The score of a gateway, and what it stands on. */
export const scoreOfWindow = (window: ScoreWindow | undefined, bucketSize: number): GatewayScore =>
  window === undefined
    ? { value: SCORE_WITHOUT_OUTCOMES, sampleCount: 0, bucketSize }
    : { value: window.score(bucketSize), sampleCount: window.sampleCount(bucketSize), bucketSize }

const optimisticCountOf = (bucketSize: number, adaptive: boolean): number =>
  adaptive ? Math.min(bucketSize, ADAPTIVE_OPTIMISTIC_COUNT) : bucketSize

const dropped = (window: ScoreWindow, change: RateChange | null): DroppedOutcomes | null => {
  if (change === null) return null
  window.forgetBefore(change.newerCount, ADAPTIVE_OPTIMISTIC_COUNT)
  return { count: change.olderCount, olderRate: change.olderRate, newerRate: change.newerRate }
}

const fedAt = ({ fedAtSeconds }: ScoreWindow): number => fedAtSeconds

/** How many windows a merchant has. */
export type WindowLimits = Pick<PaymentFoldLimits, 'windowCountMax' | 'windowKeysLengthMax'>

/** All success-rate windows of a merchant, bounded by count and by what their keys take. */
export class MerchantWindows {
  readonly #windows: Map<string, ScoreWindow> = new Map()
  /** Not there until it is needed: most merchants never have so many. */
  #hand: ClockHand<ScoreWindow> | undefined
  readonly #pool = new WordPool()
  readonly #limits: WindowLimits
  /** Characters of all keys. */
  #keysLength = 0
  #firstSequence: number
  #changeCount = 0

  /** `firstSequence` and `passedCount` are those of a snapshot. */
  constructor(limits: WindowLimits, firstSequence = 0, passedCount = 0) {
    this.#limits = limits
    this.#firstSequence = firstSequence
    if (passedCount > 0) this.#hand = new ClockHand(this.#windows, fedAt, passedCount)
  }

  /** First entry number of new windows: a window that is made again never knows an entry of its forgotten predecessor. */
  get firstSequence(): number {
    return this.#firstSequence
  }

  /** How often windows came or went: who holds windows looks them up again when it has changed. */
  get changeCount(): number {
    return this.#changeCount
  }

  /** How many windows it has passed in the order of their creation whoever forgets one when there is no room. */
  get passedCount(): number {
    return this.#hand?.passedCount ?? 0
  }

  get(key: string): ScoreWindow | undefined {
    return this.#windows.get(key)
  }

  /** In the order of their creation. */
  entries(): IterableIterator<[string, ScoreWindow]> {
    return this.#windows.entries()
  }

  get size(): number {
    return this.#windows.size
  }

  /** Puts back a window of a snapshot. */
  restore(key: string, state: ScoreWindowState, fedAtSeconds: number): void {
    this.#add(key, ScoreWindow.restore(state, this.#pool)).fedAtSeconds = fedAtSeconds
  }

  /** Pushes an outcome, into a new window where there is none; answers the number of the entry. */
  feed({ key, success, bucketSize, adaptive, at }: WindowFeed): number {
    const window = this.#windows.get(key) ?? this.#create(key, optimisticCountOf(bucketSize, adaptive))
    window.fedAtSeconds = Math.floor(at / MS_PER_SECOND)
    return window.push(success ? 1 : 0, bucketSize)
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

  #create(key: string, optimisticCount: number): ScoreWindow {
    const { windowCountMax, windowKeysLengthMax } = this.#limits
    while (this.#windows.size > 0 && (this.#windows.size >= windowCountMax || this.#keysLength + key.length > windowKeysLengthMax))
      this.#forgetOne()
    return this.#add(key, ScoreWindow.optimistic(this.#firstSequence, optimisticCount, this.#pool))
  }

  #add(key: string, window: ScoreWindow): ScoreWindow {
    this.#windows.set(compactKey(key), window)
    this.#keysLength += key.length
    this.#changeCount += 1
    return window
  }

  /** Forgets them all. */
  clear(): void {
    for (const window of this.#windows.values()) this.#end(window)
    this.#windows.clear()
    this.#keysLength = 0
    this.#hand = undefined
  }

  #forgetOne(): void {
    this.#hand ??= new ClockHand(this.#windows, fedAt)
    const forgotten = this.#hand.forget()
    if (forgotten === undefined) return
    const [key, window] = forgotten
    this.#keysLength -= key.length
    this.#end(window)
  }

  #end(window: ScoreWindow): void {
    this.#firstSequence = Math.max(this.#firstSequence, window.next)
    this.#changeCount += 1
    window.free()
  }
}
