import { endWhenItFails, runService } from '@switchyard/composition'
import { openKafkaLog } from '@switchyard/log-kafka'
import { parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { loadDebitData } from './debit-data/load-debit-data.ts'
import { loadGatewayErrors } from './gateway-errors/load-gateway-errors.ts'
import { decideService } from './service.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  await runService(decideService(loadGatewayErrors(settings.gatewayErrorsFile), loadDebitData(settings.debitDataFiles)), settings, {
    openLog: openKafkaLog,
    openSchemaIds: openRegistrySchemaIds,
    learningLog,
    learningHandle,
    createStore: createMongoStore,
  })
}

endWhenItFails(run())
