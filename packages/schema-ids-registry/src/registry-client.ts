import { setTimeout as sleep } from 'node:timers/promises'
import confluent from '@kafkajs/confluent-schema-registry'
import { OperatingError } from '@switchyard/kernel'
import { type Credentials, LEVEL, levelOf, setLevelFirst } from './compatibility-level.ts'
import {
  ANSWER_MAX_MS,
  ANSWER_SHOWN_MAX_CHARS,
  REGISTRATION_RACES_MAX,
  REGISTRY_AWAY_MAX_MS,
  RETRY_FIRST_MS,
  RETRY_MAX_MS,
} from './limits.ts'

const { SchemaRegistry, SchemaType } = confluent

/** Where a registry is. */
export interface RegistryOptions {
  /** Base address of its Confluent interface. */
  readonly url: string
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** How long a registry that is away is waited for, milliseconds. */
  readonly awayMaxMs?: number
}

/** What a registry has under an id: an Avro schema (JSON text), something else, or nothing. */
export type FoundSchema = { readonly schema: string } | 'other' | 'nothing'

/** A registry, asked with patience. */
export interface RegistryClient {
  /** The id of this schema where it is registered as {@link register} does it; undefined where anything is left to do, or to refuse. */
  readonly findRegistered: (subject: string, schema: string) => Promise<number | undefined>
  /** See {@link setLevelFirst}; before the first schema of a subject. */
  readonly setLevelFirst: (subject: string) => Promise<void>
  /** The id of this schema under this subject, registered `FULL_TRANSITIVE` when it is not there. */
  readonly register: (subject: string, schema: string) => Promise<number>
  readonly find: (id: number) => Promise<FoundSchema>
}

const statusOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, ANSWER_SHOWN_MAX_CHARS)

/** Statuses by which a registry says no. Not 400: that is also how the library tells that there was no connection. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([401, 403, 404, 405, 409, 422])

/** Also what a registry says while another process that starts registers the same subject: made, but not yet set as it should be. */
const mayBeRace = (error: unknown): boolean => statusOf(error) === 409 || nameOf(error) === 'ConfluentSchemaRegistryCompatibilityError'

/** The library's word for a schema that a subject does not have. */
const isNotThere = (error: unknown): boolean => nameOf(error) === 'ConfluentSchemaRegistryError'

const refused = (what: string, cause: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `the schema registry refuses ${what}: ${messageOf(cause)}`, { retryable: false, cause })

const away = (what: string, cause: unknown): OperatingError =>
  new OperatingError('SCHEMA_UNAVAILABLE', `the schema registry did not answer in time: ${what}`, { retryable: true, cause })

/** The library's requests have no bound of their own. */
const bounded = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  const timer = new AbortController()
  const late = sleep(ANSWER_MAX_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${ANSWER_MAX_MS} ms`)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    timer.abort()
    late.catch(() => {})
  }
}

const asked = async <Answer>(what: string, awayMaxMs: number, ask: () => Promise<Answer>): Promise<Answer> => {
  const endMs = performance.now() + awayMaxMs
  let races = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await bounded(ask())
    } catch (error) {
      races = mayBeRace(error) ? races + 1 : 0
      if (races > REGISTRATION_RACES_MAX || (races === 0 && REFUSALS.has(statusOf(error)))) throw refused(what, error)
      if (races === 0 && performance.now() >= endMs) throw away(what, error)
      await sleep(Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt, 10)))
    }
  }
}

/** {@link RegistryClient} over HTTP. */
export const createRegistryClient = ({ url, username, password, awayMaxMs = REGISTRY_AWAY_MAX_MS }: RegistryOptions): RegistryClient => {
  const credentials: Credentials | undefined = username === undefined || password === undefined ? undefined : { username, password }
  const auth = credentials === undefined ? {} : { auth: credentials }
  const registry = new SchemaRegistry({ host: url, clientId: 'switchyard', retry: { retries: 0 }, ...auth })

  return {
    findRegistered: async (subject, schema) => {
      const find = async (): Promise<number | undefined> => {
        try {
          if ((await levelOf({ url, credentials }, subject)) !== LEVEL) return undefined
          return await registry.getRegistryIdBySchema(subject, { type: SchemaType.AVRO, schema })
        } catch (error) {
          if (isNotThere(error) || REFUSALS.has(statusOf(error))) return undefined
          throw error
        }
      }
      return await asked(`the schema of ${subject}`, awayMaxMs, find)
    },
    setLevelFirst: async (subject) => await asked(`the level of ${subject}`, awayMaxMs, () => setLevelFirst({ url, credentials }, subject)),
    register: async (subject, schema) => {
      const register = async (): Promise<{ readonly id: number }> =>
        await registry.register({ type: SchemaType.AVRO, schema }, { subject, compatibility: LEVEL })
      return (await asked(`the schema of ${subject}`, awayMaxMs, register)).id
    },
    find: async (id) => {
      const find = async (): Promise<FoundSchema> => {
        try {
          return { schema: JSON.stringify(await registry.getSchema(id)) }
        } catch (error) {
          if (statusOf(error) === 404) return 'nothing'
          // Without a status the registry has answered, with something that is no Avro schema.
          if (statusOf(error) === undefined) return 'other'
          throw error
        }
      }
      return await asked(`the id ${id}`, awayMaxMs, find)
    },
  }
}
