import { randomBytes } from 'node:crypto'
import { merchants } from '@switchyard/access'
import type { AnalyticsQueries } from '@switchyard/analytics'
import { type Configuration, newId, now, type Voices } from '@switchyard/composition'
import { createAccountDirectory, readSettledDays } from '@switchyard/costs'
import type { ContractRate } from '@switchyard/events'
import { createLinkTokens, createPasswords, PASSWORD_COST, type SessionTokens } from '@switchyard/http'
import { createInvoiceReader } from '@switchyard/invoice-files'
import type { Mailer, ReadStore } from '@switchyard/kernel'
import type { RuleEvaluator } from '@switchyard/routing'
import {
  createMerchantCipher,
  type LifecycleReport,
  type MerchantCipherDependencies,
  type Part,
  type PaymentAppender,
  type Settings,
  systemTimers,
} from '@switchyard/runtime'
import type { AccessRouteDeps } from './access-deps.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import { type CommandApi, createCommandApi } from './command-api.ts'
import { createExperimentGuard } from './experiment-guard.ts'
import { composeMail } from './mail/compose-mail.ts'
import { createMailSender } from './mail/mail-sender.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

/** What a process has for this service. */
export interface CommandApiSurroundings {
  readonly settings: Pick<Settings, 'people' | 'mail'>
  readonly configuration: Configuration
  readonly tokens: SessionTokens
  /** Signs session tokens; the secrets of mailed links are derived from it. */
  readonly sessionSecret: string
  readonly mailer: Mailer
  readonly appender: Pick<PaymentAppender, 'append'>
  readonly evaluator: RuleEvaluator
  /** Rates by contract of merchants that told none of their own. */
  readonly deploymentRates: readonly ContractRate[]
  readonly readKeyUses: AccessRouteDeps['readKeyUses']
  readonly report: Voices['report']
  /** Where the data keys of merchants are kept, and what wraps them; absent: no credentials of connectors are stored. */
  readonly keys: Pick<MerchantCipherDependencies, 'vault' | 'secrets'> | undefined
  /** The read models of the topic `costs`. */
  readonly costs: Pick<ReadStore, 'getMany'>
}

/** The service in a process, alone or beside others: its routes, and the part that sends mails. */
export const assembleCommandApi = (surroundings: CommandApiSurroundings): CommandApi & { readonly part: Part } => {
  const { settings, configuration, tokens, sessionSecret, mailer, appender, evaluator, deploymentRates, readKeyUses, report, keys, costs } =
    surroundings
  const { handle, states, directory } = configuration
  const { people, mail } = settings
  const links = createLinkTokens(sessionSecret)
  const background = createBackgroundTasks((error) => report.failed('a link could not be asked for', error))
  const lifeOf = (merchantId: string): number => states.stateOf(merchants, merchantId).registrationCount
  const { routes } = createCommandApi({
    accounts: createAccountDirectory(states),
    cipher: keys && createMerchantCipher({ ...keys, lifeOf }),
    invoices: createInvoiceReader(),
    readSettledDays: (account) => readSettledDays(costs, account),
    handle,
    states,
    evaluator,
    deploymentRates,
    directory,
    tokens,
    links,
    passwords: createPasswords({ cost: { ...PASSWORD_COST, ...people.passwordCost } }),
    throttle: createSignInThrottle({ now, ...people.throttle }),
    background,
    readKeyUses,
    endHistory: async (ending) => {
      await appender.append({ type: 'GatewayScoresReset', data: { ...ending, at: now() } })
    },
    now,
    newId,
    randomBytes,
    settings: people,
  })
  const context = { links, baseUrl: mail.baseUrl, nameOf: directory.nameOf }
  const sender = createMailSender({
    states,
    handle,
    mailer,
    compose: (pending, recipient) => composeMail(pending, recipient, context),
    now,
    timers: systemTimers,
    report,
  })
  const stop = async (): Promise<void> => {
    await background.settled()
    await sender.stop()
  }
  return { routes, part: { ...sender, stop } }
}

/** The guard of experiments in a process, over the read models that it can reach. */
export const assembleExperimentGuard = ({
  configuration: { states, handle },
  queries,
  report,
}: Pick<CommandApiSurroundings, 'configuration'> & {
  readonly queries: Pick<AnalyticsQueries, 'experimentFigures'>
  readonly report: LifecycleReport
}): Part =>
  createExperimentGuard({
    states,
    handle,
    queries,
    historySinceOf: (merchantId) => states.stateOf(merchants, merchantId).historySince,
    now,
    newId,
    report,
  }).part
