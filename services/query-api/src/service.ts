import { createAnalyticsQueries, createJournalQueries } from '@switchyard/analytics'
import {
  configProjections,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createReadiness,
  createRecorder,
  createTokens,
  now,
  paymentProjections,
  type Service,
  watchReadiness,
} from '@switchyard/composition'
import type { ApiDocument } from '@switchyard/http'
import { createRuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { createReadModelProgress, type Part } from '@switchyard/runtime'
import { assembleQueryApi } from './assemble.ts'
import { createSimulatePage } from './simulation/simulate-page.ts'

/** Reads in a process of their own, and the description of the interface that it is a part of. It reads all partitions of `config` (credentials), and what projectors store. */
export const queryApiService = ({ catalogue }: RuleData, description: ApiDocument): Service => ({
  name: 'query-api',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const { log, store, probe } = engines
    const configuration = createConfiguration(engines, voices, settings)
    const { states, directory } = configuration
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections: paymentProjections.map(({ name }) => name) })
    const recorder = createRecorder(engines, voices)
    voices.metrics.watchProjections(async () => await Promise.all([documents.status(), journal.status()]))
    const journal = createReadModelProgress({ log, store, topic: 'config', projections: configProjections.map(({ name }) => name) })
    const ending = new AbortController()
    const { signal } = ending
    const readiness = createReadiness({
      projector: {
        status: async () => await Promise.all([documents.status(), journal.status()]),
        caughtUp: async () => {
          await Promise.all([documents.caughtUp(), journal.caughtUp()])
        },
      },
      signal,
    })
    const isCurrent = watchReadiness({ ask: readiness.isReady, signal })
    const readModels: Part = {
      name: 'read models',
      start: async () => readiness.start(),
      stop: async () => {
        ending.abort()
        documents.stop()
        journal.stop()
      },
    }
    const edge = createEdge({
      settings,
      description,
      routes: (isListening) => {
        const health = { isReady: async () => isListening() && isCurrent(), probe }
        const queries = createAnalyticsQueries({ store: documents.readModels, now })
        const simulatePage = createSimulatePage({ store: documents.readModels, evaluator: createRuleEvaluator(catalogue) })
        return assembleQueryApi({
          queries,
          journal: createJournalQueries({ store: journal.readModels, now }),
          simulatePage,
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
        projectedPayments: documents.projectedUpTo,
        projectedConfig: journal.projectedUpTo,
      }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, recorder.part, readModels, edge]
  },
})
