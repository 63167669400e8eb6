import { createAnalyticsQueries } from '@switchyard/analytics'
import {
  createConfiguration,
  createEdge,
  createReadiness,
  healthRoutes,
  nobody,
  noTokens,
  now,
  paymentProjections,
  type Service,
  watchReadiness,
} from '@switchyard/composition'
import { createReadModelProgress, type Part } from '@switchyard/runtime'
import { assembleTuner } from './assemble.ts'

/** The self-tuning in a process of its own: it reads all partitions of `config`, and the traffic that projectors store. It answers nothing but its health. */
export const tunerService: Service = {
  name: 'tuner',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const { log, store, probe } = engines
    const { logger, metrics, report } = voices
    const configuration = createConfiguration(engines, voices, settings)
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections: paymentProjections.map(({ name }) => name) })
    const ending = new AbortController()
    const { signal } = ending
    const status = async () => [await documents.status()]
    const readiness = createReadiness({ projector: { status, caughtUp: documents.caughtUp }, signal })
    const isCurrent = watchReadiness({ ask: readiness.isReady, signal })
    const readModels: Part = {
      name: 'read models',
      start: async () => readiness.start(),
      stop: async () => {
        ending.abort()
        documents.stop()
      },
    }
    const tuner = assembleTuner({
      configuration,
      queries: createAnalyticsQueries({ store: documents.readModels, now }),
      log,
      projectedUpTo: documents.projectedUpTo,
      settings: settings.tuning,
      report,
    })
    const edge = createEdge({
      settings: { ...settings, adminSecret: '' },
      routes: (isListening) => healthRoutes({ isReady: async () => isListening() && isCurrent(), probe }),
      directory: nobody,
      tokens: noTokens,
      logger,
      metrics,
      onListening,
    })
    return [configuration.part, readModels, tuner, edge]
  },
}
