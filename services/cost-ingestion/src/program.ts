import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWhenItFails, runService } from '@switchyard/composition'
import { OperatingError } from '@switchyard/kernel'
import { openKafkaLog } from '@switchyard/log-kafka'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createStoreKeyVault, MERCHANT_KEYS_COLLECTION, parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { checkSampleFolder } from './sample-folder.ts'
import { costIngestionService } from './service.ts'
import { createSpool, openNamedSpool } from './spool.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  const { dataKeySecret: secret, oldDataKeySecrets, webhooks, reports } = settings
  if (secret === undefined) throw new OperatingError('SETTING_INVALID', 'SWITCHYARD_DATA_KEY_SECRET: is required', { retryable: false })
  checkSampleFolder(reports.samplesDir)
  const vaultStore = createMongoStore({ uri: settings.mongodbUri, collections: [MERCHANT_KEYS_COLLECTION], role: 'writer' })
  const outbound = createOutbound({ schemes: webhooks.allowHttp ? 'http_too' : 'https_only', allowedRanges: webhooks.allowCidrs })
  const service = costIngestionService({
    spool: reports.spoolDir === undefined ? createSpool(join(tmpdir(), 'switchyard-reports')) : openNamedSpool(reports.spoolDir),
    keys: { vault: createStoreKeyVault(vaultStore), secrets: [secret, ...oldDataKeySecrets] },
    fetchStream: outbound.fetchStream,
    hmac: nodeHmac,
    close: async () => {
      outbound.close()
      await vaultStore.close()
    },
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
