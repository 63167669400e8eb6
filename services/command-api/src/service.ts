import { createAnalyticsQueries } from '@switchyard/analytics'
import {
  assertOwnDataSecrets,
  costProjections,
  createAwaitPosition,
  createConfiguration,
  createEdge,
  createRecorder,
  createTokens,
  type Engines,
  healthRoutes,
  now,
  paymentProjections,
  type Service,
} from '@switchyard/composition'
import type { Mailer } from '@switchyard/kernel'
import { createRuleEvaluator } from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { createReadModelProgress, type MerchantCipherDependencies, type Part } from '@switchyard/runtime'
import { assembleCommandApi, assembleExperimentGuard, type CommandApiSurroundings } from './assemble.ts'

/** What encrypts the credentials of connectors. */
export interface CredentialKeys extends Pick<MerchantCipherDependencies, 'vault' | 'secrets'> {
  /** Ends the handle of the vault. */
  readonly close: () => Promise<void>
}

/** What the deployment knows beside the log. */
type CommandData = Pick<RuleData, 'catalogue'> & Pick<CommandApiSurroundings, 'deploymentRates'>

const readModelsOf = ({ log, store }: Engines, topic: 'payments' | 'costs', projections: readonly { readonly name: string }[]) =>
  createReadModelProgress({ log, store, topic, projections: projections.map(({ name }) => name) })

/** Commands in a process of their own. It reads all partitions of `config`, and of the read store the figures of experiments and the last uses of keys. */
export const commandApiService = (
  { catalogue, deploymentRates }: CommandData,
  mailer: Mailer,
  keys: CredentialKeys | undefined,
): Service => ({
  name: 'command-api',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const configuration = createConfiguration(engines, voices, settings)
    const recorder = createRecorder(engines, voices)
    const documents = readModelsOf(engines, 'payments', paymentProjections)
    const costs = readModelsOf(engines, 'costs', costProjections)
    const stopReading = async (): Promise<void> => {
      documents.stop()
      costs.stop()
    }
    const readModels: Part = { name: 'read models', start: async () => {}, stop: stopReading }
    const vault: Part = {
      name: 'data keys',
      start: async () => {
        if (keys !== undefined) await assertOwnDataSecrets(configuration, keys)
      },
      stop: async () => await keys?.close(),
    }
    const tokens = createTokens(settings.jwtSecret, settings)
    const { states, directory } = configuration
    const evaluator = createRuleEvaluator(catalogue)
    const queries = createAnalyticsQueries({ store: documents.readModels, now })
    const guard = assembleExperimentGuard({ configuration, queries, report: voices.report })
    const { routes, part: mails } = assembleCommandApi({
      settings,
      configuration,
      tokens,
      sessionSecret: settings.jwtSecret,
      mailer,
      appender: recorder.appender,
      evaluator,
      deploymentRates,
      readKeyUses: queries.keyUses,
      report: voices.report,
      keys,
      costs: costs.readModels,
    })
    const edge = createEdge({
      settings,
      routes: (isListening) => [...routes, ...healthRoutes({ isReady: async () => isListening(), probe: engines.probe })],
      directory,
      noteKey: recorder.noteKey,
      tokens,
      refresh: { refreshMerchant: states.readIndex, refreshCredentials: states.readIndexOfAll },
      awaitPosition: createAwaitPosition({ log: engines.log, config: states.waitFor, projectedCosts: costs.projectedUpTo }),
      logger: voices.logger,
      metrics: voices.metrics,
      onListening,
    })
    return [configuration.part, recorder.part, readModels, vault, guard, mails, edge]
  },
})
