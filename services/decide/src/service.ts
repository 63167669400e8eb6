import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createPayments,
  createRecorder,
  createTokens,
  healthRoutes,
  type LogOptions,
  now,
  type Service,
} from '@switchyard/composition'
import type { Inbox } from '@switchyard/kernel'
import { createRuleEvaluator, type GatewayErrorTable } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { assembleDecide } from './assemble.ts'
import type { DebitData } from './debit-data/load-debit-data.ts'
import { createOutcomeReceiver, OUTCOME_INBOX } from './inbound/outcome-receiver.ts'
import { createReadReport } from './inbound/read-report.ts'
import { createOutcomeEventOf } from './outcome-event.ts'

/** Which inbox is opened, and for which group. */
interface InboxOptions extends LogOptions {
  readonly name: string
  readonly group: string
}

/** What an entry point has for the service. */
export interface DecideProcess {
  readonly gatewayErrors: GatewayErrorTable
  readonly debitData: DebitData
  readonly ruleData: RuleData
  readonly openInbox: (options: InboxOptions) => Promise<Inbox>
}

/** Never renamed. */
const INBOX_GROUP = `decide.${OUTCOME_INBOX}-v1`

/**
 * Decisions and outcomes in a process of their own, also outcomes that others write into a topic. It reads all partitions of the
 * log, its share of that topic, and the read store at its start only.
 */
export const decideService = ({ gatewayErrors, debitData, ruleData, openInbox }: DecideProcess): Service => ({
  name: 'decide',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices, settings)
    const payments = createPayments(engines, voices)
    const recorder = createRecorder(engines, voices)
    const { states, directory } = configuration
    const { routes } = assembleDecide({
      settings,
      configuration,
      payments,
      appender: recorder.appender,
      gatewayErrors,
      debitData,
      evaluator: createRuleEvaluator(ruleData.catalogue),
      eligibility: ruleData.eligibility,
    })
    const { logOptions, schemaIds, learnSchemas } = engines
    const receiver = createOutcomeReceiver({
      states,
      appender: recorder.appender,
      now,
      outcomeEventOf: createOutcomeEventOf(states, gatewayErrors),
      read: createReadReport(schemaIds),
      learnSchemas,
      openInbox: () => openInbox({ ...logOptions, name: OUTCOME_INBOX, group: `${logOptions.topicPrefix}.${INBOX_GROUP}` }),
      voices,
    })
    const edge = createEdge({
      settings,
      // Started behind the folds, which have caught up then; whatever is away later, it decides from memory.
      routes: (isListening) => [...routes, ...healthRoutes({ isReady: async () => isListening(), probe: engines.probe })],
      directory,
      noteKey: recorder.noteKey,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, payments: payments.waitFor }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, payments.part, recorder.part, receiver, edge]
  },
})
