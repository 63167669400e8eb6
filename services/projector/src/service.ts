import {
  configProjections,
  costProjections,
  createEdge,
  createReadiness,
  domainSlices,
  healthRoutes,
  nobody,
  noTokens,
  now,
  paymentProjections,
  type Service,
  watchReadiness,
} from '@switchyard/composition'
import { createPaymentFold } from '@switchyard/routing'
import type { Part } from '@switchyard/runtime'
import { keepMinutes } from './keep-minutes.ts'
import { createProjectorService } from './projector-service.ts'

/** Projections in a process of their own; several share the partitions of each topic. It answers nothing but its health. */
export const projectorService: Service = {
  name: 'projector',
  store: 'writer',
  partsOf: ({ settings, engines: { log, store, codec, share, probe }, voices, onListening }) => {
    const { onFailure, logger, metrics, report } = voices
    const projector = createProjectorService({
      log,
      store,
      codec,
      share,
      now,
      configSlices: domainSlices,
      configProjections,
      createPaymentFold,
      paymentProjections,
      costProjections,
      onFailure,
    })
    metrics.watchProjections(projector.status)
    const retention = keepMinutes(projector, { now, report })
    const ending = new AbortController()
    const { signal } = ending
    const readiness = createReadiness({ projector, signal })
    const isCurrent = watchReadiness({ ask: readiness.isReady, signal })
    const projections: Part = {
      name: 'projections',
      start: async () => {
        await projector.start()
        readiness.start()
        retention.start()
      },
      stop: async () => {
        ending.abort()
        await retention.stop()
        await projector.stop()
      },
    }
    const edge = createEdge({
      settings: { ...settings, adminSecret: '' },
      routes: (isListening) => healthRoutes({ isReady: async () => isListening() && isCurrent(), probe }),
      directory: nobody,
      tokens: noTokens,
      logger,
      metrics,
      onListening,
    })
    return [projections, edge]
  },
}
