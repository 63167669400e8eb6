import confluent from '@kafkajs/confluent-schema-registry'
import { ANSWER_MAX_MS } from './limits.ts'

/** A user of a registry. */
export type Credentials = Readonly<Record<'username' | 'password', string>>

/** A registry, and who asks. */
interface Registry {
  readonly url: string
  readonly credentials: Credentials | undefined
}

/** An answer that is none of those expected. */
class RegistryAnswerError extends Error {
  readonly status: number

  constructor(status: number, body: string) {
    super(`status ${status}: ${body}`)
    this.status = status
  }
}

const headersOf = (credentials: Credentials | undefined): Record<string, string> => {
  const type = { 'content-type': 'application/vnd.schemaregistry.v1+json' }
  if (credentials === undefined) return type
  const token = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  return { ...type, authorization: `Basic ${token}` }
}

/** Level of every subject of the system. */
export const LEVEL: typeof confluent.COMPATIBILITY.FULL_TRANSITIVE = confluent.COMPATIBILITY.FULL_TRANSITIVE

const placeOf = (url: string, subject: string): string => `${url.replace(/\/+$/, '')}/config/${encodeURIComponent(subject)}`

/** The compatibility level of a subject in capitals; undefined when it has none of its own. Rejects when the registry does not answer as it should. */
export const levelOf = async ({ url, credentials }: Registry, subject: string): Promise<string | undefined> => {
  const level = await fetch(placeOf(url, subject), { headers: headersOf(credentials), signal: AbortSignal.timeout(ANSWER_MAX_MS) })
  const told = await level.text()
  if (level.status === 404) return undefined
  if (!level.ok) throw new RegistryAnswerError(level.status, told)
  const { compatibilityLevel }: { readonly compatibilityLevel?: unknown } = JSON.parse(told)
  return String(compatibilityLevel).toUpperCase()
}

/**
 * Gives a subject without a compatibility level of its own `FULL_TRANSITIVE`; one that has a level keeps it. Before its
 * first schema, not behind it as the library does: a process that ends in between leaves a subject that others refuse for
 * ever where a registry tells a missing level as `NONE`. A registry that knows no level of a subject without schemas is left to
 * the library. Rejects when the registry does not answer as it should.
 */
export const setLevelFirst = async (registry: Registry, subject: string): Promise<void> => {
  if ((await levelOf(registry, subject)) !== undefined) return
  const request = { method: 'PUT', headers: headersOf(registry.credentials), body: JSON.stringify({ compatibility: LEVEL }) }
  const set = await fetch(placeOf(registry.url, subject), { ...request, signal: AbortSignal.timeout(ANSWER_MAX_MS) })
  const answer = await set.text()
  if (!set.ok && set.status !== 404) throw new RegistryAnswerError(set.status, answer)
}
