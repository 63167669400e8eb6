import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createPayments,
  createRecorder,
  createTokens,
  healthRoutes,
  type Service,
} from '@switchyard/composition'
import { createRuleEvaluator, type GatewayErrorTable } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { assembleDecide } from './assemble.ts'
import type { DebitData } from './debit-data/load-debit-data.ts'

/** Decisions and outcomes in a process of their own. It reads all partitions, and the read store at its start only. */
export const decideService = (gatewayErrors: GatewayErrorTable, debitData: DebitData, ruleData: RuleData): Service => ({
  name: 'decide',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices)
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
    const edge = createEdge({
      settings,
      // Started behind the folds, which have caught up then; whatever is away later, it decides from memory.
      routes: (isListening) => [...routes, ...healthRoutes({ isReady: async () => isListening(), probe: engines.probe })],
      directory,
      tokens: createTokens(settings.jwtSecret),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, payments: payments.waitFor }),
      logger: voices.logger,
      onListening,
    })
    return [configuration.part, payments.part, recorder.part, edge]
  },
})
