import { isOperatingError, OperatingError, type Position, type ReadStore, type Topic } from '@switchyard/kernel'
import { GENERATION_AGE_MAX_MS, inGeneration, readGenerations } from './generations.ts'
import { POSITION_WAIT_MAX_MS } from './limits.ts'
import type { Projector } from './projector.ts'
import { createStoreAccess } from './store-access.ts'
import { systemTimers, type Timers, within } from './timers.ts'

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
  /** Other processes project part of the topic: two projectors of one process would take partitions from each other. */
  readonly isShared: boolean
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

/** The projector at work, and its successor while there is one. */
interface Succession {
  readonly current: () => Projector
  readonly generation: () => number
  /** The generation to read from, or the promise of it while projectors change over. */
  readonly reading: () => number | Promise<number>
  /** Begins with the projector of this generation, before it is started. */
  readonly beginWith: (generation: number) => void
  /** Starts the projector of this generation, and changes over when it has caught up; not after `signal` was aborted. */
  readonly adopt: (generation: number, signal: AbortSignal) => Promise<void>
  /** Stops, and starts the projector of this generation in its place; for readers it is behind until that has caught up. */
  readonly replace: (generation: number) => Promise<void>
  /** Ends an adoption that is under way. */
  readonly stopCandidate: () => Promise<void>
}

const createSuccession = (begin: (generation: number) => Projector): Succession => {
  let generation = 1
  let reading: number | Promise<number> = generation
  let projector = begin(generation)
  let candidate: Projector | undefined

  /**
   * Reads wait while it lasts: one that was promised a position by either projector finds it in the new generation, which has by
   * then come as far as the old one ever did.
   */
  const changeOver = async (next: Projector, nextGeneration: number): Promise<void> => {
    const before = projector
    projector = next
    generation = nextGeneration
    const changed = (async () => {
      // What it can't store any more, because the store is away, is of no use any more.
      await before.stop().catch(() => {})
      const { positions } = await before.status()
      for (const [partition, offset] of positions) await reached(next, { partition, offset })
      return nextGeneration
    })()
    reading = changed
    reading = await changed
  }

  return {
    current: () => projector,
    generation: () => generation,
    reading: () => reading,
    beginWith: (first) => {
      if (first === generation) return
      generation = first
      reading = first
      projector = begin(first)
    },
    adopt: async (next, signal) => {
      const mine = begin(next)
      candidate = mine
      try {
        await mine.start()
        await mine.caughtUp()
      } catch (error) {
        await mine.stop().catch(() => {})
        // Tried again at the next look.
        if (!isOperatingError(error)) throw error
        return
      } finally {
        candidate = undefined
      }
      if (signal.aborted) await mine.stop()
      else await changeOver(mine, next)
    },
    replace: async (next) => {
      await projector.stop().catch(() => {})
      generation = next
      reading = next
      projector = begin(next)
      await projector.start()
    },
    stopCandidate: async () => await candidate?.stop(),
  }
}

/** The generation to read from; whoever meets a change-over waits for it within a bound. */
const soon = (reading: number | Promise<number>, topic: Topic, timers: Timers): number | Promise<number> => {
  if (typeof reading === 'number') return reading
  const late = (): OperatingError =>
    new OperatingError('STORE_UNAVAILABLE', `the read models of ${topic} are being replaced: try again`, { retryable: true })
  return within(timers, reading, POSITION_WAIT_MAX_MS, late)
}

/** Stops the projector that is at work when the look that is under way has ended: it may be waiting for this projector. */
const stopCurrent = async ({ current }: Succession, looking: Promise<void>): Promise<void> => {
  const asked = current()
  const [, ended] = await Promise.allSettled([looking, asked.stop()])
  if (current() !== asked) await current().stop()
  if (ended.status === 'rejected') throw ended.reason
}

/**
 * Projects into the generation that is current. When a rebuild has swapped, a second projector begins on the new generation and
 * catches up, while the first one goes on; then readers and waiters go over, and the first one stops. Both may run at once
 * because writes of older events are refused (law 7). Where processes share the topic, the first one stops before the second begins.
 */
export const createGenerationProjector = (dependencies: GenerationProjectorDependencies): GenerationProjector => {
  const { topic, store, create, isShared, onFailure, timers = systemTimers } = dependencies
  const ending = new AbortController()
  const access = createStoreAccess(store, timers, ending.signal)
  const own = createSuccession((generation) => create(inGeneration(store, () => generation)))
  let cancelWatch: (() => void) | undefined
  let looking: Promise<void> = Promise.resolve()

  const currentGeneration = async (): Promise<number> => (await access.reach(() => readGenerations(store, topic))).current

  const look = async (): Promise<void> => {
    try {
      const current = await currentGeneration()
      if (current !== own.generation() && !ending.signal.aborted) {
        await (isShared ? own.replace(current) : own.adopt(current, ending.signal))
      }
      if (!ending.signal.aborted) watch()
    } catch (error) {
      if (!ending.signal.aborted) onFailure(error)
    }
  }
  const watch = (): void => {
    cancelWatch = timers.after(GENERATION_AGE_MAX_MS, () => {
      looking = look()
    })
  }

  const ask = async <Answer>(question: (projector: Projector) => Promise<Answer>): Promise<Answer> => {
    const asked = own.current()
    try {
      return await question(asked)
    } catch (error) {
      // The projector that was asked has stopped because another one took over.
      if (asked === own.current()) throw error
      return await question(own.current())
    }
  }

  return {
    start: async () => {
      own.beginWith(await currentGeneration())
      await own.current().start()
      watch()
    },
    stop: async () => {
      ending.abort()
      cancelWatch?.()
      await own.stopCandidate()
      await stopCurrent(own, looking)
    },
    status: () => own.current().status(),
    isCaughtUp: () => own.current().isCaughtUp(),
    caughtUp: () => own.current().caughtUp(),
    projectedUpTo: (position) => ask((projector) => projector.projectedUpTo(position)),
    storedUpTo: (position) => ask((projector) => projector.storedUpTo(position)),
    processedUpTo: (position) => ask((projector) => projector.processedUpTo(position)),
    view: (projection, key) => ask((projector) => projector.view(projection, key)),
    readModels: inGeneration(store, () => soon(own.reading(), topic, timers)),
  }
}
