import { endWhenItFails, runService } from '@switchyard/composition'
import type { Mailer } from '@switchyard/kernel'
import { openKafkaLog } from '@switchyard/log-kafka'
import { loadContractRates, loadRuleData } from '@switchyard/routing-data'
import {
  createStoreKeyVault,
  MERCHANT_KEYS_COLLECTION,
  parseServiceSettings,
  type ServiceSettings,
  type Settings,
} from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { noMailer } from './mail/no-mailer.ts'
import { type CredentialKeys, commandApiService } from './service.ts'

/** The driver is loaded only where it is used: it would make every start slower. */
const openMailer = async ({ mail: { smtpUrl: url, sender } }: Settings): Promise<Mailer> =>
  url === undefined ? noMailer : (await import('@switchyard/mail-smtp')).createSmtpMailer({ url, sender })

const openKeys = ({ dataKeySecret: secret, oldDataKeySecrets, mongodbUri: uri }: ServiceSettings): CredentialKeys | undefined => {
  if (secret === undefined) return undefined
  const store = createMongoStore({ uri, collections: [MERCHANT_KEYS_COLLECTION], role: 'writer' })
  return { vault: createStoreKeyVault(store), secrets: [secret, ...oldDataKeySecrets], close: store.close }
}

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  const data = { ...loadRuleData(settings.ruleDataFiles), deploymentRates: loadContractRates(settings.contractRatesFile) }
  await runService(commandApiService(data, await openMailer(settings), openKeys(settings)), settings, {
    openLog: openKafkaLog,
    openSchemaIds: openRegistrySchemaIds,
    learningLog,
    learningHandle,
    createStore: createMongoStore,
  })
}

endWhenItFails(run())
