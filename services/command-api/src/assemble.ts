import { randomBytes } from 'node:crypto'
import { type Configuration, newId, now } from '@switchyard/composition'
import { createPasswords, PASSWORD_COST, type SessionTokens } from '@switchyard/http'
import type { RuleEvaluator } from '@switchyard/routing'
import type { PaymentAppender, Settings } from '@switchyard/runtime'
import { type CommandApi, createCommandApi } from './command-api.ts'

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
