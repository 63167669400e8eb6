import * as z from 'zod'
import { itemsOf } from './setting-values.ts'

/** A day. */
const LIFETIME_MS_MAX = 86_400_000
const PROXY_COUNT_MAX = 10
const ATTEMPT_COUNT_MAX = 1_000_000
const MEMORY_KIB_MIN = 8
const MEMORY_KIB_MAX = 1_048_576
const PASS_COUNT_MAX = 100
/** Behind a `#` a path may follow: pages may be told apart there. */
const ENDS_IN_QUERY = /\?[^#]*$/

/** What a deployment says about people and their sessions. */
export interface PeopleSettings {
  /** Who may look at every merchant; normalised (trimmed, lower case, accents composed). */
  readonly superAdminEmails: readonly string[]
  /** Whether only the deployment's admin signs people up. */
  readonly signupRequiresAdminSecret: boolean
  /** Whether whoever signs up has to prove the address before logging in. */
  readonly emailVerification: boolean
  /** Whether a hand-off code without permissions opens a session without any, instead of one with all. */
  readonly requireExplicitPermissions: boolean
  /** Proxies of one's own in front of the services: `x-forwarded-for` is believed that far. */
  readonly trustedProxyCount: number
  /** What hashing a password costs, where it was set. */
  readonly passwordCost: { readonly memoryKib?: number; readonly passCount?: number }
  /** Failed attempts that may follow each other. */
  readonly throttle: { readonly accountAttemptCount: number; readonly addressAttemptCount: number }
  readonly sessionLifetimeMs: number
  /** Of sessions that were handed over. */
  readonly handoffLifetimeMs: number
}

/** Where mails go, and where their links lead. */
export interface MailSettings {
  /** May hold a password; undefined: mails are kept in the data folder. */
  readonly smtpUrl: string | undefined
  readonly sender: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`)

const onOrOff = z.enum(['on', 'off'], 'must be on or off').default('off')

const isAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text)

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const isMailServer = (text: string): boolean => {
  const { protocol = '', hostname = '' } = urlOf(text) ?? {}
  return /^smtps?:$/.test(protocol) && hostname !== ''
}

/** Whether user and password can be decoded: every percent sign stands before two hex digits, and they make characters. */
const hasPlainCredentials = (text: string): boolean => {
  const { username = '', password = '' } = urlOf(text) ?? {}
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

const addresses = (text: string): readonly string[] => itemsOf(text).map((email) => email.toLowerCase().normalize('NFC'))

/** One row a setting, as in the settings of every process. */
const schema = z.object({
  SWITCHYARD_SUPER_ADMIN_EMAILS: z
    .string()
    .transform(addresses)
    .refine((emails) => emails.every(isAddress), 'must be e-mail addresses separated by commas')
    .default([]),
  SWITCHYARD_SIGNUP_REQUIRES_ADMIN_SECRET: onOrOff,
  SWITCHYARD_EMAIL_VERIFICATION: onOrOff,
  SWITCHYARD_REQUIRE_EXPLICIT_PERMISSIONS: onOrOff,
  SWITCHYARD_TRUSTED_PROXY_COUNT: whole(0, PROXY_COUNT_MAX).default(0),
  SWITCHYARD_PASSWORD_MEMORY_KIB: whole(MEMORY_KIB_MIN, MEMORY_KIB_MAX).optional(),
  SWITCHYARD_PASSWORD_PASS_COUNT: whole(1, PASS_COUNT_MAX).optional(),
  SWITCHYARD_LOGIN_ATTEMPTS_PER_ACCOUNT: whole(1, ATTEMPT_COUNT_MAX).default(10),
  SWITCHYARD_LOGIN_ATTEMPTS_PER_ADDRESS: whole(1, ATTEMPT_COUNT_MAX).default(100),
  SWITCHYARD_SESSION_LIFETIME_MS: whole(1_000, LIFETIME_MS_MAX).default(LIFETIME_MS_MAX),
  SWITCHYARD_HANDOFF_SESSION_LIFETIME_MS: whole(1_000, LIFETIME_MS_MAX).default(1_200_000),
  SWITCHYARD_SMTP_URL: z
    .string()
    .refine(isMailServer, 'must be an address smtp://… or smtps://…')
    .refine(hasPlainCredentials, 'has a percent sign in its user or password that must be written %25')
    .optional(),
  SWITCHYARD_MAIL_SENDER: z.string().refine(isAddress, 'must be an e-mail address').default('switchyard@localhost'),
  SWITCHYARD_MAIL_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http address' })
    .refine((url) => !ENDS_IN_QUERY.test(url), 'must not end in a query, which the links would be put into')
    .transform((url) => url.replace(/\/+$/, ''))
    .default('http://localhost:8080'),
})

type Rows = z.infer<typeof schema>
type Given = Readonly<Record<string, string | undefined>>

const peopleOf = (rows: Rows): PeopleSettings => ({
  superAdminEmails: rows.SWITCHYARD_SUPER_ADMIN_EMAILS,
  signupRequiresAdminSecret: rows.SWITCHYARD_SIGNUP_REQUIRES_ADMIN_SECRET === 'on',
  emailVerification: rows.SWITCHYARD_EMAIL_VERIFICATION === 'on',
  requireExplicitPermissions: rows.SWITCHYARD_REQUIRE_EXPLICIT_PERMISSIONS === 'on',
  trustedProxyCount: rows.SWITCHYARD_TRUSTED_PROXY_COUNT,
  passwordCost: {
    ...(rows.SWITCHYARD_PASSWORD_MEMORY_KIB === undefined ? {} : { memoryKib: rows.SWITCHYARD_PASSWORD_MEMORY_KIB }),
    ...(rows.SWITCHYARD_PASSWORD_PASS_COUNT === undefined ? {} : { passCount: rows.SWITCHYARD_PASSWORD_PASS_COUNT }),
  },
  throttle: {
    accountAttemptCount: rows.SWITCHYARD_LOGIN_ATTEMPTS_PER_ACCOUNT,
    addressAttemptCount: rows.SWITCHYARD_LOGIN_ATTEMPTS_PER_ADDRESS,
  },
  sessionLifetimeMs: rows.SWITCHYARD_SESSION_LIFETIME_MS,
  handoffLifetimeMs: rows.SWITCHYARD_HANDOFF_SESSION_LIFETIME_MS,
})

const mailOf = (rows: Rows): MailSettings => ({
  smtpUrl: rows.SWITCHYARD_SMTP_URL,
  sender: rows.SWITCHYARD_MAIL_SENDER,
  baseUrl: rows.SWITCHYARD_MAIL_BASE_URL,
})

/** What only shows when settings stand side by side. */
const contradictions = (rows: Rows, given: Given): readonly string[] => {
  const isProduction = given['NODE_ENV'] === 'production'
  const isUnproved = rows.SWITCHYARD_SUPER_ADMIN_EMAILS.length > 0 && rows.SWITCHYARD_EMAIL_VERIFICATION === 'off'
  const hasSender = given['SWITCHYARD_MAIL_SENDER'] !== undefined
  return [
    // Anybody may sign up: without a proof, whoever is first has a super admin's address.
    ...(isProduction && isUnproved ? ['SWITCHYARD_EMAIL_VERIFICATION: must be on in production with SWITCHYARD_SUPER_ADMIN_EMAILS'] : []),
    ...(rows.SWITCHYARD_SMTP_URL !== undefined && !hasSender ? ['SWITCHYARD_MAIL_SENDER: is required with SWITCHYARD_SMTP_URL'] : []),
  ]
}

/** Whether a name is one of these settings. */
export const isPeopleSetting = (name: string): boolean => Object.hasOwn(schema.shape, name)

/** Reads these settings; problems name them, never a value. */
export const parsePeopleSettings = (
  given: Given,
):
  | { readonly problems: readonly string[]; readonly settings?: never }
  | { readonly problems: readonly []; readonly settings: { readonly people: PeopleSettings; readonly mail: MailSettings } } => {
  const result = schema.safeParse(given)
  if (!result.success) return { problems: result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const problems = contradictions(result.data, given)
  if (problems.length > 0) return { problems }
  return { problems: [], settings: { people: peopleOf(result.data), mail: mailOf(result.data) } }
}
