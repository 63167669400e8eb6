import { BEFORE_FIRST, type EventLog, includes, OperatingError, type Positions, type ReadStore, type Topic } from '@switchyard/kernel'
import { changeGenerations, inGeneration, readGenerations } from '@switchyard/runtime'
import type { Console } from './console.ts'
import { hasReadableDeadLetters, type ReadsLetters, settleDeadLetters } from './dead-letters.ts'
import type { Engines } from './engines.ts'
import { createProgressBar } from './progress-bar.ts'
import { type ReadModels, replayInto, storedPositionsOf } from './read-models.ts'

/** What {@link rebuild} works on. */
export interface RebuildDependencies extends Pick<Engines, 'log' | 'schemaIds' | 'learn' | 'store'> {
  readonly console: Console
  readonly now: () => number
}

/** A generation is swapped in when it is at most this many records behind the log: the projector catches up with the rest. */
const BEHIND_MAX = 500

/** Passes to the end of a log that grows meanwhile, before the swap is made with what is left. */
const PASSES_MAX = 20

const overtaken = (): OperatingError =>
  new OperatingError('STORE_UNAVAILABLE', 'somebody else is rebuilding or has swapped meanwhile: look at it with lag, and try again', {
    retryable: true,
  })

const behindCount = (positions: Positions, ends: Positions): number =>
  [...ends].reduce((sum, [partition, end]) => sum + end - (positions.get(partition) ?? BEFORE_FIRST), 0)

/** Drops what is left of earlier generations. */
const dropLeftovers = async (store: ReadStore, { topic, collections }: ReadModels, leftovers: readonly number[]): Promise<void> => {
  for (const generation of leftovers) {
    const own = inGeneration(store, () => generation)
    // The plain collection of checkpoints belongs to all topics.
    for (const collection of collections) if (generation > 1 || collection !== collections.at(-1)) await own.drop(collection)
  }
  await changeGenerations(store, topic, ({ current, building, stored }) => ({
    current,
    building,
    stored: stored.filter((generation) => !leftovers.includes(generation)),
  }))
}

/** Whether a generation that was begun may have passed by what can be read now: by a release, or at a time, that could not. */
const mayLack = async (models: ReadModels, building: number, engines: ReadsLetters): Promise<boolean> => {
  const begun = await storedPositionsOf(
    models,
    inGeneration(engines.store, () => building),
  )
  return begun !== undefined && (await hasReadableDeadLetters(engines, models.topic, (letter) => includes(begun, letter)))
}

/** Refuses a log that does not have its first events any more, before anything is given up for a rebuild that can't come to its end. */
const assertWhole = async (log: EventLog, topic: Topic): Promise<void> => {
  const partitions = [...(await log.endPositions(topic)).keys()]
  const records = log.read(topic, new Map(partitions.map((partition) => [partition, BEFORE_FIRST])))[Symbol.asyncIterator]()
  await records.next()
  await records.return?.()
}

/** The generation to fill: the one that an interrupted rebuild has begun, or a new one. */
const begin = async (
  models: ReadModels,
  engines: ReadsLetters & Pick<RebuildDependencies, 'log'>,
  isAnew: boolean,
): Promise<{ readonly building: number; readonly resumed: boolean }> => {
  const { store } = engines
  const known = await readGenerations(store, models.topic)
  const resumed = known.building !== null && !isAnew && !(await mayLack(models, known.building, engines))
  if (known.building !== null && resumed) return { building: known.building, resumed }
  await assertWhole(engines.log, models.topic)
  // Before anything is dropped: somebody else who fills a generation that is dropped can't swap to it any more.
  const { building } = await changeGenerations(store, models.topic, ({ current, building, latest, stored }) => {
    if (current !== known.current || building !== known.building) throw overtaken()
    return { current, building: latest + 1, stored: [...stored, latest + 1] }
  })
  const leftovers = known.stored.filter((generation) => generation !== known.current)
  if (leftovers.length > 0) await dropLeftovers(store, models, leftovers)
  return { building, resumed: false }
}

const swap = async ({ topic }: ReadModels, store: ReadStore, building: number): Promise<void> => {
  await changeGenerations(store, topic, (known) => {
    if (known.building !== building) throw overtaken()
    return { current: building, building: null, stored: known.stored }
  })
}

/**
 * Builds the read models anew from the first event in a generation beside the one that is read, and swaps them at the end of
 * the log. Services go on meanwhile. Interrupted, also by a kill, it goes on at its last snapshot when it is called again.
 * Resolves how many dead letters of the topic are left: records that have no effect in what was built. Rejects with `LOG_TRUNCATED` when the log does not
 * have the first events any more.
 */
export const rebuild = async (models: ReadModels, dependencies: RebuildDependencies, isAnew: boolean): Promise<number> => {
  const { topic } = models
  const { log, schemaIds, store, console, now } = dependencies
  const { building, resumed } = await begin(models, dependencies, isAnew)
  const run = replayInto(
    models,
    inGeneration(store, () => building),
    { log, schemaIds, now },
  )
  const begun = await run.restore()
  console.note(`${topic}: ${resumed ? 'going on with' : 'building'} generation ${building} of ${models.collections.join(', ')}`)
  const line = createProgressBar(topic, begun, () => performance.now())
  let ends = await log.endPositions(topic)
  let reached = begun
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const target = ends
    await run.runTo(target, (positions) => console.progress(line(positions, target), false))
    reached = target
    ends = await log.endPositions(topic)
    if (behindCount(target, ends) <= BEHIND_MAX) break
  }
  console.progress(line(ends, ends), true)
  await swap(models, store, building)
  const leftCount = await settleDeadLetters(store, topic, schemaIds, (letter) => !includes(begun, letter) && includes(reached, letter))
  await console.print(`${topic}: generation ${building} is read from now on`)
  if (leftCount > 0)
    console.note(
      `${topic}: ${leftCount === 1 ? '1 dead letter is left: dead-letters list names it' : `${leftCount} dead letters are left: dead-letters list names them`}`,
    )
  return leftCount
}
