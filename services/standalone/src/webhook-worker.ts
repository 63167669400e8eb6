import { workerData } from 'node:worker_threads'
import { createConfiguration, createMetrics, findForeignDataSecrets } from '@switchyard/composition'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createFileKeyVault, DELIVERING_NICE, yieldToAnswers } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { assembleWebhooks } from '@switchyard/webhook-dispatcher'
import { serveCalls } from './message-calls.ts'
import { storeAnswers } from './thread-store.ts'
import { openThread } from './thread-surroundings.ts'
import type { WebhookMethods } from './webhook-methods.ts'
import type { WebhookStart } from './webhooks.ts'

/** The thread that takes events for merchants' endpoints and delivers them (law 8). */
const run = async (): Promise<void> => {
  const start: WebhookStart = workerData
  const surroundings = await openThread(
    start,
    { role: 'writer' },
    {
      openLog: createEmbeddedLog,
      openStore: createEmbeddedStore,
      // The driver is loaded only where it is used: it would make every start slower.
      openMongo: async (options) => (await import('@switchyard/store-mongo')).createMongoStore(options),
    },
  )
  const { end, voices } = surroundings
  const metrics = createMetrics('thread')
  const engines = { ...surroundings.engines, log: metrics.ofLog(surroundings.engines.log) }
  const configuration = createConfiguration(engines, voices, start)
  const outbound = createOutbound({ schemes: start.allowHttp ? 'http_too' : 'https_only', allowedRanges: start.allowCidrs })
  const vault = createFileKeyVault(start.keyFolder)
  const { dataKeySecrets } = start
  const dispatcher = assembleWebhooks({ engines, configuration, vault, dataKeySecrets, outbound, hmac: nodeHmac, voices })
  metrics.watchProjections(async () => [await dispatcher.projector.status()])
  let isReady = false
  const ending = new AbortController()
  const begin = async (): Promise<void> => {
    if (!(await storeAnswers(engines.store, ending.signal))) return
    await configuration.states.start()
    // The main thread finds it out as well, and ends the process with a word: until then nothing is sent.
    if ((await findForeignDataSecrets(configuration, { vault, secrets: dataKeySecrets })) !== undefined) return
    await dispatcher.start()
    isReady = true
  }
  const starting = begin()
  const stop = async (): Promise<void> => {
    ending.abort()
    await starting
    await dispatcher.stop()
    outbound.close()
    await configuration.states.stop()
    await engines.store.close()
    await engines.log.close()
  }
  const methods: WebhookMethods = {
    ...dispatcher.operations,
    figures: async () => dispatcher.figures(),
    metrics: metrics.figures,
    isReady: async () => isReady,
    stop,
  }
  serveCalls(end, methods)
  await starting
  yieldToAnswers(DELIVERING_NICE)
}

await run()
