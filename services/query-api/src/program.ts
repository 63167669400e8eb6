import { endWhenItFails, runService } from '@switchyard/composition'
import { openKafkaLog } from '@switchyard/log-kafka'
import { loadRuleData } from '@switchyard/routing-data'
import { parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { loadApiDescription } from './load-api-description.ts'
import { queryApiService } from './service.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  await runService(queryApiService(loadRuleData(settings.ruleDataFiles), loadApiDescription()), settings, {
    openLog: openKafkaLog,
    openSchemaIds: openRegistrySchemaIds,
    learningLog,
    learningHandle,
    createStore: createMongoStore,
  })
}

endWhenItFails(run())
