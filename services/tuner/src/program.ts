import { endWhenItFails, runService } from '@switchyard/composition'
import { openKafkaLog } from '@switchyard/log-kafka'
import { parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { tunerService } from './service.ts'

const run = async (): Promise<void> => {
  await runService(tunerService, parseServiceSettings(process.env, { answers: 'health' }), {
    openLog: openKafkaLog,
    openSchemaIds: openRegistrySchemaIds,
    learningLog,
    learningHandle,
    createStore: createMongoStore,
  })
}

endWhenItFails(run())
