import {
  assertOwnDataSecrets,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createRecorder,
  createTokens,
  healthRoutes,
  newId,
  now,
  type Service,
} from '@switchyard/composition'
import type { Part } from '@switchyard/runtime'
import { assembleCostIngestion, type CostIngestionSurroundings } from './assemble.ts'
import { costRoutes } from './routes/cost-routes.ts'

/** What the entry point chooses. */
export type CostIngestionAdapters = Pick<CostIngestionSurroundings, 'spool' | 'keys' | 'fetchStream' | 'hmac'> & {
  /** Ends handles that are its own. */
  readonly close: () => Promise<void>
}

/** Settlement reports in a process of their own. Of several processes the log settles who takes which report in. */
export const costIngestionService = ({ close, ...adapters }: CostIngestionAdapters): Service => ({
  name: 'cost-ingestion',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices, settings)
    const recorder = createRecorder(engines, voices)
    const { operations, start, stop } = assembleCostIngestion({
      ...adapters,
      settings: settings.reports,
      isAlone: false,
      engines,
      configuration,
      voices,
    })
    const { states, directory } = configuration
    let isCurrent = false
    const ingesting: Part = {
      name: 'reports',
      start: async () => {
        await assertOwnDataSecrets(configuration, adapters.keys)
        await start()
        isCurrent = true
      },
      stop: async () => {
        isCurrent = false
        await stop()
        await close()
      },
    }
    const edge = createEdge({
      settings,
      routes: (isListening) => [
        ...costRoutes({ ...configuration, operations, spool: adapters.spool, now, newId, samplesDir: settings.reports.samplesDir }),
        ...healthRoutes({ isReady: async () => isListening() && isCurrent, probe: engines.probe }),
      ],
      directory,
      noteKey: recorder.noteKey,
      tokens: createTokens(settings.jwtSecret, settings),
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({
        log: engines.log,
        config: states.waitFor,
        costs: operations.waitFor,
        projectedCosts: operations.waitFor,
      }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, recorder.part, ingesting, edge]
  },
})
