import type { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { createHotEdge, createMetrics, type Voices } from '@switchyard/composition'
import { assembleDeciding, createSharedRecentDecisions, loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import { publishedSchemaIds } from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { loadContractRates, loadRuleData } from '@switchyard/routing-data'
import { createLifecycle } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createConnectionCounts } from './decision-workers/connection-counts.ts'
import { openDescriptors } from './decision-workers/descriptors.ts'
import { createPassOn } from './decision-workers/pass-on.ts'
import type { DecisionWorkerMethods, DecisionWorkerStart } from './decision-workers/worker-methods.ts'
import { serveCalls } from './message-calls.ts'
import { threadStorePart } from './thread-store.ts'
import { openThread } from './thread-surroundings.ts'
import { wakeFirst } from './wake-first.ts'

/** A thread that decides as the main thread does, on connections that it is given, from states of its own. */
const run = async (): Promise<void> => {
  const start: DecisionWorkerStart = workerData
  const { settings, thread, connections } = start
  const descriptors = await openDescriptors()
  const counts = createConnectionCounts(start.connectionCounts)
  const surroundings = await openThread(
    start,
    { role: 'reader' },
    {
      openLog: createEmbeddedLog,
      openStore: createEmbeddedStore,
      // The driver is loaded only where it is used: it would make every start slower.
      openMongo: async (options) => (await import('@switchyard/store-mongo')).createMongoStore(options),
    },
  )
  const { end, engines } = surroundings
  const metrics = createMetrics('thread')
  const voices: Voices = { ...surroundings.voices, metrics }
  const { routes, serving, parts } = assembleDeciding({
    settings: { ...settings, jwtSecret: start.sessionSecret },
    engines: { ...engines, log: metrics.ofLog(engines.log), schemaIds: publishedSchemaIds() },
    voices,
    recentDecisions: createSharedRecentDecisions(start.recentDecisions),
    gatewayErrors: loadGatewayErrors(settings.gatewayErrorsFile),
    debitData: loadDebitData(settings.debitDataFiles),
    deploymentRates: loadContractRates(settings.contractRatesFile),
    ruleData: loadRuleData(settings.ruleDataFiles),
  })
  const server = createHotEdge({ ...serving, settings, routes, passOn: createPassOn(descriptors, connections) })
  const lifecycle = createLifecycle([threadStorePart(engines.store), ...parts], voices.report)
  const starting = lifecycle.start()

  const serve = (socket: Socket | undefined): void => {
    const ended = (): void => counts.add(thread, -1)
    if (socket === undefined) return ended()
    socket.once('close', ended)
    server.accept(socket)
  }
  connections.on('message', (descriptor: number) => serve(descriptors.take(descriptor)))

  const methods: DecisionWorkerMethods = {
    started: () => starting,
    drain: async () => server.drain(),
    close: server.close,
    figures: metrics.figures,
    stop: async () => {
      await lifecycle.stop()
      await engines.log.close()
    },
  }
  serveCalls(end, methods)
  await starting
  await wakeFirst()
}

await run()
