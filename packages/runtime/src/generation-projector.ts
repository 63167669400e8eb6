import { isOperatingError, type Position, type ReadStore, type Topic } from '@switchyard/kernel'
import { GENERATION_AGE_MAX_MS, inGeneration, readGenerations } from './generations.ts'
import type { Projector } from './projector.ts'
import { createStoreAccess } from './store-access.ts'
import { systemTimers, type Timers } from './timers.ts'

/** A projector that goes over to the generation that is current. */
export interface GenerationProjector extends Projector {
  /** The read models as this projector keeps them: a generation is read from when it has caught up with the one before. */
  readonly readModels: ReadStore
}

/** What {@link createGenerationProjector} needs. */
export interface GenerationProjectorDependencies {
  readonly topic: Topic
  readonly store: ReadStore
  /** A projector with a fold of its own over the read models in this store. */
  readonly create: (store: ReadStore) => Projector
  /** Hears of a failure that is none of the projectors' and not that the store is away. */
  readonly onFailure: (error: unknown) => void
  readonly timers?: Timers
}

/** Waits for a projector that is close, however slow its store is; a projector that has ended ends the wait. */
const reached = async (projector: Projector, position: Position): Promise<void> => {
  for (;;) {
    try {
      await projector.projectedUpTo(position)
      return
    } catch (error) {
      const { state } = await projector.status()
      if (!isOperatingError(error, 'POSITION_NOT_REACHED') || state === 'failed' || state === 'stopped') throw error
    }
  }
}

/**
 * Projects into the generation that is current. When a rebuild has swapped, a second projector begins on the new generation and
 * catches up, while the first one goes on; then readers and waiters go over, and the first one stops. Both may run at once
 * because writes of older events are refused (law 7).
 */
export const createGenerationProjector = (dependencies: GenerationProjectorDependencies): GenerationProjector => {
  const { topic, store, create, onFailure, timers = systemTimers } = dependencies
  const ending = new AbortController()
  const access = createStoreAccess(store, timers, ending.signal)
  const begin = (own: number): Projector => create(inGeneration(store, () => own))
  let generation = 1
  /** The generation to read from, or the promise of it. */
  let reading: number | Promise<number> = generation
  let projector = begin(generation)
  let candidate: Projector | undefined
  let cancelWatch: (() => void) | undefined
  let adopting: Promise<void> = Promise.resolve()

  /**
   * Reads wait while it lasts: one that was promised a position by either projector finds it in the new generation, which has by
   * then come as far as the old one ever did.
   */
  const goOver = async (next: Projector, nextGeneration: number): Promise<void> => {
    const before = projector
    projector = next
    generation = nextGeneration
    reading = (async () => {
      // What it can't store any more, because the store is away, is of no use any more.
      await before.stop().catch(() => {})
      const { positions } = await before.status()
      for (const [partition, offset] of positions) await reached(next, { partition, offset })
      return nextGeneration
    })()
    await reading
  }

  const adopt = async (next: number): Promise<void> => {
    candidate = begin(next)
    try {
      await candidate.start()
      await candidate.caughtUp()
    } catch (error) {
      await candidate.stop().catch(() => {})
      candidate = undefined
      // Tried again at the next look.
      if (isOperatingError(error)) return
      throw error
    }
    if (!ending.signal.aborted) await goOver(candidate, next)
    candidate = undefined
  }

  const look = async (): Promise<void> => {
    const { current } = await access.reach(() => readGenerations(store, topic))
    if (current !== generation && !ending.signal.aborted) await adopt(current)
  }

  const watch = (): void => {
    cancelWatch = timers.after(GENERATION_AGE_MAX_MS, () => {
      adopting = look().then(
        () => {
          if (!ending.signal.aborted) watch()
        },
        (error: unknown) => {
          if (!ending.signal.aborted) onFailure(error)
        },
      )
    })
  }

  return {
    start: async () => {
      const { current } = await access.reach(() => readGenerations(store, topic))
      if (current !== generation) {
        generation = current
        reading = current
        projector = begin(generation)
      }
      await projector.start()
      watch()
    },
    stop: async () => {
      ending.abort()
      cancelWatch?.()
      await candidate?.stop()
      await adopting
      await projector.stop()
    },
    status: () => projector.status(),
    isCaughtUp: () => projector.isCaughtUp(),
    caughtUp: () => projector.caughtUp(),
    projectedUpTo: async (position) => {
      const asked = projector
      try {
        await asked.projectedUpTo(position)
      } catch (error) {
        // The projector that was asked has stopped because another one took over.
        if (asked === projector) throw error
        await projector.projectedUpTo(position)
      }
    },
    readModels: inGeneration(store, () => reading),
  }
}
