import type { Part } from './lifecycle.ts'
import { pause, type Timers } from './timers.ts'

/** A part that looks at everything it has to do with, again and again. */
export interface Rounds extends Part {
  /** Looks at each item once, now. */
  readonly round: () => Promise<void>
  readonly start: () => Promise<void>
}

/** What {@link createRounds} needs. */
export interface RoundsOptions<Item> {
  /** Of the part. */
  readonly name: string
  /** What there is to look at when a round begins. */
  readonly items: () => Iterable<Item>
  readonly lookAt: (item: Item) => Promise<void>
  /** One that fails does not keep the others from their turn: it is told to operators, and looked at again in the next round. */
  readonly onFailure: (item: Item, error: unknown) => void
  /** Between two rounds, milliseconds. */
  readonly pauseMs: number
  readonly timers: Timers
}

/** {@link Rounds}, one item after the other. A stop waits for the one that is looked at. */
export const createRounds = <Item>({ name, items, lookAt, onFailure, pauseMs, timers }: RoundsOptions<Item>): Rounds => {
  const ending = new AbortController()
  const { signal } = ending
  let running: Promise<void> = Promise.resolve()

  const round = async (): Promise<void> => {
    for (const item of items()) {
      if (signal.aborted) return
      await lookAt(item).catch((error: unknown) => onFailure(item, error))
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await round()
      await pause(timers, pauseMs, signal)
    }
  }

  return {
    name,
    round,
    start: async () => {
      running = run()
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
