import { isDeepStrictEqual } from 'node:util'
import {
  BEFORE_FIRST,
  type DocumentKey,
  OperatingError,
  type Position,
  type Positions,
  type ReadStore,
  type StoredDocument,
} from '@switchyard/kernel'
import { documentPages, inGeneration, readGenerations } from '@switchyard/runtime'
import type { Console } from './console.ts'
import { type Engines, OPERATOR_COLLECTIONS } from './engines.ts'
import { createProgressBar } from './progress-bar.ts'
import { type ReadModels, replayInto, storedPositionsOf } from './read-models.ts'

/** Differences that are listed; the others are counted. */
const LISTED_MAX = 20

/** Documents that moved on while they were compared, and are compared again. */
const MOVED_MAX = 100_000

/** How often such documents are compared again, behind a replay that has moved on too. */
const ROUNDS_MAX = 10

/** Documents that are looked up together. */
const LOOKED_UP_COUNT = 500

/** What {@link verify} works on. */
export interface VerifyDependencies extends Pick<Engines, 'log' | 'schemaIds' | 'store' | 'openScratch'> {
  readonly console: Console
  readonly now: () => number
}

type Found = StoredDocument<object> | undefined

/** What became of a comparison: a document that includes events behind the replay can't be compared yet. */
type Verdict = 'same' | 'moved' | 'missing' | 'unexpected' | 'different'

const isBehind = ({ partition, offset }: Position, reached: Positions): boolean => offset > (reached.get(partition) ?? BEFORE_FIRST)

const verdictOf = (stored: Found, expected: Found, reached: Positions): Verdict => {
  if (stored === undefined) return expected === undefined ? 'same' : 'missing'
  if (isBehind(stored.position, reached)) return 'moved'
  if (expected === undefined) return 'unexpected'
  const isSame = isDeepStrictEqual(stored.position, expected.position) && isDeepStrictEqual(stored.body, expected.body)
  return isSame ? 'same' : 'different'
}

/** Members of the documents that are not the same. */
const differingMembers = (stored: Found, expected: Found): string => {
  const bodies = [stored?.body ?? {}, expected?.body ?? {}]
  const names = new Set(bodies.flatMap((body) => Object.keys(body)))
  const differing = [...names].filter((name) => !isDeepStrictEqual(Reflect.get(bodies[0] ?? {}, name), Reflect.get(bodies[1] ?? {}, name)))
  return differing.length === 0 ? 'position' : differing.join(', ')
}

interface Place {
  readonly collection: string
  readonly key: DocumentKey
}

/** Compares documents of two stores by key. */
const createComparison = (stored: ReadStore, expected: ReadStore, console: Console) => {
  let comparedCount = 0
  let differenceCount = 0
  let notComparedCount = 0
  let moved: Place[] = []

  const judge = async (place: Place, found: Found, wanted: Found, reached: Positions): Promise<void> => {
    const verdict = verdictOf(found, wanted, reached)
    if (verdict === 'moved') {
      if (moved.length < MOVED_MAX) moved.push(place)
      else notComparedCount += 1
      return
    }
    comparedCount += 1
    if (verdict === 'same') return
    differenceCount += 1
    if (differenceCount > LISTED_MAX) return
    const detail = verdict === 'different' ? `: ${differingMembers(found, wanted)}` : ''
    await console.print(`${verdict} ${place.collection} ${JSON.stringify(place.key)}${detail}`)
  }

  const compareKeys = async (collection: string, keys: readonly DocumentKey[], reached: Positions): Promise<void> => {
    const [found, wanted] = [await stored.getMany<object>(collection, keys), await expected.getMany<object>(collection, keys)]
    for (const [index, key] of keys.entries()) await judge({ collection, key }, found[index], wanted[index], reached)
  }

  return {
    /** Every document of either side. */
    compareAll: async (collection: string, beginning: DocumentKey, reached: Positions): Promise<void> => {
      for await (const page of documentPages<object>(stored, collection, beginning)) {
        const wanted = await expected.getMany<object>(
          collection,
          page.map(({ key }) => key),
        )
        for (const [index, document] of page.entries()) await judge({ collection, key: document.key }, document, wanted[index], reached)
      }
      for await (const page of documentPages<object>(expected, collection, beginning)) {
        const keys = page.map(({ key }) => key)
        const found = await stored.getMany<object>(collection, keys)
        await compareKeys(
          collection,
          keys.filter((_, index) => found[index] === undefined),
          reached,
        )
      }
    },
    /** Those that had moved on, now that the replay has too; resolves how many still have. */
    compareMoved: async (reached: Positions): Promise<number> => {
      const again = moved
      moved = []
      for (const collection of new Set(again.map((place) => place.collection))) {
        const keys = again.filter((place) => place.collection === collection).map(({ key }) => key)
        for (let i = 0; i < keys.length; i += LOOKED_UP_COUNT) await compareKeys(collection, keys.slice(i, i + LOOKED_UP_COUNT), reached)
      }
      return moved.length
    },
    result: () => ({ comparedCount, differenceCount, notComparedCount: notComparedCount + moved.length }),
  }
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
    for (const { collection, beginning } of models.documents) await comparison.compareAll(collection, beginning, reached)
    for (let round = 0; round < ROUNDS_MAX && comparison.result().notComparedCount > 0; round++) {
      reached = await positionsIn(models, stored)
      await run.runTo(reached)
      if ((await comparison.compareMoved(reached)) === 0) break
    }
    const { comparedCount, differenceCount, notComparedCount } = comparison.result()
    const left = notComparedCount === 0 ? '' : `, ${notComparedCount} changed all the time and were not compared`
    await console.print(`${comparedCount} documents compared, ${differenceCount} differ${left}`)
    return differenceCount === 0 ? 0 : 1
  } finally {
    await scratch.remove()
  }
}
