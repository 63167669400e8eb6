import { parentPort } from 'node:worker_threads'
import type { Engines, Voices } from '@switchyard/composition'
import { domainCollections, tellingStore } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, type CollectionSpec, type EventLog, type ReadStore } from '@switchyard/kernel'
import { createLogger, type LifecycleReport } from '@switchyard/runtime'
import { batchedMessages } from './batched-messages.ts'
import { createCaller, type MessageEnd } from './message-calls.ts'
import type { ThreadPlaces } from './service-thread.ts'
import type { LogMethods, PutFramed } from './thread-methods.ts'

interface StoreOptions {
  readonly collections: readonly CollectionSpec[]
  readonly role: 'writer' | 'reader'
}

/** The engines of a thread as its entry point chooses them. */
export interface ThreadAdapters {
  readonly openLog: (options: { readonly folder: string; readonly role: 'reader'; readonly through: PutFramed }) => EventLog
  readonly openStore: (options: StoreOptions & { readonly folder: string }) => ReadStore
  readonly openMongo: (options: StoreOptions & { readonly uri: string }) => Promise<ReadStore>
}

/** How a thread tells of itself. */
export const reportOf = (logger: ReturnType<typeof createLogger>): LifecycleReport => ({
  info: (text) => logger.info(text),
  failed: (text, error) => logger.error({ err: error }, text),
})

/** The log as this thread has it: it reads by itself, and appends through the thread that owns it. */
const logOf = ({ openLog }: ThreadAdapters, folder: string, end: MessageEnd): EventLog => {
  const owner = createCaller<LogMethods>(end)
  return openLog({ folder, role: 'reader', through: (chunks) => owner.call('append', chunks) })
}

const storeOf = async (
  adapters: ThreadAdapters,
  { storeFolder, mongodbUri }: ThreadPlaces,
  role: 'writer' | 'reader',
): Promise<ReadStore> => {
  const options = { collections: domainCollections, role }
  return mongodbUri === undefined
    ? adapters.openStore({ folder: storeFolder, ...options })
    : await adapters.openMongo({ uri: mongodbUri, ...options })
}

/** What the thread of a service has. */
export interface ThreadSurroundings {
  readonly end: MessageEnd
  readonly engines: Engines
  readonly voices: Pick<Voices, 'report' | 'logger' | 'onFailure'>
}

/** Opens the engines in the thread of a service. */
export const openThread = async (
  start: ThreadPlaces,
  { role }: { readonly role: 'writer' | 'reader' },
  adapters: ThreadAdapters,
): Promise<ThreadSurroundings> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  const end = batchedMessages({ send: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) })
  const logger = createLogger(start)
  const report = reportOf(logger)
  return {
    end,
    engines: {
      log: logOf(adapters, start.logFolder, end),
      store: tellingStore(await storeOf(adapters, start, role), { report }),
      codec: createEventCodec(publishedSchemaIds(), { strict: false }),
    },
    voices: {
      report,
      logger: { error: (fields, text) => logger.error(fields, text) },
      onFailure: (error) => {
        // Ends the thread, and with it the process: the supervisor starts it again from the log.
        throw error
      },
    },
  }
}
