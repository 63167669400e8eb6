import { workerData } from 'node:worker_threads'
import { createConfiguration, createMetrics, findForeignDataSecrets } from '@switchyard/composition'
import { assembleCostIngestion, createSpool } from '@switchyard/cost-ingestion'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createFileKeyVault, yieldToAnswers } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import type { CostMethods } from './cost-methods.ts'
import type { CostStart } from './costs.ts'
import { serveCalls } from './message-calls.ts'
import { storeAnswers } from './thread-store.ts'
import { openThread } from './thread-surroundings.ts'

/** The thread that takes settlement reports in and learns from them (law 8); files are read in threads of their own. */
const run = async (): Promise<void> => {
  const start: CostStart = workerData
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
  const { end, voices } = surroundings
  const metrics = createMetrics('thread')
  const engines = { ...surroundings.engines, log: metrics.ofLog(surroundings.engines.log) }
  const configuration = createConfiguration(engines, voices, start)
  const { webhooks, dataKeySecrets: secrets } = start
  const outbound = createOutbound({ schemes: webhooks.allowHttp ? 'http_too' : 'https_only', allowedRanges: webhooks.allowCidrs })
  const keys = { vault: createFileKeyVault(start.keyFolder), secrets }
  const costs = assembleCostIngestion({
    engines,
    configuration,
    keys,
    spool: createSpool(start.spoolFolder),
    fetchStream: outbound.fetchStream,
    hmac: nodeHmac,
    settings: start.reports,
    isAlone: true,
    voices,
  })
  let isReady = false
  const ending = new AbortController()
  const begin = async (): Promise<void> => {
    if (!(await storeAnswers(engines.store, ending.signal))) return
    await configuration.states.start()
    // The main thread finds it out as well, and ends the process with a word: until then nothing is fetched.
    if ((await findForeignDataSecrets(configuration, keys)) !== undefined) return
    await costs.start()
    isReady = true
  }
  const starting = begin()
  const stop = async (): Promise<void> => {
    ending.abort()
    await starting
    await costs.stop()
    outbound.close()
    await configuration.states.stop()
    await engines.store.close()
    await engines.log.close()
  }
  const methods: CostMethods = { ...costs.operations, metrics: metrics.figures, isReady: async () => isReady, stop }
  serveCalls(end, methods)
  await starting
  yieldToAnswers()
}

await run()
