import { randomBytes } from 'node:crypto'
import { merchants } from '@switchyard/access'
import type { AnalyticsQueries } from '@switchyard/analytics'
import { type Configuration, newId, now } from '@switchyard/composition'
import { createPasswords, PASSWORD_COST, type SessionTokens } from '@switchyard/http'
import type { RuleEvaluator } from '@switchyard/routing'
import type { LifecycleReport, Part, PaymentAppender, Settings } from '@switchyard/runtime'
import { type CommandApi, createCommandApi } from './command-api.ts'
import { createExperimentGuard } from './experiment-guard.ts'

/** What a process has for this service. */
export interface CommandApiSurroundings {
  readonly settings: Pick<Settings, 'superAdminEmails'>
  readonly configuration: Configuration
  readonly tokens: SessionTokens
  readonly appender: Pick<PaymentAppender, 'append'>
  readonly evaluator: RuleEvaluator
}

/** The service in a process, alone or beside others. */
export const assembleCommandApi = ({ settings, configuration, tokens, appender, evaluator }: CommandApiSurroundings): CommandApi =>
  createCommandApi({
    handle: configuration.handle,
    states: configuration.states,
    evaluator,
    directory: configuration.directory,
    tokens,
    passwords: createPasswords({ cost: PASSWORD_COST }),
    forgetScores: async (merchantId, requestId) => {
      await appender.append({ type: 'GatewayScoresReset', data: { merchantId, requestId, at: now(), cause: 'REGISTERED_AGAIN' } })
    },
    now,
    newId,
    randomBytes,
    settings,
  })

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
