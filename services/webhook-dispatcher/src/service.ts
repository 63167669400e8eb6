import {
  assertOwnDataSecrets,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createInboxReceiver,
  createRecorder,
  createTokens,
  healthRoutes,
  type LogOptions,
  now,
  type Service,
} from '@switchyard/composition'
import type { Inbox } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'
import { assembleWebhooks, type WebhookSurroundings } from './assemble.ts'
import { EVENT_INBOX } from './inbound/read-submission.ts'
import { createTakeSubmissions } from './inbound/take-submissions.ts'
import { webhookRoutes } from './routes/webhook-routes.ts'

/** What the entry point chooses. */
export type WebhookAdapters = Pick<WebhookSurroundings, 'vault' | 'dataKeySecrets' | 'outbound' | 'hmac'> & {
  readonly openInbox: (options: LogOptions & { readonly name: string; readonly group: string }) => Promise<Inbox>
  /** Ends connections and handles that are its own. */
  readonly close: () => Promise<void>
}

/** Never renamed. */
const INBOX_GROUP = `webhook-dispatcher.${EVENT_INBOX}-v1`

/** Outgoing events in a process of their own. Each process reads all partitions; who delivers what, the log settles. */
export const webhookDispatcherService = ({ close, openInbox, ...adapters }: WebhookAdapters): Service => ({
  name: 'webhook-dispatcher',
  store: 'writer',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices, settings)
    const recorder = createRecorder(engines, voices)
    const dispatcher = assembleWebhooks({ ...adapters, engines, configuration, voices })
    const { states, directory } = configuration
    voices.metrics.watchProjections(async () => [await dispatcher.projector.status()])
    voices.metrics.watchDeliveries(async () => dispatcher.figures())
    let isCurrent = false
    const dispatching: Part = {
      name: 'webhooks',
      start: async () => {
        await assertOwnDataSecrets(configuration, { vault: adapters.vault, secrets: adapters.dataKeySecrets })
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
      noteKey: recorder.noteKey,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, webhooks: dispatcher.operations.waitFor }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    const { logOptions } = engines
    const receiver = createInboxReceiver({
      name: EVENT_INBOX,
      nouns: 'events',
      openInbox: () => openInbox({ ...logOptions, name: EVENT_INBOX, group: `${logOptions.topicPrefix}.${INBOX_GROUP}` }),
      voices,
      handlerUntil: (signal) =>
        createTakeSubmissions({
          submit: dispatcher.operations.submit,
          signal,
          onFault: (error) => voices.report.failed(`an event of ${EVENT_INBOX} could not be taken`, error),
        }),
    })
    return [configuration.part, recorder.part, dispatching, receiver, edge]
  },
})
