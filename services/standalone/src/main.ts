import { join } from 'node:path'
import { loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { loadRuleData } from '@switchyard/routing-data'
import {
  createLifecycle,
  createLogger,
  type LifecycleReport,
  loadOrCreateSecret,
  parseSettings,
  superviseProcess,
} from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { STANDALONE_COLLECTIONS, startBackground } from './background.ts'
import { openDataFolder } from './data-folder.ts'
import { assertEmbeddedOnly } from './embedded-only.ts'
import { adaptToSmallMachine } from './small-machine.ts'
import { createStandalone, failureLine } from './standalone.ts'
import { startupText } from './startup-text.ts'
import { startWebhooks } from './webhooks.ts'

const run = async (): Promise<void> => {
  adaptToSmallMachine()
  const settings = parseSettings(process.env)
  assertEmbeddedOnly(settings)
  const gatewayErrors = loadGatewayErrors(settings.gatewayErrorsFile)
  const ruleData = loadRuleData(settings.ruleDataFiles)
  const debitData = loadDebitData(settings.debitDataFiles)
  const data = openDataFolder(settings.dataDir)
  const logger = createLogger(settings)
  const report: LifecycleReport = {
    info: (text) => logger.info(text),
    failed: (text, error) => logger.error({ err: error }, text),
  }
  const onFailure = (error: unknown): void => {
    report.failed('the process ends: a part can not go on', error)
    process.exit(1)
  }
  const log = createEmbeddedLog({ folder: data.log, role: 'owner' })
  const sessionSecret = settings.jwtSecret ?? (await loadOrCreateSecret(data.secrets))
  const { mongodbUri } = settings
  const background = startBackground(
    { logFolder: data.log, storeFolder: data.store, mongodbUri, ruleDataFiles: settings.ruleDataFiles },
    onFailure,
  )
  const dataKeySecret = settings.dataKeySecret ?? (await loadOrCreateSecret(data.secrets, 'data-key-secret'))
  const webhooks = startWebhooks(
    {
      logFolder: data.log,
      storeFolder: data.store,
      mongodbUri,
      keyFolder: join(data.secrets, 'merchant-keys'),
      dataKeySecret,
      ...settings.webhooks,
      logLevel: settings.logLevel,
    },
    log,
    onFailure,
  )
  // The driver is loaded only where it is used: it would make every start slower.
  const ofStore = { collections: STANDALONE_COLLECTIONS, role: 'reader' } as const
  const parts = createStandalone({
    settings,
    sessionSecret,
    log,
    store:
      mongodbUri === undefined
        ? createEmbeddedStore({ folder: data.store, ...ofStore })
        : (await import('@switchyard/store-mongo')).createMongoStore({ uri: mongodbUri, ...ofStore }),
    background,
    webhooks,
    gatewayErrors,
    ruleData,
    debitData,
    report,
    logger: { error: (fields, text) => logger.error(fields, text) },
    onFailure,
    onListening: (url) =>
      process.stdout.write(startupText({ url, dataRoot: data.root, isDefaultAdminSecret: settings.isDefaultAdminSecret })),
  })
  const lifecycle = createLifecycle(parts, report)
  superviseProcess({ lifecycle, events: process, exit: (code) => process.exit(code), report })
  await lifecycle.start()
}

run().catch((error: unknown) => {
  process.stderr.write(`${failureLine(error)}\n`)
  process.exit(1)
})
