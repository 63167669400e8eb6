import { type DocumentWrite, generationName, type ReadStore, type Topic } from '@switchyard/kernel'
import { DEAD_LETTERS_COLLECTION } from './dead-letters.ts'

/** Says which generation of each topic's read models is read: one document. */
export const GENERATIONS_COLLECTION = 'generations'

const KEY = ['read-models']

/** These are the same for all generations. */
const SHARED: ReadonlySet<string> = new Set([DEAD_LETTERS_COLLECTION, GENERATIONS_COLLECTION])

/** The generations of one topic's read models (ADR 0038). */
export interface TopicGenerations {
  /** The one that is read and kept up to date. */
  readonly current: number
  /** The one that a rebuild fills; null when none is under way. */
  readonly building: number | null
  /** Those that have documents: these two, and what is left of earlier ones. */
  readonly stored: readonly number[]
}

/** Where all topics stand. A number is given once, so that nobody can write into a generation of another purpose. */
interface GenerationsBody {
  readonly latest: number
  readonly topics: Readonly<Partial<Record<Topic, TopicGenerations>>>
}

/** {@link TopicGenerations} as they were read; {@link changeGenerations} refuses to change what has changed since. */
export interface KnownGenerations extends TopicGenerations {
  readonly revision: number
  readonly latest: number
}

const FIRST: TopicGenerations = { current: 1, building: null, stored: [1] }

const read = async (store: ReadStore): Promise<{ readonly revision: number; readonly body: GenerationsBody }> => {
  const stored = await store.get<GenerationsBody>(GENERATIONS_COLLECTION, KEY)
  return { revision: stored?.position.offset ?? 0, body: stored?.body ?? { latest: 1, topics: {} } }
}

/** The generations of a topic's read models. */
export const readGenerations = async (store: ReadStore, topic: Topic): Promise<KnownGenerations> => {
  const { revision, body } = await read(store)
  return { ...(body.topics[topic] ?? FIRST), revision, latest: body.latest }
}

/** Changes the generations of a topic, unless somebody else has changed any since they were read: `overtaken`. */
export const changeGenerations = async (
  store: ReadStore,
  topic: Topic,
  { revision, latest }: KnownGenerations,
  next: TopicGenerations,
): Promise<'changed' | 'overtaken'> => {
  const { revision: present, body } = await read(store)
  if (present !== revision) return 'overtaken'
  const write: DocumentWrite = {
    collection: GENERATIONS_COLLECTION,
    key: KEY,
    position: { partition: 0, offset: revision + 1 },
    body: { latest: Math.max(latest, ...next.stored), topics: { ...body.topics, [topic]: next } },
  }
  const [outcome] = await store.write([write])
  return outcome === 'applied' ? 'changed' : 'overtaken'
}

/** The store as a reader or writer of one topic's read models sees it: in the generation that `generationOf` names at each call. */
export const inGeneration = (store: ReadStore, generationOf: () => number | Promise<number>): ReadStore => {
  const nameOf = async (collection: string): Promise<string> =>
    SHARED.has(collection) ? collection : generationName(collection, await generationOf())
  return {
    get: async (collection, key) => await store.get(await nameOf(collection), key),
    getMany: async (collection, keys) => await store.getMany(await nameOf(collection), keys),
    range: async (query) => await store.range({ ...query, collection: await nameOf(query.collection) }),
    write: async (writes) => {
      const generation = await generationOf()
      const named = (name: string): string => (SHARED.has(name) ? name : generationName(name, generation))
      return await store.write(writes.map((write) => ({ ...write, collection: named(write.collection) })))
    },
    drop: async (collection) => await store.drop(await nameOf(collection)),
    close: store.close,
  }
}

/** The store in the generation that is current now, and stays it: for whoever loads once, and follows the log from there. */
export const pinnedGeneration = async (store: ReadStore, topic: Topic): Promise<ReadStore> => {
  const { current } = await readGenerations(store, topic)
  return inGeneration(store, () => current)
}

/** How long a process goes on with a generation before it looks whether another one is current, milliseconds. */
export const GENERATION_AGE_MAX_MS = 1_000
