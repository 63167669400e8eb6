import { setTimeout as sleep } from 'node:timers/promises'
import { PUBLISHED_SCHEMAS, type PublishedSchema } from '@switchyard/events'
import { OperatingError, type SchemaIds } from '@switchyard/kernel'
import {
  LOOKUPS_AT_ONCE,
  NEW_ID_AWAITED_MAX_MS,
  NEW_ID_DISTANCE_MAX,
  OPENING_AWAY_MAX_MS,
  RETRY_FIRST_MS,
  SCHEMA_ID_MAX,
  SCHEMAS_LEARNT_MAX,
  UNKNOWN_AGE_MAX_MS,
  UNKNOWN_COUNT_MAX,
} from './limits.ts'
import { createRegistryClient, type FoundSchema, type RegistryClient, type RegistryOptions } from './registry-client.ts'

/** The ids of a registry: the published schemas have theirs from the start, others are learnt when a record names them. */
export interface RegistrySchemaIds extends SchemaIds {
  /**
   * Asks the registry for those of these ids that are not known. Ids that it does not have stay unknown; rejects with
   * `SCHEMA_UNAVAILABLE` when it does not answer, with `SETTING_INVALID` when it refuses the process.
   */
  readonly learn: (ids: Iterable<number>) => Promise<void>
  /** Whether the registry has the ids of the committed files: the bytes are then those of the embedded engine. */
  readonly agreesWithPublished: boolean
}

type KnownSchema = ReturnType<SchemaIds['schemaOf']>

const setBounded = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, countMax: number): void => {
  const oldest = map.keys().next()
  if (map.size >= countMax && oldest.done !== true) map.delete(oldest.value)
  map.set(key, value)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A schema's subject is its full name. */
const subjectOf = (schema: string): string => {
  const { name, namespace }: { readonly name?: unknown; readonly namespace?: unknown } = JSON.parse(schema)
  const own = textOf(name)
  return own.includes('.') || textOf(namespace) === '' ? own : `${textOf(namespace)}.${own}`
}

type Ids = ReadonlyMap<PublishedSchema, number>

/** Those that are registered, which all are but at the first start of a release: asked for side by side, so that a start is short. */
const findRegistered = async (client: RegistryClient, published: readonly PublishedSchema[]): Promise<Ids> => {
  const ids = new Map<PublishedSchema, number>()
  const left = published.values()
  const askForNext = async (): Promise<void> => {
    for (const entry of left) {
      const id = await client.findRegistered(entry.subject, entry.schema)
      if (id !== undefined) ids.set(entry, id)
    }
  }
  await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, askForNext))
  return ids
}

/** The others are registered in the order of the committed ids: a registry that holds nothing else gives the same numbers. */
const registerAll = async (client: RegistryClient, published: readonly PublishedSchema[]): Promise<Ids> => {
  const registered = await findRegistered(client, published)
  const ids = new Map<PublishedSchema, number>()
  const subjects = new Set<string>()
  const register = async ({ subject, schema }: PublishedSchema): Promise<number> => {
    if (!subjects.has(subject)) await client.setLevelFirst(subject)
    subjects.add(subject)
    return await client.register(subject, schema)
  }
  for (const entry of published.toSorted((a, b) => a.id - b.id)) ids.set(entry, registered.get(entry) ?? (await register(entry)))
  return ids
}

/**
 * Registers the published schemas, or finds them registered, with compatibility `FULL_TRANSITIVE`. Rejects with
 * `SCHEMA_UNAVAILABLE` when the registry does not answer, with `SETTING_INVALID` when it refuses a schema or the process.
 */
export const openRegistrySchemaIds = async (
  options: RegistryOptions,
  published: readonly PublishedSchema[] = PUBLISHED_SCHEMAS,
): Promise<RegistrySchemaIds> => {
  const { awayMaxMs = OPENING_AWAY_MAX_MS } = options
  const ids = await registerAll(createRegistryClient({ ...options, awayMaxMs }), published)
  const client = createRegistryClient(options)
  const latest = new Map([...ids].map(([{ subject }, id]) => [subject, id]))
  const ours = new Map<number, KnownSchema>([...ids].map(([entry, id]) => [id, entry]))
  const learnt = new Map<number, KnownSchema>()
  const unknownUntilMs = new Map<number, number>()

  const isOpen = (id: number): boolean =>
    id <= SCHEMA_ID_MAX && !ours.has(id) && !learnt.has(id) && (unknownUntilMs.get(id) ?? 0) <= performance.now()

  const newIdMax = Math.max(...ours.keys()) + NEW_ID_DISTANCE_MAX
  const learnOne = async (id: number): Promise<FoundSchema> => {
    const found = await client.find(id)
    if (typeof found === 'object') setBounded(learnt, id, { subject: subjectOf(found.schema), ...found }, SCHEMAS_LEARNT_MAX)
    return found
  }

  /** Those that may come to be known. */
  const stillNew = async (wanted: readonly number[]): Promise<readonly number[]> => {
    const left: number[] = []
    for (const id of wanted) if ((await learnOne(id)) === 'nothing' && id <= newIdMax) left.push(id)
    return left
  }

  /** Asks for all together again and again: what the registry has not heard of holds nobody up longer than one id would. */
  const learnAll = async (wanted: readonly number[]): Promise<void> => {
    const endMs = performance.now() + NEW_ID_AWAITED_MAX_MS
    let left = await stillNew(wanted)
    for (let pauseMs = RETRY_FIRST_MS; left.length > 0 && performance.now() < endMs; pauseMs *= 2) {
      await sleep(pauseMs)
      left = await stillNew(left)
    }
    for (const id of wanted) if (!learnt.has(id)) setBounded(unknownUntilMs, id, performance.now() + UNKNOWN_AGE_MAX_MS, UNKNOWN_COUNT_MAX)
  }

  return {
    idOf: (subject) => {
      const id = latest.get(subject)
      if (id === undefined) throw new OperatingError('SCHEMA_UNKNOWN', `schema ${subject} was never published`, { retryable: false })
      return id
    },
    schemaOf: (id) => ours.get(id) ?? learnt.get(id),
    learn: async (wanted) => {
      const open = [...new Set(wanted)].filter(isOpen)
      if (open.length > 0) await learnAll(open)
    },
    agreesWithPublished: [...ids].every(([entry, id]) => entry.id === id),
  }
}
