import { OperatingError, type Positions, type ReadStore, type Topic } from '@switchyard/kernel'
import { createDocumentCheckpoints, type DocumentCheckpoints } from './document-checkpoints.ts'
import { GENERATION_AGE_MAX_MS, inGeneration, readGenerations } from './generations.ts'
import type { Timers } from './timers.ts'

/** The generation that a process reads from which does not project itself. */
export interface ReadingGeneration {
  /** Throws `STORE_UNAVAILABLE` when it was dropped before its successor had come as far. */
  readonly number: () => number
  /** How far the documents are stored in it. */
  readonly checkpoints: () => DocumentCheckpoints
  /** Whether it is time to ask which generation is current. */
  readonly isDue: () => boolean
  /** Reads from the current generation from now on, if that includes what was promised of the one before. Calls must not overlap. */
  readonly goOver: (includesPromises: (positions: Positions) => boolean) => Promise<void>
}

/** What {@link createReadingGeneration} needs. */
export interface ReadingGenerationDependencies {
  readonly store: ReadStore
  readonly topic: Topic
  /** Names of the projections; the same as the projector's. */
  readonly projections: readonly string[]
  readonly timers: Timers
}

/**
 * {@link ReadingGeneration} of a topic. Behind a swap the projectors have to catch up with the rest in the new generation: until
 * they have, the one before it is read, or a reader would miss what it was promised (law 6).
 */
export const createReadingGeneration = ({ store, topic, projections, timers }: ReadingGenerationDependencies): ReadingGeneration => {
  let generation = 1
  let isDropped = false
  let lookedAtMs = Number.NEGATIVE_INFINITY

  const checkpointsIn = (number: number): DocumentCheckpoints =>
    createDocumentCheckpoints(
      inGeneration(store, () => number),
      topic,
      projections,
    )
  const isDue = (): boolean => timers.now() - lookedAtMs >= GENERATION_AGE_MAX_MS

  return {
    number: () => {
      if (!isDropped) return generation
      throw new OperatingError('STORE_UNAVAILABLE', `the read models of ${topic} are being replaced: try again`, { retryable: true })
    },
    checkpoints: () => checkpointsIn(generation),
    isDue,
    goOver: async (includesPromises) => {
      if (!isDue()) return
      const { current, stored } = await readGenerations(store, topic)
      isDropped = false
      if (current !== generation && !includesPromises(await checkpointsIn(current).restore())) {
        isDropped = !stored.includes(generation)
        return
      }
      generation = current
      lookedAtMs = timers.now()
    },
  }
}
