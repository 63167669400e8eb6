import {
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createTokens,
  healthRoutes,
  now,
  type Service,
} from '@switchyard/composition'
import type { Part } from '@switchyard/runtime'
import { assembleWebhooks, type WebhookSurroundings } from './assemble.ts'
import { webhookRoutes } from './routes/webhook-routes.ts'

/** What the entry point chooses. */
export type WebhookAdapters = Pick<WebhookSurroundings, 'vault' | 'dataKeySecret' | 'outbound' | 'hmac'> & {
  /** Ends connections and handles that are its own. */
  readonly close: () => Promise<void>
}

/** Outgoing events in a process of their own. Each process reads all partitions; who delivers what, the log settles. */
export const webhookDispatcherService = ({ close, ...adapters }: WebhookAdapters): Service => ({
  name: 'webhook-dispatcher',
  store: 'writer',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices, settings)
    const dispatcher = assembleWebhooks({ ...adapters, engines, configuration, voices })
    const { states, directory } = configuration
    voices.metrics.watchProjections(async () => [await dispatcher.projector.status()])
    let isCurrent = false
    const dispatching: Part = {
      name: 'webhooks',
      start: async () => {
        await dispatcher.start()
        isCurrent = true
      },
      stop: async () => {
        isCurrent = false
        await dispatcher.stop()
        await close()
      },
    }
    const edge = createEdge({
      settings,
      routes: (isListening) => [
        ...webhookRoutes({ operations: dispatcher.operations, now }),
        ...healthRoutes({ isReady: async () => isListening() && isCurrent, probe: engines.probe }),
      ],
      directory,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, webhooks: dispatcher.operations.waitFor }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, dispatching, edge]
  },
})
