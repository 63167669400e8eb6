import { createAnalyticsQueries, createJournalQueries } from '@switchyard/analytics'
import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createReadiness,
  createRecorder,
  createTokens,
  now,
  type Service,
  watchReadiness,
} from '@switchyard/composition'
import type { ApiDocument } from '@switchyard/http'
import { createRuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import type { Part } from '@switchyard/runtime'
import { assembleQueryApi } from './assemble.ts'
import { createBackTests } from './back-test/back-tests.ts'
import { createReadModels } from './read-models.ts'
import { createReadSavings } from './savings/read-savings.ts'
import { createSimulatePage } from './simulation/simulate-page.ts'

/** Reads in a process of their own, and the description of the interface that it is a part of. It reads all partitions of `config` (credentials), and what projectors store. */
export const queryApiService = ({ catalogue }: RuleData, description: ApiDocument): Service => ({
  name: 'query-api',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const { log, store, probe, schemaIds } = engines
    const configuration = createConfiguration(engines, voices, settings)
    const { states, directory } = configuration
    const documents = createReadModels({ log, store })
    const recorder = createRecorder(engines, voices)
    voices.metrics.watchProjections(documents.status)
    const ending = new AbortController()
    const { signal } = ending
    const readiness = createReadiness({ projector: documents, signal })
    const isCurrent = watchReadiness({ ask: readiness.isReady, signal })
    const readModels: Part = {
      name: 'read models',
      start: async () => readiness.start(),
      stop: async () => {
        ending.abort()
        documents.stop()
      },
    }
    const edge = createEdge({
      settings,
      description,
      routes: (isListening) => {
        const health = { isReady: async () => isListening() && isCurrent(), probe }
        const queries = createAnalyticsQueries({ store: documents.payments.readModels, now })
        const evaluator = createRuleEvaluator(catalogue)
        const simulatePage = createSimulatePage({ store: documents.payments.readModels, evaluator })
        return assembleQueryApi({
          queries,
          journal: createJournalQueries({ readModels: (topic) => documents[topic].readModels, now }),
          simulatePage,
          lookAtBackTest: createBackTests({ log, schemaIds, evaluator }),
          readSavings: createReadSavings({ store: documents.payments.readModels, now }),
          configuration,
          health,
        }).routes
      },
      directory,
      noteKey: recorder.noteKey,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({
        log,
        config: states.waitFor,
        projectedPayments: documents.payments.projectedUpTo,
        projectedConfig: documents.config.projectedUpTo,
        projectedCosts: documents.costs.projectedUpTo,
      }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, recorder.part, readModels, edge]
  },
})
