import { createAnalyticsQueries } from '@switchyard/analytics'
import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createRecorder,
  createTokens,
  healthRoutes,
  now,
  paymentProjections,
  type Service,
} from '@switchyard/composition'
import { createRuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { createReadModelProgress } from '@switchyard/runtime'
import { assembleCommandApi, assembleExperimentGuard } from './assemble.ts'

/** Commands in a process of their own. It reads all partitions of `config`, and of the read store the figures of experiments. */
export const commandApiService = ({ catalogue }: RuleData): Service => ({
  name: 'command-api',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices)
    const recorder = createRecorder(engines, voices)
    const tokens = createTokens(settings.jwtSecret)
    const { states, directory } = configuration
    const evaluator = createRuleEvaluator(catalogue)
    const { routes } = assembleCommandApi({ settings, configuration, tokens, appender: recorder.appender, evaluator })
    const names = paymentProjections.map(({ name }) => name)
    const { readModels } = createReadModelProgress({ log: engines.log, store: engines.store, topic: 'payments', projections: names })
    const queries = createAnalyticsQueries({ store: readModels, now })
    const guard = assembleExperimentGuard({ configuration, queries, report: voices.report })
    const edge = createEdge({
      settings,
      routes: (isListening) => [...routes, ...healthRoutes({ isReady: async () => isListening(), probe: engines.probe })],
      directory,
      tokens,
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor }),
      logger: voices.logger,
      onListening,
    })
    return [configuration.part, recorder.part, guard, edge]
  },
})
