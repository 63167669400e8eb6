import { domainCollections, endWhenItFails, runProcess } from '@switchyard/composition'
import { loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { loadRuleData } from '@switchyard/routing-data'
import { loadOrCreateSecret, parseSettings } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { startBackground } from './background.ts'
import { openDataFolder } from './data-folder.ts'
import { assertEmbeddedOnly } from './embedded-only.ts'
import { adaptToSmallMachine } from './small-machine.ts'
import { createStandalone } from './standalone.ts'
import { startupText } from './startup-text.ts'

const run = async (): Promise<void> => {
  adaptToSmallMachine()
  const settings = parseSettings(process.env)
  assertEmbeddedOnly(settings)
  const gatewayErrors = loadGatewayErrors(settings.gatewayErrorsFile)
  const ruleData = loadRuleData(settings.ruleDataFiles)
  const debitData = loadDebitData(settings.debitDataFiles)
  const data = openDataFolder(settings.dataDir)
  await runProcess(settings, async (voices) => {
    const log = createEmbeddedLog({ folder: data.log, role: 'owner' })
    const sessionSecret = settings.jwtSecret ?? (await loadOrCreateSecret(data.secrets))
    const { mongodbUri, ruleDataFiles, isDefaultAdminSecret } = settings
    const background = startBackground({ logFolder: data.log, storeFolder: data.store, mongodbUri, ruleDataFiles }, voices.onFailure)
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
      gatewayErrors,
      ruleData,
      debitData,
      onListening: (url) => process.stdout.write(startupText({ url, dataRoot: data.root, isDefaultAdminSecret })),
    })
  })
}

endWhenItFails(run())
