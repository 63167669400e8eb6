import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { merchants } from '@switchyard/access'
import { domainCollections, domainSlices } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, type EventLog } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import {
  createCommandHandler,
  createFileKeyVault,
  createLogger,
  createMerchantCipher,
  createNewId,
  createStreamStates,
} from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createWebhookDispatcher } from '@switchyard/webhook-dispatcher'
import { createCaller, type MessageEnd, serveCalls } from './message-calls.ts'
import { yieldToAnswers } from './thread-priority.ts'
import type { LogMethods, WebhookMethods } from './webhook-methods.ts'
import type { WebhookStart } from './webhooks.ts'

/** The bytes alone: a view into a larger buffer would be sent with all of it. */
const alone = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

/** The thread that takes events for merchants' endpoints and delivers them (law 8). */
const run = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  yieldToAnswers()
  const start: WebhookStart = workerData
  const now = Date.now
  const newId = createNewId(now, randomBytes)
  const end: MessageEnd = { send: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) }
  const main = createCaller<LogMethods>(end)
  const reader = createEmbeddedLog({ folder: start.logFolder, role: 'reader' })
  const log: EventLog = {
    ...reader,
    append: (topic, records) => main.call('append', [topic, records.map((record) => ({ ...record, value: alone(record.value) }))]),
  }
  // The driver is loaded only where it is used: it would make every start slower.
  const ofStore = { collections: domainCollections, role: 'writer' } as const
  const store =
    start.mongodbUri === undefined
      ? createEmbeddedStore({ folder: start.storeFolder, ...ofStore })
      : (await import('@switchyard/store-mongo')).createMongoStore({ uri: start.mongodbUri, ...ofStore })
  const codec = createEventCodec(publishedSchemaIds(), { strict: false })
  const onFailure = (error: unknown): void => {
    // Ends the thread, and with it the process: the supervisor starts it again from the log.
    throw error
  }
  const states = createStreamStates({ log, store, codec, slices: domainSlices, onFailure })
  const outbound = createOutbound({ schemes: start.allowHttp ? 'http_too' : 'https_only', allowedRanges: start.allowCidrs })
  const logger = createLogger(start)
  const dispatcher = createWebhookDispatcher({
    log,
    store,
    codec,
    states,
    handle: createCommandHandler({ log, codec, states, newId }),
    cipher: createMerchantCipher({
      vault: createFileKeyVault(start.keyFolder),
      secret: start.dataKeySecret,
      lifeOf: (merchantId) => states.stateOf(merchants, merchantId).registrationCount,
    }),
    send: outbound.send,
    checkUrl: outbound.checkUrl,
    hmac: nodeHmac,
    now,
    newId,
    randomBytes,
    report: {
      info: (text) => logger.info(text),
      failed: (text, error) => logger.error({ err: error }, text),
    },
    onFailure,
  })
  let isReady = false
  const starting = (async () => {
    await states.start()
    await dispatcher.start()
    isReady = true
  })()
  const methods: WebhookMethods = {
    ...dispatcher.operations,
    isReady: async () => isReady,
    stop: async () => {
      await starting
      await dispatcher.stop()
      outbound.close()
      await states.stop()
      await store.close()
      await log.close()
    },
  }
  serveCalls(end, methods)
  await starting
}

await run()
