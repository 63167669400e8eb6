import { randomBytes } from 'node:crypto'
import { apiKeys, createCredentialDirectory, handoffs, mails, merchants, sessions, users } from '@switchyard/access'
import { createAccountDirectory } from '@switchyard/costs'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import {
  type Argon2,
  createGate,
  createHttpServer,
  createLinkTokens,
  createPasswords,
  createSessionTokens,
  type PasswordCost,
} from '@switchyard/http'
import { type EventLog, type LogRecord, type Mail, type Now, OperatingError, type ReadStore } from '@switchyard/kernel'
import {
  createRuleEvaluator,
  debitRouting,
  debitRoutingDefaults,
  eliminationSettings,
  featureFlags,
  routingAlgorithms,
  scoringDimensions,
  successRateScoring,
} from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { createCommandHandler, createNewId, createStreamStates, systemTimers } from '@switchyard/runtime'
import type { AccessRouteDeps, AccessSettings } from './access-deps.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import { createCommandApi } from './command-api.ts'
import { composeMail } from './mail/compose-mail.ts'
import { createMailSender } from './mail/mail-sender.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

/** For tests: the whole command API behind HTTP, on the engines given. */
export interface SampleCommandApi {
  readonly url: string
  /** Types and actors of all events in the log, in the order of their keys' partitions. */
  readonly events: () => Promise<readonly { readonly type: string; readonly actor: string | undefined; readonly data: object }[]>
  /** What was logged or failed behind the API since the last call. */
  readonly takeFailures: () => readonly unknown[]
  /** Waits until nothing goes on behind the answers. */
  readonly settled: () => Promise<void>
  /** The oldest mail to an address that was not asked for yet; waits for one. */
  readonly mailTo: (email: string) => Promise<Mail>
  /** Rejects when something failed that {@link takeFailures} did not take. */
  readonly stop: () => Promise<void>
}

/** The secret that makes an admin in tests. */
export const SAMPLE_ADMIN_SECRET = 'test_admin'

const SESSION_LIFETIME_MS = 86_400_000
const CHEAP_COST = { memoryKib: 64, passCount: 1, laneCount: 1 }

/** For tests: what differs from the sample. */
export interface SampleOptions {
  readonly settings?: Partial<AccessSettings>
  readonly readKeyUses?: () => readonly { readonly keyId: string; readonly lastUsedAt: number }[]
  /** What hears of histories that end. */
  readonly endHistory?: AccessRouteDeps['endHistory']
  /** Whether the mail server takes a mail. */
  readonly takesMail?: (mail: Mail) => boolean
  /** What hashes passwords. */
  readonly argon2?: Argon2
  /** What differs in the cost of hashes. */
  readonly passwordCost?: Partial<PasswordCost>
}

const SECRET = 's'.repeat(32)

/** Starts it on a free port. */
export const startSampleCommandApi = async (
  log: EventLog,
  store: ReadStore,
  now: Now,
  {
    settings = {},
    takesMail = () => true,
    readKeyUses = () => [],
    endHistory = async () => {},
    argon2,
    passwordCost = {},
  }: SampleOptions = {},
): Promise<SampleCommandApi> => {
  const codec = createEventCodec(publishedSchemaIds(), { strict: true })
  const newId = createNewId(now, randomBytes)
  const accessSlices = [merchants, apiKeys, users, mails, sessions, handoffs]
  const routingSlices = [
    featureFlags,
    debitRouting,
    successRateScoring,
    scoringDimensions,
    eliminationSettings,
    debitRoutingDefaults,
    routingAlgorithms,
  ]
  const failures: unknown[] = []
  const states = createStreamStates({
    log,
    store,
    codec,
    slices: [...accessSlices, ...routingSlices],
    onFailure: (error) => failures.push(error),
  })
  const directory = createCredentialDirectory(states, { superAdminEmails: ['boss@example.test'] })
  const tokens = createSessionTokens({ secret: SECRET, now, newId, lifetimeMs: SESSION_LIFETIME_MS, handoffLifetimeMs: 1_200_000 })
  const links = createLinkTokens(SECRET)
  const background = createBackgroundTasks((error) => failures.push(error))
  const lifeOf = (key: string): number => states.stateOf(merchants, key).registrationCount
  const handle = createCommandHandler({ log, codec, states, newId, lifeOf })
  const { routes } = createCommandApi({
    accounts: createAccountDirectory(states),
    cipher: undefined,
    invoices: { read: async () => 'busy' },
    readSettledDays: async () => [],
    handle,
    states,
    evaluator: createRuleEvaluator(loadRuleData({ routingKeys: undefined, eligibility: undefined }).catalogue),
    deploymentRates: [],
    directory,
    tokens,
    links,
    background,
    throttle: createSignInThrottle({ now, accountAttemptCount: 10, addressAttemptCount: 100 }),
    passwords: createPasswords({ cost: { ...CHEAP_COST, ...passwordCost }, ...(argon2 !== undefined && { library: argon2 }) }),
    endHistory,
    readKeyUses: async () => readKeyUses(),
    now,
    newId,
    randomBytes,
    settings: {
      signupRequiresAdminSecret: false,
      emailVerification: false,
      requireExplicitPermissions: false,
      trustedProxyCount: 0,
      ...settings,
    },
  })
  const sent = new Set<Mail>()
  const arrivals: (() => void)[] = []
  const sender = createMailSender({
    states,
    handle,
    mailer: {
      send: async (mail) => {
        if (!takesMail(mail)) throw new OperatingError('MAIL_UNAVAILABLE', 'the sample takes no mail', { retryable: true })
        sent.add(mail)
        for (const arrived of arrivals.splice(0)) arrived()
      },
    },
    compose: (mail, recipient) => composeMail(mail, recipient, { links, baseUrl: 'https://app.example.test', nameOf: directory.nameOf }),
    now,
    timers: systemTimers,
    report: { failed: (text, error) => failures.push([text, error]) },
  })
  const gate = createGate({
    directory,
    tokens,
    adminSecret: SAMPLE_ADMIN_SECRET,
    tenants: ['public'],
    now,
    refreshMerchant: states.readIndex,
  })
  const server = createHttpServer({ routes, gate, newId, now, logger: { error: (fields) => failures.push(fields) } })
  await states.start()
  await sender.start(new AbortController().signal)
  const { url } = await server.listen(0, '127.0.0.1')

  return {
    url,
    events: async () => {
      const records: LogRecord[] = []
      for await (const batch of log.read('config', new Map())) records.push(...batch)
      return records.map(({ value, headers: { actor } }) => ({ ...codec.decode(value), actor }))
    },
    settled: background.settled,
    mailTo: async (email) => {
      for (;;) {
        const found = [...sent].find(({ to }) => to === email)
        if (found !== undefined) {
          sent.delete(found)
          return found
        }
        await new Promise((resolve) => arrivals.push(() => resolve(undefined)))
      }
    },
    takeFailures: () => failures.splice(0),
    stop: async () => {
      await server.close()
      await background.settled()
      await sender.stop()
      await states.stop()
      if (failures.length > 0) throw new AggregateError(failures, 'something failed behind the API')
    },
  }
}
