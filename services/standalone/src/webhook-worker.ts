import { parentPort, workerData } from 'node:worker_threads'
import { createConfiguration, domainCollections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, type EventLog, type ReadStore } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createFileKeyVault, createLogger } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { assembleWebhooks } from '@switchyard/webhook-dispatcher'
import { createBatchedAppend } from './batched-append.ts'
import { batchedMessages } from './batched-messages.ts'
import { createCaller, type MessageEnd, serveCalls } from './message-calls.ts'
import { DELIVERING_NICE, yieldToAnswers } from './thread-priority.ts'
import type { LogMethods, WebhookMethods } from './webhook-methods.ts'
import type { WebhookStart } from './webhooks.ts'

/** The log as this thread has it: it reads by itself, and appends through the thread that owns it. */
const openLog = (folder: string, end: MessageEnd): EventLog => {
  const owner = createCaller<LogMethods>(end)
  return {
    ...createEmbeddedLog({ folder, role: 'reader' }),
    append: createBatchedAppend((batch) => owner.call('append', batch)),
  }
}

const openStore = async ({ storeFolder: folder, mongodbUri: uri }: WebhookStart): Promise<ReadStore> => {
  const options = { collections: domainCollections, role: 'writer' } as const
  // The driver is loaded only where it is used: it would make every start slower.
  return uri === undefined
    ? createEmbeddedStore({ folder, ...options })
    : (await import('@switchyard/store-mongo')).createMongoStore({ uri, ...options })
}

/** The thread that takes events for merchants' endpoints and delivers them (law 8). */
const run = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  yieldToAnswers(DELIVERING_NICE)
  const start: WebhookStart = workerData
  const end = batchedMessages({ send: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) })
  const log = openLog(start.logFolder, end)
  const engines = { log, store: await openStore(start), codec: createEventCodec(publishedSchemaIds(), { strict: false }) }
  const logger = createLogger(start)
  const voices = {
    report: {
      info: (text: string) => logger.info(text),
      failed: (text: string, error: unknown) => logger.error({ err: error }, text),
    },
    onFailure: (error: unknown): void => {
      // Ends the thread, and with it the process: the supervisor starts it again from the log.
      throw error
    },
  }
  const configuration = createConfiguration(engines, voices, start)
  const outbound = createOutbound({ schemes: start.allowHttp ? 'http_too' : 'https_only', allowedRanges: start.allowCidrs })
  const vault = createFileKeyVault(start.keyFolder)
  const { dataKeySecrets } = start
  const dispatcher = assembleWebhooks({ engines, configuration, vault, dataKeySecrets, outbound, hmac: nodeHmac, voices })
  let isReady = false
  const begin = async (): Promise<void> => {
    await configuration.states.start()
    await dispatcher.start()
    isReady = true
  }
  const starting = begin()
  const stop = async (): Promise<void> => {
    await starting
    await dispatcher.stop()
    outbound.close()
    await configuration.states.stop()
    await engines.store.close()
    await log.close()
  }
  const methods: WebhookMethods = {
    ...dispatcher.operations,
    figures: async () => dispatcher.figures(),
    isReady: async () => isReady,
    stop,
  }
  serveCalls(end, methods)
  await starting
}

await run()
