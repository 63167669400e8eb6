import * as z from 'zod'
import { itemsOf } from './setting-values.ts'

const BROKERS_MAX = 32
const PARTITIONS_MAX = 1_024
const REPLICATION_MAX = 15
const TOPIC_PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const PORT_MAX = 65_535
const BROKER = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?:(\d{1,5})$/

const CREDENTIALS = /^[^/]*\/\/[^/?#]*@/

const isBroker = (text: string): boolean => {
  const port = Number(BROKER.exec(text)?.[2] ?? 0)
  return port >= 1 && port <= PORT_MAX
}

/** How the event log on Kafka is reached. */
export interface KafkaSettings {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[]
  readonly tls: boolean
  /** File of the certificates that are trusted instead of the system's. */
  readonly tlsCaFile: string | undefined
  readonly sasl:
    | { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: string }
    | undefined
  /** First part of the topics' names. */
  readonly topicPrefix: string
  readonly partitionCount: number
  readonly replicationFactor: number
}

/** Where the schema registry is. */
export interface RegistrySettings {
  readonly url: string
  readonly username: string | undefined
  readonly password: string | undefined
}

const count = (max: number, otherwise: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
    .default(otherwise)

/** One row a setting, as in the settings of every process. */
const schema = z.object({
  SWITCHYARD_KAFKA_BROKERS: z
    .string()
    .transform(itemsOf)
    .refine((brokers) => brokers.length >= 1 && brokers.length <= BROKERS_MAX && brokers.every(isBroker), 'must be host:port, by commas')
    .optional(),
  SWITCHYARD_KAFKA_TLS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SWITCHYARD_KAFKA_TLS_CA_FILE: z.string().optional(),
  SWITCHYARD_KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional(),
  SWITCHYARD_KAFKA_SASL_USERNAME: z.string().optional(),
  SWITCHYARD_KAFKA_SASL_PASSWORD: z.string().optional(),
  SWITCHYARD_KAFKA_TOPIC_PREFIX: z.string().regex(TOPIC_PREFIX, 'must be letters, digits, dots, dashes').default('switchyard'),
  SWITCHYARD_KAFKA_PARTITIONS: count(PARTITIONS_MAX, 12),
  SWITCHYARD_KAFKA_REPLICATION: count(REPLICATION_MAX, 3),
  // Requests to an address with credentials are refused by the runtime, in words that repeat them.
  SWITCHYARD_SCHEMA_REGISTRY_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http address' })
    .refine((url) => !CREDENTIALS.test(url), 'must be without credentials: SWITCHYARD_SCHEMA_REGISTRY_USERNAME and _PASSWORD name them')
    .optional(),
  SWITCHYARD_SCHEMA_REGISTRY_USERNAME: z.string().optional(),
  SWITCHYARD_SCHEMA_REGISTRY_PASSWORD: z.string().optional(),
})

type Rows = z.infer<typeof schema>
type Given = Readonly<Record<string, string | undefined>>

/** These are set together or not at all. */
const TOGETHER: readonly (readonly (keyof Rows)[])[] = [
  ['SWITCHYARD_KAFKA_SASL_MECHANISM', 'SWITCHYARD_KAFKA_SASL_USERNAME', 'SWITCHYARD_KAFKA_SASL_PASSWORD'],
  ['SWITCHYARD_SCHEMA_REGISTRY_USERNAME', 'SWITCHYARD_SCHEMA_REGISTRY_PASSWORD'],
]

/** Settings of a server make no sense without its address. */
const ADDRESSES: readonly (readonly [address: keyof Rows, prefix: string])[] = [
  ['SWITCHYARD_KAFKA_BROKERS', 'SWITCHYARD_KAFKA_'],
  ['SWITCHYARD_SCHEMA_REGISTRY_URL', 'SWITCHYARD_SCHEMA_REGISTRY_'],
]

const withoutAddress = (given: Given): readonly string[] =>
  ADDRESSES.flatMap(([address, prefix]) => {
    const first = Object.keys(given).find((name) => name.startsWith(prefix) && isClusterSetting(name))
    return given[address] !== undefined || first === undefined ? [] : [`${address}: is required with ${first}`]
  })

const missingBeside = (given: Given): readonly string[] =>
  TOGETHER.flatMap((names) => {
    const absent = names.filter((name) => given[name] === undefined)
    return absent.length === names.length
      ? []
      : absent.map((name) => `${name}: is required with ${names.filter((other) => other !== name).join(', ')}`)
  })

/** Without encryption the file would be left unread, and a password sent as it is, by someone who named it to have neither. */
const unencrypted = (given: Given): readonly string[] =>
  given['SWITCHYARD_KAFKA_TLS_CA_FILE'] !== undefined && given['SWITCHYARD_KAFKA_TLS'] !== 'on'
    ? ['SWITCHYARD_KAFKA_TLS: must be on with SWITCHYARD_KAFKA_TLS_CA_FILE']
    : []

const kafkaOf = (rows: Rows): KafkaSettings | undefined => {
  const { SWITCHYARD_KAFKA_BROKERS: brokers, SWITCHYARD_KAFKA_SASL_MECHANISM: mechanism } = rows
  if (brokers === undefined) return undefined
  const username = rows.SWITCHYARD_KAFKA_SASL_USERNAME ?? ''
  const password = rows.SWITCHYARD_KAFKA_SASL_PASSWORD ?? ''
  return {
    brokers,
    tls: rows.SWITCHYARD_KAFKA_TLS === 'on',
    tlsCaFile: rows.SWITCHYARD_KAFKA_TLS_CA_FILE,
    sasl: mechanism === undefined ? undefined : { mechanism, username, password },
    topicPrefix: rows.SWITCHYARD_KAFKA_TOPIC_PREFIX,
    partitionCount: rows.SWITCHYARD_KAFKA_PARTITIONS,
    replicationFactor: rows.SWITCHYARD_KAFKA_REPLICATION,
  }
}

const registryOf = (rows: Rows): RegistrySettings | undefined => {
  const url = rows.SWITCHYARD_SCHEMA_REGISTRY_URL
  if (url === undefined) return undefined
  return { url, username: rows.SWITCHYARD_SCHEMA_REGISTRY_USERNAME, password: rows.SWITCHYARD_SCHEMA_REGISTRY_PASSWORD }
}

/** What the process was told about its cluster; undefined is what it was not told of, and then the embedded engine serves. */
export interface ClusterSettings {
  readonly kafka: KafkaSettings | undefined
  readonly schemaRegistry: RegistrySettings | undefined
}

/** Whether a setting of this name belongs to the cluster. */
export const isClusterSetting = (name: string): boolean => Object.hasOwn(schema.shape, name)

/** Reads {@link ClusterSettings} from what is set, and says what is wrong with it: names, never values. */
export const parseClusterSettings = (given: Given): { readonly settings: ClusterSettings; readonly problems: readonly string[] } => {
  const { success, data, error } = schema.safeParse(given)
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { settings: { kafka: undefined, schemaRegistry: undefined }, problems }
  }
  return {
    settings: { kafka: kafkaOf(data), schemaRegistry: registryOf(data) },
    problems: [...withoutAddress(given), ...missingBeside(given), ...unencrypted(given)],
  }
}
