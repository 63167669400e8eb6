import { OperatingError } from '@switchyard/kernel'
import * as z from 'zod'
import { type ClusterSettings, isClusterSetting, parseClusterSettings } from './cluster-settings.ts'
import { isPeopleSetting, type MailSettings, type PeopleSettings, parsePeopleSettings } from './people-settings.ts'
import { isReportSetting, parseReportSettings, type ReportSettings } from './report-settings.ts'
import { isCidr, itemsOf, type RateSetting, rate, whole } from './setting-values.ts'
import { isTuningSetting, parseTuningSettings, type TuningSettings } from './tuning-settings.ts'

/** The secret that a development process accepts when none is set. */
const DEFAULT_ADMIN_SECRET = 'test_admin'
/** Stands in docker-compose.yml, so that a cluster on one machine starts without a setting: whoever can read it can sign tokens. */
const KNOWN_SECRET = 'known-to-everybody-and-for-one-machine-only'
const ANY_SECRETS: readonly string[] = ['SWITCHYARD_JWT_SECRET', 'SWITCHYARD_DATA_KEY_SECRET']
const SECRET_BYTES_MIN = 32
/** What arrives as it was sent: spaces around a value are trimmed away, and characters beyond ASCII are encoded as each client likes. */
const HEADER_VALUE = /^([!-~]([ -~]*[!-~])?)?$/
const OLD_SECRET_COUNT_MAX = 10
const PORT_MAX = 65_535
const METRICS_PORT_DEFAULT = 9_094
/** A minute. */
const DRAIN_MS_MAX = 60_000
/** Long enough for a load balancer that asks every second. */
const PRODUCTION_DRAIN_MS = 3_000
/** A day. */
const DURATION_MS_MAX = 86_400_000
const OUTCOME_COUNT_MAX = 10_000
const WORKER_COUNT_MAX = 16
const PREFIX = 'SWITCHYARD_'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Numbers of the detection of downtime; absent where none was set. Times in milliseconds. */
interface DowntimeSettings {
  readonly halfLifeMs?: number
  readonly sampleCount?: number
  readonly failureRunCount?: number
  readonly recoveryRunCount?: number
  readonly ageMsMax?: number
  readonly probeIntervalMs?: number
  readonly probePaymentCount?: number
}

/** Numbers of success-rate scoring; absent where none was set. */
interface ScoringSettings {
  /** Age up to which an outcome counts in windows, milliseconds. */
  readonly outcomeWindowMs?: number
}

/** What a process was told by its environment. */
export interface Settings extends ClusterSettings {
  readonly port: number
  readonly host: string
  /** Threads of the standalone process that answer decisions. */
  readonly workers: number
  /** Folder of the embedded engines. */
  readonly dataDir: string
  /** Where the read models are kept instead of the data folder; may hold a password. */
  readonly mongodbUri: string | undefined
  readonly adminSecret: string
  /** The well-known default is in use: worth a warning. */
  readonly isDefaultAdminSecret: boolean
  /** Undefined: one is generated and kept in the data folder. */
  readonly jwtSecret: string | undefined
  readonly people: PeopleSettings
  readonly mail: MailSettings
  readonly tuning: TuningSettings
  readonly logLevel: LogLevel
  /** Where metrics are read; no port: nowhere. A default that is taken is no mistake. */
  readonly metricsPort: { readonly port: number | undefined; readonly isDefault: boolean }
  /** What a credential may send to the classes of routes; an absent one is no limit. */
  readonly rateLimits: { readonly hot?: RateSetting; readonly read?: RateSetting; readonly write?: RateSetting }
  /** How long a process that stops still answers while it says that it is not ready, milliseconds. */
  readonly drainMs: number
  /** CSV of the error-code table; undefined: the one that comes with the release. */
  readonly gatewayErrorsFile: string | undefined
  /** CSVs of the vocabulary of rules and of the payments that connectors take; undefined: those that come with the release. */
  readonly ruleDataFiles: { readonly routingKeys: string | undefined; readonly eligibility: string | undefined }
  /** JSON of the networks' fees and CSV of the BINs; undefined: those that come with the release. */
  readonly debitDataFiles: { readonly networkFees: string | undefined; readonly binTable: string | undefined }
  /** When gateways are taken for down and tried again: what was set, the rest is as shipped. */
  readonly downtime: DowntimeSettings
  /** What merchants can't settle of their scores: what was set, the rest is as shipped. */
  readonly scoring: ScoringSettings
  /** Whether rates of contracts price decisions, on gateways of which nothing is learned. */
  readonly contractRatesDecide: boolean
  /** CSV of the rates of merchants that told none of their own; undefined: there are none. */
  readonly contractRatesFile: string | undefined
  readonly isProduction: boolean
  /** Wraps the data keys of merchants; undefined: one is generated and kept in the data folder. */
  readonly dataKeySecret: string | undefined
  /** Earlier ones, whose keys stay readable, newest first. */
  readonly oldDataKeySecrets: readonly string[]
  /** Where webhooks may go beside public addresses over https. */
  readonly webhooks: { readonly allowCidrs: readonly string[]; readonly allowHttp: boolean }
  readonly reports: ReportSettings
}

/** One row a setting: adding one here makes it known. Messages never repeat a value. */
const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number')
    .transform(Number)
    .refine((port) => port <= PORT_MAX, `must be at most ${PORT_MAX}`)
    .default(8080),
  HOST: z.string().default('127.0.0.1'),
  NODE_ENV: z.string().optional(),
  SWITCHYARD_DATA_DIR: z.string().default('./data'),
  SWITCHYARD_WORKERS: whole(1, WORKER_COUNT_MAX),
  SWITCHYARD_MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  SWITCHYARD_ADMIN_SECRET: z
    .string()
    .regex(HEADER_VALUE, 'must be printable ASCII without spaces or line ends around it, as the value of a header is')
    .optional(),
  SWITCHYARD_JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= SECRET_BYTES_MIN, `must be at least ${SECRET_BYTES_MIN} bytes long`)
    .optional(),
  SWITCHYARD_DATA_KEY_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= SECRET_BYTES_MIN, `must be at least ${SECRET_BYTES_MIN} bytes long`)
    .optional(),
  SWITCHYARD_DATA_KEY_SECRETS_OLD: z
    .string()
    .transform(itemsOf)
    .refine(
      (secrets) => secrets.length <= OLD_SECRET_COUNT_MAX && secrets.every((secret) => Buffer.byteLength(secret) >= SECRET_BYTES_MIN),
      `must be at most ${OLD_SECRET_COUNT_MAX} secrets of at least ${SECRET_BYTES_MIN} bytes, separated by commas`,
    )
    .default([]),
  SWITCHYARD_WEBHOOK_ALLOW_CIDRS: z
    .string()
    .transform(itemsOf)
    .refine((cidrs) => cidrs.every(isCidr), 'must be networks like 192.168.0.0/16 or fd00::/8, separated by commas')
    .default([]),
  SWITCHYARD_WEBHOOK_ALLOW_HTTP: z.enum(['true', 'false'], 'must be true or false').default('false'),
  SWITCHYARD_GATEWAY_ERRORS_FILE: z.string().optional(),
  SWITCHYARD_ROUTING_KEYS_FILE: z.string().optional(),
  SWITCHYARD_ELIGIBILITY_FILE: z.string().optional(),
  SWITCHYARD_NETWORK_FEES_FILE: z.string().optional(),
  SWITCHYARD_BIN_TABLE_FILE: z.string().optional(),
  SWITCHYARD_CONTRACT_RATES_FILE: z.string().optional(),
  SWITCHYARD_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  SWITCHYARD_METRICS_PORT: z
    .string()
    .regex(/^(off|\d{1,5})$/, { error: 'must be a number or off', abort: true })
    .refine((port) => port === 'off' || Number(port) <= PORT_MAX, `must be at most ${PORT_MAX}`)
    .optional(),
  SWITCHYARD_RATE_LIMIT_HOT: rate('off'),
  SWITCHYARD_RATE_LIMIT_READ: rate('200/1000'),
  SWITCHYARD_RATE_LIMIT_WRITE: rate('100/500'),
  SWITCHYARD_DRAIN_MS: whole(0, DRAIN_MS_MAX),
  SWITCHYARD_DOWNTIME_HALF_LIFE_MS: whole(1, DURATION_MS_MAX),
  SWITCHYARD_DOWNTIME_SAMPLE_COUNT: whole(1, OUTCOME_COUNT_MAX),
  SWITCHYARD_DOWNTIME_FAILURE_RUN_COUNT: whole(1, OUTCOME_COUNT_MAX),
  SWITCHYARD_DOWNTIME_RECOVERY_RUN_COUNT: whole(1, OUTCOME_COUNT_MAX),
  SWITCHYARD_DOWNTIME_AGE_MS_MAX: whole(1, DURATION_MS_MAX),
  SWITCHYARD_DOWNTIME_PROBE_INTERVAL_MS: whole(0, DURATION_MS_MAX),
  SWITCHYARD_DOWNTIME_PROBE_PAYMENT_COUNT: whole(0, OUTCOME_COUNT_MAX),
  SWITCHYARD_OUTCOME_WINDOW_MS: whole(1, DURATION_MS_MAX),
  SWITCHYARD_CONTRACT_RATES_DECIDE: z.enum(['true', 'false'], 'must be true or false').default('false'),
})

/** What was set of some numbers. */
const setOf = (numbers: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(numbers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const downtimeOf = (data: z.output<typeof schema>): DowntimeSettings =>
  setOf({
    halfLifeMs: data.SWITCHYARD_DOWNTIME_HALF_LIFE_MS,
    sampleCount: data.SWITCHYARD_DOWNTIME_SAMPLE_COUNT,
    failureRunCount: data.SWITCHYARD_DOWNTIME_FAILURE_RUN_COUNT,
    recoveryRunCount: data.SWITCHYARD_DOWNTIME_RECOVERY_RUN_COUNT,
    ageMsMax: data.SWITCHYARD_DOWNTIME_AGE_MS_MAX,
    probeIntervalMs: data.SWITCHYARD_DOWNTIME_PROBE_INTERVAL_MS,
    probePaymentCount: data.SWITCHYARD_DOWNTIME_PROBE_PAYMENT_COUNT,
  })

/** What kind of process the settings are for. */
export interface Duties {
  /** `health` alone: no credential is ever checked, so no secret is needed. */
  readonly answers: 'requests' | 'health'
}

const metricsPortOf = (text: string | undefined): Settings['metricsPort'] =>
  text === undefined
    ? { port: METRICS_PORT_DEFAULT, isDefault: true }
    : { port: text === 'off' ? undefined : Number(text), isDefault: false }

const rateLimitsOf = (data: z.output<typeof schema>): Settings['rateLimits'] => ({
  ...(data.SWITCHYARD_RATE_LIMIT_HOT && { hot: data.SWITCHYARD_RATE_LIMIT_HOT }),
  ...(data.SWITCHYARD_RATE_LIMIT_READ && { read: data.SWITCHYARD_RATE_LIMIT_READ }),
  ...(data.SWITCHYARD_RATE_LIMIT_WRITE && { write: data.SWITCHYARD_RATE_LIMIT_WRITE }),
})

type Environment = Readonly<Record<string, string | undefined>>

const KNOWN: readonly ((name: string) => boolean)[] = [
  (name) => Object.hasOwn(schema.shape, name),
  isClusterSetting,
  isPeopleSetting,
  isReportSetting,
  isTuningSetting,
]

const unknownNames = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN.some((isKnown) => isKnown(name)))
    .map((name) => `${name}: is not a setting`)

const missingSecrets = (env: Environment, { answers }: Duties): readonly string[] => {
  if (env['NODE_ENV'] !== 'production' || answers === 'health') return []
  const admin = env['SWITCHYARD_ADMIN_SECRET'] ?? ''
  const jwt = env['SWITCHYARD_JWT_SECRET'] ?? ''
  return [
    ...(admin === '' ? ['SWITCHYARD_ADMIN_SECRET: is required in production'] : []),
    ...(admin === DEFAULT_ADMIN_SECRET ? ['SWITCHYARD_ADMIN_SECRET: must not be the development default in production'] : []),
    ...(jwt === '' ? ['SWITCHYARD_JWT_SECRET: is required in production'] : []),
    ...ANY_SECRETS.filter((name) => env[name] === KNOWN_SECRET).map(
      (name) => `${name}: must not be the one of docker-compose.yml in production`,
    ),
  ]
}

/** Two listeners of one process can't share a port; 0 is a free one for each. */
const portsInConflict = ({ PORT, SWITCHYARD_METRICS_PORT: metrics }: z.output<typeof schema>): readonly string[] =>
  PORT > 0 && metrics !== undefined && Number(metrics) === PORT ? ['SWITCHYARD_METRICS_PORT: must be another port than PORT'] : []

type Parts = ClusterSettings & Pick<Settings, 'people' | 'mail' | 'tuning' | 'reports'>

/** The settings that stand in files of their own. */
const partsOf = (given: Environment): { readonly problems: readonly string[]; readonly settings?: Parts } => {
  const [cluster, people] = [parseClusterSettings(given), parsePeopleSettings(given)]
  const [tuning, reports] = [parseTuningSettings(given), parseReportSettings(given)]
  const problems = [...cluster.problems, ...people.problems, ...tuning.problems, ...reports.problems]
  if (people.settings === undefined || tuning.settings === undefined || reports.settings === undefined) return { problems }
  return { problems, settings: { ...cluster.settings, ...people.settings, ...tuning.settings, ...reports.settings } }
}

/** What was set, by the parts that read it; throws when any of it is not valid. */
const readRows = (env: Environment, duties: Duties) => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(given)
  const issues = result.success
    ? portsInConflict(result.data)
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const parts = partsOf(given)
  const problems = [...unknownNames(env), ...issues, ...parts.problems, ...missingSecrets(env, duties)]
  if (!result.success || parts.settings === undefined || problems.length > 0) {
    throw new OperatingError('SETTING_INVALID', `the settings are not valid: ${problems.join('; ')}`, { retryable: false })
  }
  return { data: result.data, others: parts.settings }
}

/**
 * Reads the settings of the process; an empty value counts as not set. Throws `SETTING_INVALID` that names every problem
 * at once, and never a value.
 */
export const parseSettings = (env: Environment, duties: Duties = { answers: 'requests' }): Settings => {
  const { data, others } = readRows(env, duties)
  return {
    port: data.PORT,
    host: data.HOST,
    workers: data.SWITCHYARD_WORKERS ?? 1,
    dataDir: data.SWITCHYARD_DATA_DIR,
    mongodbUri: data.SWITCHYARD_MONGODB_URI,
    adminSecret: data.SWITCHYARD_ADMIN_SECRET ?? DEFAULT_ADMIN_SECRET,
    isDefaultAdminSecret: (data.SWITCHYARD_ADMIN_SECRET ?? DEFAULT_ADMIN_SECRET) === DEFAULT_ADMIN_SECRET,
    jwtSecret: data.SWITCHYARD_JWT_SECRET,
    ...others,
    logLevel: data.SWITCHYARD_LOG_LEVEL,
    rateLimits: rateLimitsOf(data),
    metricsPort: metricsPortOf(data.SWITCHYARD_METRICS_PORT),
    drainMs: data.SWITCHYARD_DRAIN_MS ?? (data.NODE_ENV === 'production' ? PRODUCTION_DRAIN_MS : 0),
    gatewayErrorsFile: data.SWITCHYARD_GATEWAY_ERRORS_FILE,
    ruleDataFiles: { routingKeys: data.SWITCHYARD_ROUTING_KEYS_FILE, eligibility: data.SWITCHYARD_ELIGIBILITY_FILE },
    debitDataFiles: { networkFees: data.SWITCHYARD_NETWORK_FEES_FILE, binTable: data.SWITCHYARD_BIN_TABLE_FILE },
    downtime: downtimeOf(data),
    scoring: setOf({ outcomeWindowMs: data.SWITCHYARD_OUTCOME_WINDOW_MS }),
    contractRatesDecide: data.SWITCHYARD_CONTRACT_RATES_DECIDE === 'true',
    contractRatesFile: data.SWITCHYARD_CONTRACT_RATES_FILE,
    isProduction: data.NODE_ENV === 'production',
    dataKeySecret: data.SWITCHYARD_DATA_KEY_SECRET,
    oldDataKeySecrets: data.SWITCHYARD_DATA_KEY_SECRETS_OLD,
    webhooks: { allowCidrs: data.SWITCHYARD_WEBHOOK_ALLOW_CIDRS, allowHttp: data.SWITCHYARD_WEBHOOK_ALLOW_HTTP === 'true' },
  }
}
