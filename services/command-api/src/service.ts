import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createRecorder,
  createTokens,
  healthRoutes,
  type Service,
} from '@switchyard/composition'
import { createRuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { assembleCommandApi } from './assemble.ts'

/** Commands in a process of their own. It reads all partitions of `config`, and the read store at its start only. */
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
    return [configuration.part, recorder.part, edge]
  },
})
