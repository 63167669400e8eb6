import { OperatingError } from '@switchyard/kernel'
import { z } from 'zod'

/** The secret that a development process accepts when none is set. */
const DEFAULT_ADMIN_SECRET = 'test_admin'
const JWT_SECRET_BYTES_MIN = 32
const PORT_MAX = 65_535
const PREFIX = 'SWITCHYARD_'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What a process was told by its environment. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** Folder of the embedded engines. */
  readonly dataDir: string
  /** Where the read models are kept instead of the data folder; may hold a password. */
  readonly mongodbUri: string | undefined
  readonly adminSecret: string
  /** The well-known default is in use: worth a warning. */
  readonly isDefaultAdminSecret: boolean
  /** Undefined: one is generated and kept in the data folder. */
  readonly jwtSecret: string | undefined
  /** Normalised (trimmed, lower case). */
  readonly superAdminEmails: readonly string[]
  readonly logLevel: LogLevel
  readonly isProduction: boolean
}

const normalisedEmails = (text: string): readonly string[] =>
  text
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter((email) => email !== '')

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
  SWITCHYARD_MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  SWITCHYARD_ADMIN_SECRET: z.string().optional(),
  SWITCHYARD_JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= JWT_SECRET_BYTES_MIN, `must be at least ${JWT_SECRET_BYTES_MIN} bytes long`)
    .optional(),
  SWITCHYARD_SUPER_ADMIN_EMAILS: z
    .string()
    .transform(normalisedEmails)
    .refine((emails) => emails.every((email) => /^[^@\s]+@[^@\s]+$/.test(email)), 'must be e-mail addresses separated by commas')
    .default([]),
  SWITCHYARD_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

type Environment = Readonly<Record<string, string | undefined>>

const unknownNames = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !Object.hasOwn(schema.shape, name))
    .map((name) => `${name}: is not a setting`)

const missingSecrets = (env: Environment): readonly string[] => {
  if (env['NODE_ENV'] !== 'production') return []
  const admin = env['SWITCHYARD_ADMIN_SECRET'] ?? ''
  return [
    ...(admin === '' ? ['SWITCHYARD_ADMIN_SECRET: is required in production'] : []),
    ...(admin === DEFAULT_ADMIN_SECRET ? ['SWITCHYARD_ADMIN_SECRET: must not be the development default in production'] : []),
    ...((env['SWITCHYARD_JWT_SECRET'] ?? '') === '' ? ['SWITCHYARD_JWT_SECRET: is required in production'] : []),
  ]
}

/**
 * Reads the settings of the process; an empty value counts as not set. Throws `SETTING_INVALID` that names every problem
 * at once, and never a value.
 */
export const parseSettings = (env: Environment): Settings => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(given)
  const issues = result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const problems = [...unknownNames(env), ...issues, ...missingSecrets(env)]
  if (!result.success || problems.length > 0) {
    throw new OperatingError('SETTING_INVALID', `the settings are not valid: ${problems.join('; ')}`, { retryable: false })
  }
  const { data } = result
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.SWITCHYARD_DATA_DIR,
    mongodbUri: data.SWITCHYARD_MONGODB_URI,
    adminSecret: data.SWITCHYARD_ADMIN_SECRET ?? DEFAULT_ADMIN_SECRET,
    isDefaultAdminSecret: (data.SWITCHYARD_ADMIN_SECRET ?? DEFAULT_ADMIN_SECRET) === DEFAULT_ADMIN_SECRET,
    jwtSecret: data.SWITCHYARD_JWT_SECRET,
    superAdminEmails: data.SWITCHYARD_SUPER_ADMIN_EMAILS,
    logLevel: data.SWITCHYARD_LOG_LEVEL,
    isProduction: data.NODE_ENV === 'production',
  }
}
