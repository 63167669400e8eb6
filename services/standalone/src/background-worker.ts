import { parentPort, workerData } from 'node:worker_threads'
import { createAnalyticsQueries, createJournalQueries } from '@switchyard/analytics'
import {
  configProjections,
  costProjections,
  createDatastoreProbe,
  createReadiness,
  domainCollections,
  domainSlices,
  paymentProjections,
  tellingStore,
} from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, type ReadStore } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService, keepMinutes } from '@switchyard/projector'
import { createBackTests, createReadSavings, createSimulatePage } from '@switchyard/query-api'
import { createPaymentFold, createRuleEvaluator } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { createLogger, yieldToAnswers } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createRest } from './answering-load.ts'
import type { BackgroundStart } from './background.ts'
import { backgroundMethods } from './background-methods.ts'
import { serveCalls } from './message-calls.ts'
import { storeAnswers } from './thread-store.ts'
import { reportOf } from './thread-surroundings.ts'

/** From its start on, whether or not it has caught up. */
const STEP_BACK_MAX_MS = 30_000

/** The read store that this thread projects into. */
const openStore = async ({ storeFolder, mongodbUri, logLevel }: BackgroundStart): Promise<ReadStore> => {
  const options = { collections: domainCollections, role: 'writer' } as const
  const telling = { report: reportOf(createLogger({ logLevel })) }
  if (mongodbUri === undefined) return tellingStore(createEmbeddedStore({ folder: storeFolder, ...options }), telling)
  // The driver is loaded only where it is used: it would make every start slower.
  return tellingStore((await import('@switchyard/store-mongo')).createMongoStore({ uri: mongodbUri, ...options }), telling)
}

/** The thread beside the one that answers: projects the log into the read store, and answers reads from it (law 8). */
const run = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  const { logFolder, ruleDataFiles, answeringLoad }: BackgroundStart = workerData
  const now = Date.now
  const log = createEmbeddedLog({ folder: logFolder, role: 'reader' })
  const store = await openStore(workerData)
  const projector = createProjectorService({
    log,
    store,
    codec: createEventCodec(publishedSchemaIds(), { strict: false }),
    now,
    configSlices: domainSlices,
    configProjections,
    createPaymentFold,
    paymentProjections,
    costProjections,
    restMs: createRest(answeringLoad),
    onFailure: (error) => {
      // Ends the thread, and with it the process: the supervisor starts it again from the log.
      throw error
    },
  })
  // A store that is away shows in the readiness; what was not forgotten is forgotten an hour later.
  const retention = keepMinutes(projector, { now, report: { info: () => {}, failed: () => {} } })
  const ending = new AbortController()
  const readiness = createReadiness({ projector, signal: ending.signal })
  let starting: Promise<void> = Promise.resolve()
  const stop = async (): Promise<void> => {
    ending.abort()
    await starting
    await retention.stop()
    await projector.stop()
    await store.close()
    await log.close()
  }
  const evaluator = createRuleEvaluator(loadRuleData(ruleDataFiles).catalogue)
  const methods = backgroundMethods({
    queries: createAnalyticsQueries({ store: projector.readModels('payments'), now }),
    journal: createJournalQueries({ readModels: projector.readModels, now }),
    simulatePage: createSimulatePage({
      store: projector.readModels('payments'),
      evaluator,
    }),
    lookAtBackTest: createBackTests({ log, schemaIds: publishedSchemaIds(), evaluator }),
    readSavings: createReadSavings({ store: projector.readModels('payments'), now }),
    probe: createDatastoreProbe({ store, now, instance: 'standalone' }),
    projector,
    readiness,
    stop,
  })
  serveCalls({ send: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) }, methods)
  const begin = async (): Promise<void> => {
    if (!(await storeAnswers(store, ending.signal))) return
    await projector.start()
    // Until then the process is not ready, and this is what its clients wait for; but not for as long as a long way takes.
    readiness.start(() => yieldToAnswers())
    setTimeout(() => yieldToAnswers(), STEP_BACK_MAX_MS).unref()
    retention.start()
  }
  starting = begin()
  await starting
}

await run()
