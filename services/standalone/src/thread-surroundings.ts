import { parentPort } from 'node:worker_threads'
import type { Engines, Voices } from '@switchyard/composition'
import { domainCollections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, type EventLog, type ReadStore } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createLogger, yieldToAnswers } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createBatchedAppend } from './batched-append.ts'
import { createCaller, type MessageEnd } from './message-calls.ts'
import type { ThreadPlaces } from './service-thread.ts'
import type { LogMethods } from './thread-methods.ts'

/** The log as this thread has it: it reads by itself, and appends through the thread that owns it. */
const openLog = (folder: string, end: MessageEnd): EventLog => {
  const owner = createCaller<LogMethods>(end)
  return {
    ...createEmbeddedLog({ folder, role: 'reader' }),
    append: createBatchedAppend((batch) => owner.call('append', batch)),
  }
}

const openStore = async ({ storeFolder: folder, mongodbUri: uri }: ThreadPlaces, role: 'writer' | 'reader'): Promise<ReadStore> => {
  const options = { collections: domainCollections, role }
  // The driver is loaded only where it is used: it would make every start slower.
  return uri === undefined
    ? createEmbeddedStore({ folder, ...options })
    : (await import('@switchyard/store-mongo')).createMongoStore({ uri, ...options })
}

/** What the thread of a service has. */
export interface ThreadSurroundings {
  readonly end: MessageEnd
  readonly engines: Engines
  readonly voices: Pick<Voices, 'report' | 'onFailure'>
}

/** Opens the engines in the thread of a service, behind the one that answers decisions (law 8). */
export const openThread = async (start: ThreadPlaces, role: 'writer' | 'reader'): Promise<ThreadSurroundings> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  yieldToAnswers()
  const end: MessageEnd = { send: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) }
  const logger = createLogger(start)
  return {
    end,
    engines: {
      log: openLog(start.logFolder, end),
      store: await openStore(start, role),
      codec: createEventCodec(publishedSchemaIds(), { strict: false }),
    },
    voices: {
      report: {
        info: (text) => logger.info(text),
        failed: (text, error) => logger.error({ err: error }, text),
      },
      onFailure: (error) => {
        // Ends the thread, and with it the process: the supervisor starts it again from the log.
        throw error
      },
    },
  }
}
