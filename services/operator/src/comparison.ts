import { isDeepStrictEqual } from 'node:util'
import { BEFORE_FIRST, type DocumentKey, type Position, type Positions, type ReadStore, type StoredDocument } from '@switchyard/kernel'
import { documentPages } from '@switchyard/runtime'
import type { Console } from './console.ts'

/** Differences that are listed; the others are counted. */
const LISTED_MAX = 20

/** Documents that moved on while they were compared, or are missing, and are looked at again. */
const AGAIN_MAX = 100_000

/** Documents that are looked up together. */
const LOOKED_UP_COUNT = 500

type Found = StoredDocument<object> | undefined

/** What became of a comparison: a document that includes events behind the replay can't be compared yet. */
type Verdict = 'same' | 'moved' | 'missing' | 'unexpected' | 'different' | 'ahead-of-the-log'

const isBehind = ({ partition, offset }: Position, positions: Positions): boolean => offset > (positions.get(partition) ?? BEFORE_FIRST)

const verdictOf = (stored: Found, expected: Found, replayed: Positions, ends?: Positions): Verdict => {
  if (stored === undefined) return expected === undefined ? 'same' : 'missing'
  if (ends !== undefined && isBehind(stored.position, ends)) return 'ahead-of-the-log'
  if (isBehind(stored.position, replayed)) return 'moved'
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

/** Which documents are compared. */
interface Compared {
  readonly collection: string
  readonly beginning: DocumentKey
  /** Whether a document that a replay gives has to be there: what was forgotten is not missed. */
  readonly isMissed: (body: object) => boolean
}

/** Compares the documents that are read with those that a replay gave, up to where it has come. */
export interface Comparison {
  /** Every document of either side whose key has this beginning. */
  readonly compareAll: (compared: Compared, replayed: Positions) => Promise<void>
  /**
   * Those that had moved on, now that the replay has too; resolves how many still have. `endsOf` tells where the log ends:
   * a document that says it is behind that is wrong.
   */
  readonly compareMoved: (replayed: Positions, endsOf: () => Promise<Positions>) => Promise<number>
  /**
   * Those that are ahead of what all reach and stay there, once `replayTo` has brought the replay to the furthest of them: documents are stored
   * before it is noted how far they reach, and a process may end in between. One that the log changed once more behind it still can't be compared.
   */
  readonly compareAhead: (replayTo: (ahead: Positions) => Promise<void>) => Promise<void>
  /**
   * Those that are missing, once `replayToEnd` has brought the replay to the end of the log: documents end before it is stored how
   * far the others reach, so what the log has ended meanwhile is not missed.
   */
  readonly compareMissing: (replayToEnd: () => Promise<void>) => Promise<void>
  readonly result: () => { readonly comparedCount: number; readonly differenceCount: number; readonly notComparedCount: number }
}

/** Widens the positions to what these documents include. */
const include = (positions: Map<number, number>, documents: readonly Found[]): void => {
  for (const { position } of documents.filter((document) => document !== undefined))
    if (isBehind(position, positions)) positions.set(position.partition, position.offset)
}

/** The same, of a replay that may be further than the document: what the log has behind it may be stored with the next write. */
const verdictOfAhead = (stored: Found, expected: Found, replayed: Positions): Verdict => {
  const isOvertaken =
    stored !== undefined && stored.position.partition === expected?.position.partition && stored.position.offset < expected.position.offset
  return isOvertaken ? 'moved' : verdictOf(stored, expected, replayed)
}

/** Pages of places. */
const pagesOf = (places: readonly Place[]): readonly (readonly Place[])[] =>
  Array.from({ length: Math.ceil(places.length / LOOKED_UP_COUNT) }, (_, page) =>
    places.slice(page * LOOKED_UP_COUNT, (page + 1) * LOOKED_UP_COUNT),
  )

/** The documents of a page that do not stand where they should. */
const missedOf = async (
  stored: ReadStore,
  { collection, isMissed }: Compared,
  page: readonly StoredDocument<object>[],
): Promise<readonly StoredDocument<object>[]> => {
  const found = await stored.getMany<object>(
    collection,
    page.map(({ key }) => key),
  )
  return page.filter(({ body }, index) => found[index] === undefined && isMissed(body))
}

/** Counts verdicts, and prints the first differences. */
const createFindings = (console: Console) => {
  let comparedCount = 0
  let differenceCount = 0
  return {
    counts: () => ({ comparedCount, differenceCount }),
    note: async ({ collection, key }: Place, verdict: Verdict, detail = () => ''): Promise<void> => {
      comparedCount += 1
      if (verdict === 'same') return
      differenceCount += 1
      if (differenceCount <= LISTED_MAX) await console.print(`${verdict} ${collection} ${JSON.stringify(key)}${detail()}`)
    },
  }
}

/** Notes the documents that should be there still. */
const noteMissing = async (
  missing: readonly Place[],
  expected: ReadStore,
  note: (place: Place, verdict: Verdict) => Promise<void>,
): Promise<void> => {
  for (const places of pagesOf(missing)) {
    const wanted = await readAll(expected, places)
    for (const [index, place] of places.entries()) await note(place, wanted[index] === undefined ? 'same' : 'missing')
  }
}

/** A {@link Comparison} that prints the first differences. */
export const createComparison = (stored: ReadStore, expected: ReadStore, console: Console): Comparison => {
  const { note, counts } = createFindings(console)
  let notComparedCount = 0
  let moved: Place[] = []
  const missing: Place[] = []

  const judge = async (place: Place, found: Found, wanted: Found, verdict: Verdict): Promise<void> => {
    if (verdict === 'moved' && moved.length >= AGAIN_MAX) notComparedCount += 1
    else if (verdict === 'moved') moved.push(place)
    else if (verdict === 'missing' && missing.length < AGAIN_MAX) missing.push(place)
    else await note(place, verdict, () => (verdict === 'different' ? `: ${differingMembers(found, wanted)}` : ''))
  }

  const compareStored = async (collection: string, page: readonly StoredDocument<object>[], replayed: Positions): Promise<void> => {
    const places = page.map(({ key }) => ({ collection, key }))
    const wanted = await readAll(expected, places)
    for (const [index, place] of places.entries()) {
      await judge(place, page[index], wanted[index], verdictOf(page[index], wanted[index], replayed))
    }
  }

  const findMissing = async (compared: Compared, page: readonly StoredDocument<object>[], replayed: Positions): Promise<void> => {
    for (const wanted of await missedOf(stored, compared, page)) {
      const place = { collection: compared.collection, key: wanted.key }
      await judge(place, undefined, wanted, verdictOf(undefined, wanted, replayed))
    }
  }

  const compareAgain = async (judging: () => Promise<(found: Found, wanted: Found) => Verdict>): Promise<void> => {
    const again = moved
    moved = []
    for (const places of pagesOf(again)) {
      const [found, wanted] = [await readAll(stored, places), await readAll(expected, places)]
      const verdict = await judging()
      for (const [index, place] of places.entries()) await judge(place, found[index], wanted[index], verdict(found[index], wanted[index]))
    }
  }

  return {
    compareAll: async (compared, replayed) => {
      const { collection, beginning } = compared
      for await (const page of documentPages<object>(stored, collection, beginning)) await compareStored(collection, page, replayed)
      for await (const page of documentPages<object>(expected, collection, beginning)) await findMissing(compared, page, replayed)
    },
    compareMoved: async (replayed, endsOf) => {
      await compareAgain(async () => {
        // Asked for behind the documents: none that a service has just written is beyond it.
        const ends = await endsOf()
        return (found, wanted) => verdictOf(found, wanted, replayed, ends)
      })
      return moved.length
    },
    compareAhead: async (replayTo) => {
      const ahead = new Map<number, number>()
      for (const places of pagesOf(moved)) include(ahead, await readAll(stored, places))
      await replayTo(ahead)
      await compareAgain(async () => (found, wanted) => verdictOfAhead(found, wanted, ahead))
    },
    compareMissing: async (replayToEnd) => {
      if (missing.length === 0) return
      await replayToEnd()
      await noteMissing(missing, expected, note)
    },
    result: () => ({ ...counts(), notComparedCount: notComparedCount + moved.length }),
  }
}

const readAll = async (store: ReadStore, places: readonly Place[]): Promise<readonly Found[]> => {
  const found = new Map<Place, Found>()
  for (const collection of new Set(places.map((place) => place.collection))) {
    const own = places.filter((place) => place.collection === collection)
    const documents = await store.getMany<object>(
      collection,
      own.map(({ key }) => key),
    )
    for (const [index, place] of own.entries()) found.set(place, documents[index])
  }
  return places.map((place) => found.get(place))
}
