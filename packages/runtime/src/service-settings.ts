import { OperatingError } from '@switchyard/kernel'
import type { KafkaSettings, RegistrySettings } from './cluster-settings.ts'
import { type Duties, parseSettings, type Settings } from './settings.ts'

/** What one service of a cluster was told: every server by its address, nothing embedded. */
export interface ServiceSettings extends Settings {
  readonly kafka: KafkaSettings
  readonly schemaRegistry: RegistrySettings
  readonly mongodbUri: string
  /** Signs session tokens, the same in all services; empty for one that answers `health` alone. */
  readonly jwtSecret: string
}

const invalid = (problems: readonly string[]): OperatingError =>
  new OperatingError('SETTING_INVALID', `the settings are not valid: ${problems.join('; ')}`, { retryable: false })

const requiredIn = (settings: Settings, { answers }: Duties): readonly (readonly [name: string, isThere: boolean])[] => [
  ['SWITCHYARD_KAFKA_BROKERS', settings.kafka !== undefined],
  ['SWITCHYARD_SCHEMA_REGISTRY_URL', settings.schemaRegistry !== undefined],
  ['SWITCHYARD_MONGODB_URI', settings.mongodbUri !== undefined],
  ['SWITCHYARD_JWT_SECRET', settings.jwtSecret !== undefined || answers === 'health'],
]

/**
 * Reads the settings of a service of a cluster; as {@link parseSettings}, and throws `SETTING_INVALID` as well when a server is not
 * named, or a data folder is: a service keeps nothing.
 */
export const parseServiceSettings = (
  env: Readonly<Record<string, string | undefined>>,
  duties: Duties = { answers: 'requests' },
): ServiceSettings => {
  const settings = parseSettings(env, duties)
  const problems = requiredIn(settings, duties).flatMap(([name, isThere]) => (isThere ? [] : [`${name}: is required`]))
  if ((env['SWITCHYARD_DATA_DIR'] ?? '') !== '') problems.push('SWITCHYARD_DATA_DIR: a service of a cluster keeps no data')
  if (settings.workers > 1) problems.push('SWITCHYARD_WORKERS: a service of a cluster has one; start more of them instead')
  const { kafka, schemaRegistry, mongodbUri, jwtSecret = '' } = settings
  if (problems.length > 0 || kafka === undefined || schemaRegistry === undefined || mongodbUri === undefined) throw invalid(problems)
  return { ...settings, kafka, schemaRegistry, mongodbUri, jwtSecret }
}
