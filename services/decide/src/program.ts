import { endWhenItFails, runService } from '@switchyard/composition'
import { openKafkaInbox, openKafkaLog } from '@switchyard/log-kafka'
import { loadContractRates, loadRuleData } from '@switchyard/routing-data'
import { parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { loadDebitData } from './debit-data/load-debit-data.ts'
import { loadGatewayErrors } from './gateway-errors/load-gateway-errors.ts'
import { decideService } from './service.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  const service = decideService({
    gatewayErrors: loadGatewayErrors(settings.gatewayErrorsFile),
    debitData: loadDebitData(settings.debitDataFiles),
    deploymentRates: loadContractRates(settings.contractRatesFile),
    ruleData: loadRuleData(settings.ruleDataFiles),
    openInbox: openKafkaInbox,
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
