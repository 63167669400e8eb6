import { OperatingError, type Positions, type ReadStore } from '@switchyard/kernel'
import { inGeneration, readGenerations } from '@switchyard/runtime'
import { createComparison } from './comparison.ts'
import type { Console } from './console.ts'
import { type Engines, OPERATOR_COLLECTIONS } from './engines.ts'
import { createProgressBar } from './progress-bar.ts'
import { type ReadModels, replayInto, storedPositionsOf } from './read-models.ts'

/** How often documents that moved on are compared again, behind a replay that has moved on too. */
const ROUNDS_MAX = 10

/** What {@link verify} works on. */
export interface VerifyDependencies extends Pick<Engines, 'log' | 'schemaIds' | 'store' | 'openScratch'> {
  readonly console: Console
  readonly now: () => number
}

const positionsIn = async (models: ReadModels, stored: ReadStore): Promise<Positions> => {
  const positions = await storedPositionsOf(models, stored)
  if (positions !== undefined) return positions
  throw new OperatingError('POSITION_NOT_REACHED', `nothing of ${models.topic} is stored yet by this release`, { retryable: true })
}

/**
 * Computes the read models once more from the first event, into a store on disk that is removed afterwards, and compares every
 * document with the one that is read; services may go on meanwhile. Prints what differs. Resolves with the exit code: 1 when
 * anything does. Rejects with `LOG_TRUNCATED` when the log does not have the first events any more.
 */
export const verify = async (models: ReadModels, dependencies: VerifyDependencies): Promise<number> => {
  const { log, schemaIds, store, openScratch, console, now } = dependencies
  const { current } = await readGenerations(store, models.topic)
  const stored = inGeneration(store, () => current)
  const scratch = openScratch(OPERATOR_COLLECTIONS)
  try {
    const run = replayInto(models, scratch.store, { log, schemaIds, now })
    const line = createProgressBar(models.topic, new Map(), () => performance.now())
    let reached = await positionsIn(models, stored)
    const target = reached
    await run.runTo(target, (positions) => console.progress(line(positions, target), false))
    console.progress(line(target, target), true)
    const comparison = createComparison(stored, scratch.store, console)
    for (const { collection, beginning, isForgotten } of models.documents) {
      const isMissed = (body: object): boolean => isForgotten?.(body, now()) !== true
      await comparison.compareAll({ collection, beginning, isMissed }, reached)
    }
    for (let round = 0; round < ROUNDS_MAX && comparison.result().notComparedCount > 0; round++) {
      reached = await positionsIn(models, stored)
      await run.runTo(reached)
      if ((await comparison.compareMoved(reached, () => log.endPositions(models.topic))) === 0) break
    }
    if (comparison.result().notComparedCount > 0) {
      await comparison.compareAhead(async (ahead) => await run.runTo(new Map([...reached, ...ahead])))
    }
    await comparison.compareMissing(async () => await run.runTo(await log.endPositions(models.topic)))
    const { comparedCount, differenceCount, notComparedCount } = comparison.result()
    const left = notComparedCount === 0 ? '' : `, ${notComparedCount} changed all the time and were not compared`
    await console.print(`${comparedCount} documents compared, ${differenceCount} differ${left}`)
    return differenceCount === 0 ? 0 : 1
  } finally {
    await scratch.remove()
  }
}
