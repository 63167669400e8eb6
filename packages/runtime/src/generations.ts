import { type DocumentWrite, generationName, OperatingError, type ReadStore, type Topic } from '@switchyard/kernel'
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

/** {@link TopicGenerations}, and the last number that was given to any topic. */
export interface KnownGenerations extends TopicGenerations {
  readonly latest: number
}

/** Changes that may get in between reading the pointer and changing it; those of other topics are rare and short. */
const CHANGE_ATTEMPTS_MAX = 20

const FIRST: TopicGenerations = { current: 1, building: null, stored: [1] }

const read = async (store: ReadStore): Promise<{ readonly revision: number; readonly body: GenerationsBody }> => {
  const stored = await store.get<GenerationsBody>(GENERATIONS_COLLECTION, KEY)
  return { revision: stored?.position.offset ?? 0, body: stored?.body ?? { latest: 1, topics: {} } }
}

const knownIn = ({ latest, topics }: GenerationsBody, topic: Topic): KnownGenerations => ({ ...(topics[topic] ?? FIRST), latest })

/** The generations of a topic's read models. */
export const readGenerations = async (store: ReadStore, topic: Topic): Promise<KnownGenerations> => knownIn((await read(store)).body, topic)

/**
 * Changes the generations of a topic to what `change` makes of those that stand there; it is asked again when somebody else, for
 * this topic or another one, was quicker. It throws when they are not what they have to be.
 */
export const changeGenerations = async <Next extends TopicGenerations>(
  store: ReadStore,
  topic: Topic,
  change: (known: KnownGenerations) => Next,
): Promise<Next> => {
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS_MAX; attempt++) {
    const { revision, body } = await read(store)
    const next = change(knownIn(body, topic))
    const write: DocumentWrite = {
      collection: GENERATIONS_COLLECTION,
      key: KEY,
      position: { partition: 0, offset: revision + 1 },
      body: { latest: Math.max(body.latest, ...next.stored), topics: { ...body.topics, [topic]: next } },
    }
    const [outcome] = await store.write([write])
    if (outcome === 'applied') return next
  }
  throw new OperatingError('STORE_UNAVAILABLE', `${topic}: its generations are being changed all the time: try again`, { retryable: true })
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

/**
 * What `load` makes of the generation that is current; it is called again when another one is current by its end. A rebuild that begins then drops the
 * one that was loaded from, and what was dropped under the loading would be taken for what never was.
 */
export const loadedWhole = async <Loaded>(
  store: ReadStore,
  topic: Topic,
  load: (documents: ReadStore) => Promise<Loaded>,
): Promise<Loaded> => {
  for (;;) {
    const { current } = await readGenerations(store, topic)
    const loaded = await load(inGeneration(store, () => current))
    if ((await readGenerations(store, topic)).current === current) return loaded
  }
}

/** How long a process goes on with a generation before it looks whether another one is current, milliseconds. */
export const GENERATION_AGE_MAX_MS = 1_000
