import { endWhenItFails, runService } from '@switchyard/composition'
import { OperatingError } from '@switchyard/kernel'
import { openKafkaInbox, openKafkaLog } from '@switchyard/log-kafka'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createStoreKeyVault, MERCHANT_KEYS_COLLECTION, parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { webhookDispatcherService } from './service.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  const { dataKeySecret, oldDataKeySecrets, webhooks } = settings
  if (dataKeySecret === undefined)
    throw new OperatingError('SETTING_INVALID', 'SWITCHYARD_DATA_KEY_SECRET: is required', { retryable: false })
  const keys = createMongoStore({ uri: settings.mongodbUri, collections: [MERCHANT_KEYS_COLLECTION], role: 'writer' })
  const outbound = createOutbound({ schemes: webhooks.allowHttp ? 'http_too' : 'https_only', allowedRanges: webhooks.allowCidrs })
  const close = async (): Promise<void> => {
    outbound.close()
    await keys.close()
  }
  const service = webhookDispatcherService({
    vault: createStoreKeyVault(keys),
    dataKeySecrets: [dataKeySecret, ...oldDataKeySecrets],
    outbound,
    hmac: nodeHmac,
    openInbox: openKafkaInbox,
    close,
  })
  await runService(service, settings, {
    openLog: openKafkaLog,
    openSchemaIds: openRegistrySchemaIds,
    learningLog,
    learningHandle,
    createStore: createMongoStore,
  })
}

endWhenItFails(run())
