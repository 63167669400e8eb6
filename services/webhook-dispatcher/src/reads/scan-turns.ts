import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadStore } from '@switchyard/kernel'

/** The end of the line of those that read pages of a store. */
const lines = new WeakMap<Pick<ReadStore, 'range'>, Promise<unknown>>()

/**
 * Resolves when a page of this store may be read: all who go through many pages read one in a turn of the event loop together, one after
 * another. An embedded store reads without ever giving way, and the thread that lists has deliveries to make.
 */
export const scanTurn = async (store: Pick<ReadStore, 'range'>): Promise<void> => {
  const turn = (lines.get(store) ?? Promise.resolve()).then(() => nextTurn())
  lines.set(store, turn)
  await turn
}
