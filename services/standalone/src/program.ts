import { join } from 'node:path'
import { domainCollections, endWhenItFails, now, runProcess } from '@switchyard/composition'
import { checkSampleFolder, createSpool, openNamedSpool } from '@switchyard/cost-ingestion'
import { loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import type { Mailer } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createOutbox } from '@switchyard/mail-outbox'
import { loadContractRates, loadRuleData } from '@switchyard/routing-data'
import { createFileKeyVault, loadOrCreateSecret, parseSettings, type Settings } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { startBackground } from './background.ts'
import { startCosts } from './costs.ts'
import { openDataFolder } from './data-folder.ts'
import { startDecisionWorkers } from './decision-workers.ts'
import { assertEmbeddedOnly } from './embedded-only.ts'
import { adaptToSmallMachine } from './small-machine.ts'
import { createStandalone } from './standalone.ts'
import { startupText } from './startup-text.ts'
import { wakeFirst } from './wake-first.ts'
import { startWebhooks } from './webhooks.ts'

/** The driver is loaded only where it is used: it would make every start slower. */
const openMailer = async ({ mail: { smtpUrl: url, sender } }: Settings, folder: string): Promise<Mailer> =>
  url === undefined ? createOutbox({ folder, now }) : (await import('@switchyard/mail-smtp')).createSmtpMailer({ url, sender })

const run = async (): Promise<void> => {
  adaptToSmallMachine()
  const settings = parseSettings(process.env)
  assertEmbeddedOnly(settings)
  const gatewayErrors = loadGatewayErrors(settings.gatewayErrorsFile)
  const ruleData = loadRuleData(settings.ruleDataFiles)
  const debitData = loadDebitData(settings.debitDataFiles)
  const deploymentRates = loadContractRates(settings.contractRatesFile)
  const { spoolDir, samplesDir } = settings.reports
  checkSampleFolder(samplesDir)
  const data = openDataFolder(settings.dataDir)
  const spool = spoolDir === undefined ? createSpool(data.spool) : openNamedSpool(spoolDir)
  await runProcess(settings, async (voices) => {
    const log = createEmbeddedLog({ folder: data.log, role: 'owner' })
    const sessionSecret = settings.jwtSecret ?? (await loadOrCreateSecret(data.secrets))
    const { mongodbUri, ruleDataFiles, isDefaultAdminSecret, logLevel, people } = settings
    const dataKeySecret = settings.dataKeySecret ?? (await loadOrCreateSecret(data.secrets, 'data-key-secret'))
    const places = { logFolder: data.log, storeFolder: data.store, mongodbUri, logLevel, people }
    const keys = { keyFolder: join(data.secrets, 'merchant-keys'), dataKeySecrets: [dataKeySecret, ...settings.oldDataKeySecrets] as const }
    const webhooks = startWebhooks({ ...places, ...keys, ...settings.webhooks }, log, voices.onFailure)
    const reports = startCosts(
      { ...places, ...keys, spoolFolder: spoolDir ?? data.spool, reports: settings.reports, webhooks: settings.webhooks },
      log,
      voices.onFailure,
    )
    const background = startBackground({ ...places, ruleDataFiles }, voices.onFailure)
    const workers = await startDecisionWorkers({ count: settings.workers, start: { ...places, settings, sessionSecret }, log, ...voices })
    // The driver is loaded only where it is used: it would make every start slower.
    const ofStore = { collections: domainCollections, role: 'reader' } as const
    return createStandalone({
      ...voices,
      settings,
      sessionSecret,
      log,
      store:
        mongodbUri === undefined
          ? createEmbeddedStore({ folder: data.store, ...ofStore })
          : (await import('@switchyard/store-mongo')).createMongoStore({ uri: mongodbUri, ...ofStore }),
      background,
      webhooks,
      reports,
      workers,
      spool,
      gatewayErrors,
      ruleData,
      debitData,
      deploymentRates,
      keys: { vault: createFileKeyVault(keys.keyFolder), secrets: keys.dataKeySecrets },
      mailer: await openMailer(settings, data.outbox),
      onListening: (url) => {
        process.stdout.write(startupText({ url, dataRoot: data.root, isDefaultAdminSecret }))
        void wakeFirst()
      },
    })
  })
}

endWhenItFails(run())
