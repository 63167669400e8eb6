import { readStorePart } from '@switchyard/composition'
import type { ReadStore } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'

/** The read store of a thread: it waits for it as the main thread does, which says so. */
export const threadStorePart = (store: ReadStore): Part => readStorePart(store, { report: { info: () => {}, failed: () => {} } })

/**
 * Waits until the read store of a thread answers; false when the thread is told to stop meanwhile. Rejects when it has not answered for
 * as long as a start waits.
 */
export const storeAnswers = async (store: ReadStore, stopping: AbortSignal): Promise<boolean> => {
  try {
    await threadStorePart(store).start(stopping)
    return true
  } catch (error) {
    if (!stopping.aborted) throw error
    return false
  }
}
